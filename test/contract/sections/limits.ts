import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { postMail } from '../../support/mail.ts'
import { type CreatedSource, createSignalSource, signUp } from '../../support/person.ts'
import { post, type SenderAnswer, sendSignal } from '../../support/sender.ts'
import { holds } from '../holds.ts'
import { deliverEvent, mailOf } from '../senders.ts'
import type { Beginning } from '../world.ts'

/** How many are answered otherwise than 429 when one more is sent than is allowed, and the one that is. */
const flood = async (allowed: number, send: (at: number) => Promise<SenderAnswer>) => {
  const answers = await Promise.all(Array.from({ length: allowed + 1 }, (_, at) => send(at)))
  const over = answers.filter(({ status }) => status === 429)
  return { taken: answers.length - over.length, over }
}

export const describeLimits = ({ world, early }: Beginning): void => {
  describe('The limits of the inbound endpoints', () => {
    // Of somebody else: a flood uses the limits of nobody here up. What is proven counts, though it is refused later: nothing enters.
    const flooded = early(async ({ baseUrl }) => {
      const person = await signUp(baseUrl)
      const create = (kind: string, more: object = {}) =>
        person.call<CreatedSource>('create_source', { kind, name: kind, ...more })
      const { id } = await person.call<{ id: string }>('create_workspace', { name: 'Of the same tenant' })
      const elsewhere = person.inWorkspace(id).call<CreatedSource>('create_source', { kind: 'email', name: 'Mail' })
      const [signal, metric, host, ...addresses] = await Promise.all([
        createSignalSource(person),
        create('metric'),
        create('code_host', { code_host: 'github' }),
        create('email'),
        elsewhere,
      ])
      const sendMail = (at: number) => postMail(baseUrl, addresses[at % 2] ?? assert.fail(), mail)
      const mail = mailOf({ subject: 'Again', text: 'The same mail, sent again and again.' })
      return {
        signal: await flood(100, () => sendSignal(signal, {})),
        metric: await flood(60, () => post(metric.url, '{}', { authorization: `Bearer ${metric.secret}` })),
        host: await flood(500, () => deliverEvent(host, 'ping', { zen: 'Again.' })),
        email: await flood(50, sendMail),
      }
    })

    holds('limit-1', () => assert.equal(flooded().signal.taken, 100))
    holds('limit-2', () => assert.equal(flooded().metric.taken, 60))
    holds('limit-3', () => assert.equal(flooded().email.taken, 50))
    holds('limit-4', () => assert.equal(flooded().host.taken, 500))
    holds('limit-5', () => {
      for (const { over } of Object.values(flooded())) {
        assert.equal(over.length, 1)
        assert.ok(Number(over[0]?.headers.get('retry-after')) > 0)
      }
    })
    holds('limit-6', async () => {
      assert.equal((await world().measure({ value: 1 })).status, 200)
    })
  })
}
