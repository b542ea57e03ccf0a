import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { CreatedSource } from '../../support/person.ts'
import { post, sendSignal, sign } from '../../support/sender.ts'
import { holds } from '../holds.ts'
import { deliverEvent, mailOf, sendConnected } from '../senders.ts'
import type { Beginning } from '../world.ts'
import { pointOf } from './metric-body.ts'

const BODY = '{"text":"A letter that nobody here has written."}'

export const describeProofs = ({ world, early }: Beginning): void => {
  describe('How senders prove themselves', () => {
    const compromised = early(async ({ person }) => {
      const before = await person.call<CreatedSource>('create_source', { kind: 'metric', name: 'Compromised' })
      await person.call('delete_source', { id: before.id })
      const after = await person.call<CreatedSource>('create_source', { kind: 'metric', name: 'Compromised' })
      return { before, after }
    })
    const send = ({ url, secret }: CreatedSource) => post(url, '{"value":1}', { authorization: `Bearer ${secret}` })

    holds('proof-1', async () => {
      const { signal } = world().sources
      const body = JSON.stringify({ text: 'Signed by its sender with the shared secret.' })
      const proof = { 'x-service-signature': sign(signal.secret, body) }
      assert.match(proof['x-service-signature'], /^sha256=[0-9a-f]{64}$/)
      assert.equal((await post(signal.url, body, proof)).status, 200)
    })
    holds('proof-2', async () => {
      const { signal } = world().sources
      assert.equal((await post(signal.url, BODY)).status, 401)
      const ofAnother = { 'x-service-signature': sign(signal.secret, `${BODY} `) }
      assert.equal((await post(signal.url, BODY, ofAnother)).status, 401)
    })
    holds('proof-3', async () => assert.equal((await send(world().sources.metric)).status, 200))
    holds('proof-4', async () => {
      const { metric, codeHost } = world().sources
      assert.equal((await send({ ...metric, secret: codeHost.secret })).status, 401)
    })
    holds('proof-5', async () => {
      const { status, body } = await deliverEvent(world().sources.codeHost, 'ping', { zen: 'Keep it simple.' })
      assert.equal(status, 200, JSON.stringify(body))
    })
    holds('proof-6', async () => {
      const { codeHost } = world().sources
      const wrong = { 'x-hub-signature-256': sign(codeHost.secret, 'another body') }
      assert.equal((await deliverEvent(codeHost, 'ping', { zen: 'Forged.' }, wrong)).status, 401)
    })
    holds('proof-7', async () => {
      const { connection } = world().sources
      const { status } = await sendConnected(connection, { text: 'Signed as Standard Webhooks has it.' })
      assert.equal(status, 200)
    })
    holds('proof-8', async () => {
      const { connection } = world().sources
      const other = `whsec_${Buffer.alloc(32).toString('base64')}`
      assert.equal((await sendConnected(connection, { text: 'Forged.' }, other)).status, 401)
    })
    holds('proof-9', async () => {
      const mail = mailOf({ subject: 'Forged', text: 'From nobody that the service knows.' }).toString()
      const { baseUrl, sources } = world()
      const headers = { 'content-type': 'message/rfc822', 'x-envelope-to': sources.email.address ?? '' }
      const to = `${baseUrl}/api/webhooks/email-ingest`
      assert.equal((await post(to, mail, headers)).status, 401)
      assert.equal((await post(to, mail, { ...headers, authorization: 'Bearer guessed' })).status, 401)
    })
    holds('proof-10', async () => {
      const { before, after } = compromised()
      assert.notEqual(after.url, before.url)
      assert.notEqual(after.secret, before.secret)
      await eventually('the new address is open', async () => (await send(after)).status === 200)
      await eventually('the old address is closed', async () => (await send(before)).status === 404)
    })
  })

  describe('What a sender says about an event', () => {
    const told = early(({ sources }) =>
      sendSignal(sources.signal, {
        text: 'The nightly backup ended with three warnings.',
        source: 'backup',
        source_url: 'https://ops.example.com/runs/9',
        event: 'backup.finished',
        signal_origin: 'operational',
      }),
    )

    holds('event-1', async () => {
      const { source, source_url, event, signal_origin } = await world().signal(String(told().body.snippet_id))
      assert.deepEqual(
        [source, source_url, event, signal_origin],
        ['backup', 'https://ops.example.com/runs/9', 'backup.finished', 'operational'],
      )
    })
    holds('event-2', async () => {
      assert.equal((await world().measure({ value: 99_131.5, date: '2026-02-01' })).status, 200)
      await pointOf(world(), 99_131.5)
      const { items } = await world().person.call<{ items: { text: string; source: string | null }[] }>(
        'list_signals',
        {
          limit: 200,
        },
      )
      assert.ok(items.length > 0)
      assert.ok(!items.some(({ text, source }) => text.includes('99131') || source === 'A metric'))
    })
  })
}
