import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { postMail } from '../../support/mail.ts'
import { type CreatedSource, createSignalSource, signUp } from '../../support/person.ts'
import { post, type SenderAnswer, sendSignal } from '../../support/sender.ts'
import { holds } from '../holds.ts'
import { deliverEvent, mailOf } from '../senders.ts'
import type { Beginning } from '../world.ts'

const SENDERS = 10

/**
 * Sends from a few senders at once until one is refused for it; answers how many were taken, and what was said of the
 * limit.
 */
const flood = async (allowed: number, send: (at: number) => Promise<SenderAnswer>) => {
  const answers: SenderAnswer[] = []
  const over: SenderAnswer[] = []
  let sent = 0
  const sender = async () => {
    // On a machine so busy that the window passes meanwhile, it takes more than are allowed in one.
    while (over.length === 0 && sent < 3 * allowed) {
      sent += 1
      const at = sent
      // The server may close a connection that rested just when it is used again: nothing was sent then.
      const answer = await send(at).catch(() => send(at))
      if (answer.status === 429) over.push(answer)
      else answers.push(answer)
    }
  }
  await Promise.all(Array.from({ length: SENDERS }, sender))
  const policies = new Set([...answers, ...over].map(({ headers }) => headers.get('ratelimit-policy')))
  return { taken: answers.length, over, policies: [...policies] }
}

const assertLimited = (
  { taken, over, policies }: Awaited<ReturnType<typeof flood>>,
  allowed: number,
  policy: string,
) => {
  assert.ok(taken >= allowed, `only ${taken} were taken`)
  assert.ok(over.length > 0, 'all of them were taken')
  assert.deepEqual(policies, [policy])
}

export const describeLimits = ({ world, early }: Beginning): void => {
  describe('The limits of the inbound endpoints', () => {
    // Of somebody else: a flood uses the limits of nobody here up. What is proven counts, though it is refused later:
    // nothing enters.
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

    holds('limit-1', () => assertLimited(flooded().signal, 100, '"endpoint";q=100;w=60'))
    holds('limit-2', () => assertLimited(flooded().metric, 60, '"endpoint";q=60;w=60'))
    holds('limit-3', () => assertLimited(flooded().email, 50, '"tenant";q=50;w=3600'))
    holds('limit-4', () => assertLimited(flooded().host, 500, '"endpoint";q=500;w=60'))
    holds('limit-5', () => {
      for (const { over } of Object.values(flooded())) {
        for (const { headers } of over) assert.ok(Number(headers.get('retry-after')) > 0)
      }
    })
    holds('limit-6', async () => {
      assert.equal((await world().measure({ value: 1 })).status, 200)
    })
  })
}
