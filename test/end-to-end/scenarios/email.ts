import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createTransport } from 'nodemailer'
import { eventually } from '../../../infra/runtime/testing.ts'
import { sample } from '../../../ingest/receivers/email/samples.testing.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { postMail } from '../../support/mail.ts'
import { type CreatedSource, type Person, signUp } from '../../support/person.ts'

interface SignalAnswer {
  readonly text: string
  readonly source: string
  readonly signal_origin: string
  readonly occurred_at: string
  readonly metadata: Readonly<Record<string, unknown>>
  readonly cuts: { readonly parts: readonly { readonly kind: string; readonly text: string }[] } | null
}

/** What becomes of mails of the usual programs: the text, and what else an agent should see. */
const MAILS = {
  'gmail-reply': {
    text: 'Export stops\n\nThe CSV export still stops at 10,000 rows. We need all of them for the yearly\naudit, otherwise we cannot use it.',
  },
  'outlook-web-reply-fr': { text: 'Synchronisation\n\nLa synchronisation échoue tous les matins à 9 h.' },
  'gmail-forward': {
    text: 'Dashboard is slow\n\nThe dashboard takes 40 seconds to load since the last release.',
    note: /^Third customer this week\.$/,
  },
  'charset-iso-2022-jp': { text: '通知の不具合\n\n通知が二回届きます。' },
  attachments: { text: 'Screenshot of the error\n\nThe page breaks when I press Save.' },
} as const

export const describeEmail = (installation: () => Installation): void => {
  describe('Mail', () => {
    let person: Person
    let source: CreatedSource
    let agent: Agent
    before(async () => {
      person = await signUp(installation().baseUrl)
      source = await person.call<CreatedSource>('create_source', { kind: 'email', name: 'Forwarded mail' })
      agent = await agentOf(person)
    })
    after(() => agent?.close())

    const inTriage = (id: string): Promise<SignalAnswer> =>
      eventually('the mail is in Triage', async () => {
        const input = { mode: 'signal', id, depth: 'full' }
        return (await agent.call<{ signal: SignalAnswer | null }>('service_lookup', input)).data.signal
      })

    /** Sends as a mail server does; answers what the listener said. */
    const sendBySmtp = async (mail: Buffer, to = source.address ?? ''): Promise<string> => {
      const transport = createTransport({ host: '127.0.0.1', port: installation().smtpPort, ignoreTLS: true })
      const { response } = await transport.sendMail({ envelope: { from: 'customer@example.com', to }, raw: mail })
      transport.close()
      return response
    }

    for (const [name, expected] of Object.entries(MAILS)) {
      it(`${name}: is one signal, posted or sent by SMTP`, async () => {
        // The listener belongs to one edge, and the sender's own retry may come to another.
        const said = await eventually('the listener takes it', () => sendBySmtp(sample(name)))
        const { status, body } = await postMail(installation().baseUrl, source, sample(name))
        assert.equal(status, 200, JSON.stringify(body))
        assert.equal(said, `250 2.6.0 OK ${body.snippet_id}`)
        const signal = await inTriage(String(body.snippet_id))
        assert.equal(signal.text, expected.text)
        assert.deepEqual([signal.source, signal.signal_origin], ['email', 'customer'])
        assert.match(signal.occurred_at, /^2025-03-04T/)
        for (const [key, pattern] of Object.entries(expected)) {
          if (key !== 'text') assert.match(String(signal.metadata[key]), new RegExp(pattern))
        }
      })
    }

    it('keeps what it quotes and its signature beside its text, where the search finds them', async () => {
      const { body } = await postMail(installation().baseUrl, source, sample('gmail-reply'))
      const { cuts } = await inTriage(String(body.snippet_id))
      const quoted = cuts?.parts.find(({ kind }) => kind === 'quoted')?.text ?? ''
      assert.match(quoted, /the export was fixed in version 4\.2/)
      const found = await eventually('the search finds it', async () => {
        const input = { mode: 'search', query: 'fixed in version 4.2', depth: 'standard' }
        const { data } = await agent.call<{ items: { id: string; matched: string }[] }>('service_lookup', input)
        return data.items.find(({ id }) => id === body.snippet_id) ?? null
      })
      assert.equal(found.matched, 'cut')
    })

    it('has its attachments listed', async () => {
      const { body } = await postMail(installation().baseUrl, source, sample('attachments'))
      const { metadata } = await inTriage(String(body.snippet_id))
      assert.deepEqual(metadata.attachments, [
        { name: 'shot.png', type: 'image/png', size: 200 },
        { name: 'Übersicht.pdf', type: 'application/pdf', size: 90 },
      ])
    })

    it('keeps no address of anybody', async () => {
      const { body } = await postMail(installation().baseUrl, source, sample('outlook-reply'))
      const signal = await inTriage(String(body.snippet_id))
      assert.doesNotMatch(JSON.stringify(signal), /@/)
    })

    it('for nobody here is refused while it is sent', async () => {
      await assert.rejects(sendBySmtp(sample('gmail-reply'), 'somebody@in.assay.test'), { responseCode: 550 })
      const { status } = await postMail(
        installation().baseUrl,
        { ...source, address: 'somebody@in.assay.test' },
        sample('gmail-reply'),
      )
      assert.equal(status, 404)
    })

    it('is refused once its source is deleted', async () => {
      await person.call('delete_source', { id: source.id })
      await eventually('the address is nobody’s', async () => {
        const { status } = await postMail(installation().baseUrl, source, sample('gmail-reply'))
        return status === 404
      })
    })
  })
}
