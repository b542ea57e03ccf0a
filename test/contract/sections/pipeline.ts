import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { sendSignal } from '../../support/sender.ts'
import { holds } from '../holds.ts'
import { likeness, STUMBLES, UNREADABLE } from '../models.ts'
import { deliverEvent, exampleOf, forward, sendConnected } from '../senders.ts'
import { type Beginning, EXPORTS, type Trace } from '../world.ts'

const PERSONAL = [
  'Grace Hopper called about the exit.',
  'Her mail is grace.hopper@example.org, her phone +44 20 7946 0958.',
  'Her SSN is 536-22-4399, her card 4111 1111 1111 1111, and she wrote from 203.0.113.77.',
].join(' ')

/** One of each classification. */
const CLASSES = {
  problem: 'The export to CSV is broken: it fails with an error every time and we cannot send our report.',
  idea: 'It would be great to have a dark theme for the reading view.',
  question: 'How do I change the address on my invoices?',
  unclassified: 'Greetings from the harbour.',
}

export const describePipeline = ({ world, early }: Beginning): void => {
  describe('The pipeline', () => {
    const personal = early(({ send }) => send({ text: PERSONAL }))
    const near = early(({ send }) => send({ text: `Something about files ${likeness('exports', 0.802)}` }))
    const far = early(({ send }) => send({ text: `Something about folders ${likeness('exports', 0.798)}` }))
    const classified = Object.entries(CLASSES).map(([kind, text]) =>
      early(async ({ send }) => [kind, await send({ text })]),
    )
    const fromEverywhere = early(async ({ baseUrl, sources, send }) => {
      const answers = await Promise.all([
        sendConnected(sources.connection, { text: 'The fan on the second floor hums.' }),
        deliverEvent(sources.codeHost, 'push', exampleOf('push')),
      ])
      return [
        await send({ text: 'The fan on the first floor hums.' }),
        await forward(baseUrl, sources.email, { subject: 'Fan', text: 'The fan on the third floor hums.' }),
        ...answers.map(({ body }) => String(body.snippet_id)),
      ]
    })
    /** One that comes once the other is stored, as a repeat would. */
    const channels = early(async ({ send, signal, sources }) => {
      const original = await send({ text: `The kiosk prints blank receipts ${likeness('kiosk')}` })
      await signal(original)
      const connected = async (text: string, cosine: number) => {
        const { body } = await sendConnected(sources.connection, { text: `${text} ${likeness('kiosk', cosine)}` })
        return String(body.snippet_id)
      }
      const repeat = await connected('Blank receipts come out', 0.882)
      return { original, repeat, other: await connected('The kiosk is blank', 0.878) }
    })
    const threads = early(async ({ baseUrl, sources, signal }) => {
      const mail = (text: string, cosine: number) =>
        forward(baseUrl, sources.email, {
          subject: 'Ramp',
          text: `${text} ${likeness('ramp', cosine)}`,
          quoted: 'Hello,\n\nhow is the ramp?',
        })
      const original = await mail('The ramp is too steep.', 1)
      await signal(original)
      return {
        original,
        repeat: await mail('Too steep is the ramp.', 0.922),
        other: await mail('The ramp again.', 0.918),
      }
    })
    const dead = early(({ send }) => send({ text: `This one is ${UNREADABLE}.` }))
    const retried = early(({ send }) => send({ text: `With this one ${STUMBLES}.` }))

    const ended = (id: string) => world().trace(id, ({ steps }) => steps.some(({ step }) => step === 'cluster'))
    const isRepeat = async (id: string, original: string) => {
      const trace = await world().trace(id, ({ status }) => status === 'duplicate')
      const { reference } = await world().signal(original)
      assert.equal(trace.duplicate?.original, reference)
    }
    const isOwn = async (id: string) => assert.equal((await world().signal(id)).id, id)
    const redacted = async (placeholder: string, secret: RegExp) => {
      const { text } = await world().signal(personal())
      assert.ok(text.includes(placeholder), text)
      assert.doesNotMatch(text, secret)
    }

    holds('pipeline-1', async () => {
      const { status, body } = await sendSignal(world().sources.signal, { words: 'No text.' })
      assert.deepEqual([status, body.snippet_id], [422, undefined])
    })
    holds('pipeline-2', async () => {
      const padding = { text: 'Too large.', metadata: { padding: 'x'.repeat(800 * 1024) } }
      const { status, body } = await sendSignal(world().sources.signal, padding)
      assert.deepEqual([status, body.snippet_id], [413, undefined])
    })
    holds('pipeline-3', async () => {
      const signals = await Promise.all(fromEverywhere().map(id => world().signal(id)))
      // A sender may have none of its own fields.
      const shapes = new Set(signals.map(({ metadata: _, ...signal }) => Object.keys(signal).toSorted().join()))
      assert.equal(shapes.size, 1, [...shapes].join('\n'))
      const channels = signals.map(({ channel }) => channel)
      assert.equal(new Set(channels).size, 4, channels.join())
    })
    holds('pipeline-4', () => redacted('[EMAIL]', /grace\.hopper|example\.org/))
    holds('pipeline-5', () => redacted('[PHONE]', /7946/))
    holds('pipeline-6', () => redacted('[NATIONAL_ID]', /536-22/))
    holds('pipeline-7', () => redacted('[CARD]', /4111/))
    holds('pipeline-8', () => redacted('[IP_ADDRESS]', /203\.0/))
    holds('pipeline-9', async () => assert.match((await world().signal(personal())).text, /^Grace Hopper called/))
    holds('pipeline-10', async () => {
      const { steps } = await ended(near())
      assert.partialDeepStrictEqual(
        steps.find(({ step }) => step === 'embed'),
        { outcome: 'next', version: 'as-asked' },
      )
    })
    holds('pipeline-11', async () => assert.equal((await world().signal(near())).node?.name, EXPORTS))
    holds('pipeline-12', async () => assert.equal((await world().signal(far())).node, null))
    holds('pipeline-13', async () => {
      await isRepeat(channels().repeat, channels().original)
      await isOwn(channels().other)
    })
    holds('pipeline-14', async () => {
      await isRepeat(threads().repeat, threads().original)
      await isOwn(threads().other)
    })
    holds('pipeline-15', async () => {
      for (const each of classified) {
        const [kind, id = ''] = each()
        assert.equal((await world().signal(id)).classification, kind)
      }
    })
    holds('pipeline-16', async () => {
      const { id, reference } = await world().signal(personal())
      assert.equal(id, personal())
      assert.match(reference, /^SIG-\d+$/)
    })
    holds('pipeline-20', async () => {
      const { steps } = await ended(personal())
      assert.deepEqual(
        steps.map(({ step, outcome }) => [step, outcome]),
        [['received', 'received'], ...STEPS.map(step => [step, 'next'])],
      )
    })
    holds('pipeline-21', async () => {
      const { dead_letter: letter } = await world().trace(dead(), ({ status }) => status === 'dead')
      assert.partialDeepStrictEqual(letter, { step: 'embed', state: 'waiting' })
      const { data } = await world().agent.call<object>('service_support', { mode: 'pipeline' })
      assert.ok(JSON.stringify(data).includes(dead()))
    })
    holds('pipeline-22', async () => {
      const wasRetried = ({ steps }: Trace) => steps.some(({ step }) => step === 'cluster')
      const { steps, status } = await world().trace(retried(), wasRetried)
      assert.equal(status, 'inserted')
      assert.ok(steps.some(({ step, outcome }) => step === 'embed' && outcome === 'retry'))
    })
  })
}
