import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { eventually } from '../../../infra/runtime/testing.ts'
import { STEPS } from '../../../schemas/domain/vocabulary.ts'
import { type ActivityAnswer, type Agent, connectAgent } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, createKey, createSignalSource, type Person, signUp } from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'

const shell = async (script: string): Promise<string> => (await promisify(execFile)('bash', ['-c', script])).stdout

interface SignalAnswer {
  readonly id: string
  readonly reference: string
  readonly text: string
  readonly state: string
  readonly classification: string
  readonly occurrences: number
  readonly claims: readonly { readonly id: string }[]
}

/** `signal` is null while it is on its way. */
interface LookedUp {
  readonly signal: SignalAnswer | null
}

export const describeJourney = (installation: () => Installation): void => {
  describe('A signed webhook becomes evidence that an agent reads', () => {
    let person: Person
    let source: CreatedSource
    let agent: Agent

    before(async () => {
      const { baseUrl } = installation()
      person = await signUp(baseUrl)
      source = await createSignalSource(person)
      const { key } = await createKey(person)
      agent = await connectAgent(baseUrl, key)
    })
    after(async () => {
      await agent?.close()
    })

    const lookup = (id: string): Promise<SignalAnswer> =>
      eventually('the signal is in Triage', async () => {
        const { data } = await agent.call<LookedUp>('service_lookup', { mode: 'signal', id, depth: 'full' })
        return data.signal
      })

    it('takes the curl that the sources page shows, and the agent finds the signal', async () => {
      const answer = JSON.parse(await shell(source.examples.curl))
      assert.equal(answer.ok, true)
      const signal = await lookup(answer.snippet_id)
      assert.equal(signal.id, answer.snippet_id)
      assert.match(signal.reference, /^SIG-\d+$/)
    })

    it('takes what the openssl lines sign', async () => {
      const answer = JSON.parse(await shell(source.examples.openssl))
      assert.equal(answer.ok, true)
      assert.match(answer.snippet_id, /^[0-9a-f-]{36}$/)
    })

    it('keeps personal data out of everything that an agent reads', async () => {
      const { body } = await sendSignal(source, {
        text: 'Checkout fails with an error when I pay by card 4111 1111 1111 1111. Write to jane.roe@example.org or +44 20 7946 0958.',
        source: 'desk',
        actor_name: 'Checkout customer',
        actor_email: 'jane.roe@example.org',
      })
      const signal = await lookup(String(body.snippet_id))
      assert.match(signal.text, /\[CARD\].*\[EMAIL\].*\[PHONE\]/)
      assert.doesNotMatch(JSON.stringify(signal), /jane\.roe|4111|7946/)
    })

    it('turns a problem into an emerging claim that the snapshot and the lookup show with its evidence', async () => {
      const { body } = await sendSignal(source, {
        text: 'The export to CSV is broken: it fails with an error every time and we cannot send our monthly report.',
        source: 'desk',
      })
      const signal = await lookup(String(body.snippet_id))
      assert.equal(signal.classification, 'problem')
      const claimId = await eventually(
        'the signal has a claim',
        async () => (await lookup(signal.id)).claims[0]?.id ?? null,
      )
      const snapshot = await agent.call<{
        top_claims: { id: string }[]
        solutions: unknown[]
        recommended_next_tools: unknown[]
      }>('service_orient', { mode: 'snapshot' })
      assert.ok(snapshot.data.top_claims.some(claim => claim.id === claimId))
      assert.ok(snapshot.data.recommended_next_tools.length > 0)
      assert.ok(!Number.isNaN(Date.parse(snapshot.meta.timestamp)) && snapshot.meta.timestamp.endsWith('Z'))
      const claim = await agent.call<unknown>('service_lookup', { mode: 'claim', id: claimId, depth: 'full' })
      assert.ok(JSON.stringify(claim.data).includes(signal.id))
    })

    it('is known from its answer on, whichever way it came', async () => {
      const where = async (id: unknown): Promise<string> => {
        const { data } = await agent.call<{ status: string }>('service_lookup', { mode: 'signal', id })
        return data.status
      }
      for (let number = 0; number < 5; number += 1) {
        const { body } = await sendSignal(source, { text: `The report of week ${number} has no totals.` })
        assert.match(await where(body.snippet_id), /^(in_pipeline|inserted|duplicate)$/)
        const text = `In the interview they asked for totals of week ${number}.`
        const { data } = await agent.call<{ snippet_id: string }>('service_capture', { mode: 'signal', text })
        assert.match(await where(data.snippet_id), /^(in_pipeline|inserted|duplicate)$/)
      }
    })

    it('is one with its retry, and another text under the same key is not lost', async () => {
      const key = { 'x-idempotency-key': 'report-1' }
      const send = async (text: string) => String((await sendSignal(source, { text }, key)).body.snippet_id)
      const [first, retry] = [await send('The calendar skips Sundays.'), await send('The calendar skips Sundays.')]
      const other = await send('Invoices show the wrong currency.')
      assert.equal(retry, first)
      assert.equal((await lookup(first)).text, 'The calendar skips Sundays.')
      assert.equal((await lookup(first)).occurrences, 0)
      assert.equal((await lookup(other)).text, 'Invoices show the wrong currency.')
    })

    it('passes all nine steps, in their order', async () => {
      const { body } = await sendSignal(source, {
        text: 'It would be great to have a dark theme for the reading view.',
      })
      const steps = await eventually('the trace reaches the last step', async () => {
        const { data } = await agent.call<{ steps: { step: string; outcome: string }[] }>('service_support', {
          mode: 'signal',
          id: String(body.snippet_id),
        })
        return data.steps.some(({ step }) => step === 'cluster') ? data.steps : null
      })
      assert.deepEqual(
        steps.map(({ step, outcome }) => [step, outcome]),
        [['received', 'received'], ...STEPS.map(step => [step, 'next'])],
      )
    })

    it('answers the retry of a sender with the same snippet, stored once', async () => {
      const send = () =>
        sendSignal(
          source,
          { text: 'Retries of one delivery are one signal, whatever happens on the way.' },
          { 'x-idempotency-key': 'delivery-1' },
        )
      const [first, second] = [await send(), await send()]
      assert.equal(first.body.snippet_id, second.body.snippet_id)
      const signal = await lookup(String(first.body.snippet_id))
      assert.equal(signal.occurrences, 0)
    })

    it('counts a repeat from another sender as an occurrence of the first', async () => {
      const text = 'Two senders tell us word for word that the invoice page is slow on Mondays.'
      const first = await sendSignal(source, { text, source: 'desk', actor_email: 'one@example.org' })
      await lookup(String(first.body.snippet_id))
      const second = await sendSignal(source, { text, source: 'survey', actor_email: 'two@example.org' })
      const original = await eventually('the repeat is an occurrence', async () => {
        const signal = await lookup(String(first.body.snippet_id))
        return signal.occurrences === 1 ? signal : null
      })
      const resolved = await lookup(String(second.body.snippet_id))
      assert.equal(resolved.id, original.id)
    })

    it('counts received signals from the analytics engine', async () => {
      const marked = 'counted-by-the-test'
      for (const place of ['kitchen', 'garage', 'cellar']) {
        await sendSignal(source, { text: `Something about the ${place} is worth counting today.`, source: marked })
      }
      await eventually('three signals are counted', async () => {
        const { data } = await agent.call<ActivityAnswer>('service_analyze', {
          mode: 'activity',
          metrics: ['count', 'distinct_signals'],
          group_by: ['source'],
          filters: [
            { field: 'kind', op: 'in', values: ['signal.received'] },
            { field: 'source', op: 'in', values: [marked] },
          ],
        })
        const [row] = data.items
        if (row?.metrics.count !== 3) return null
        assert.deepEqual(row, { period: null, group: { source: marked }, metrics: { count: 3, distinct_signals: 3 } })
        return true
      })
    })
  })
}
