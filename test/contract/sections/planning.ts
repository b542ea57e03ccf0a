import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { holds } from '../holds.ts'
import type { Solution, Story } from '../story.ts'
import { type Beginning, EXPORTS } from '../world.ts'
import { pointOf } from './metric-body.ts'

interface Ranked {
  readonly reference: string
  readonly manual_rank: number | null
  readonly priority_boost: number
  readonly evidence_priority: number
}

export const describePlanning = ({ world }: Beginning, story: () => Story): void => {
  const call = async <Data = Readonly<Record<string, unknown>>>(tool: string, mode: string, input: object = {}) =>
    (await world().agent.call<Data>(tool, { mode, ...input })).data
  const lookup = <Data = Readonly<Record<string, unknown>>>(mode: string, input: object = {}) =>
    call<Data>('service_lookup', mode, input)
  const decide = (mode: string, input: object) => call<{ solution: Solution }>('service_decide', mode, input)
  const solution = (id: string) => lookup<{ state: string; priority_boost: number; id: string }>('solution', { id })

  /** A Decision about another Solution. */
  const elsewhere = async (): Promise<string> => {
    const about = { about: [story().shipped.id], statement: 'We leave it as it is.' }
    const { reference } = await call<{ reference: string }>('service_decide', 'decision', about)
    return reference
  }

  describe('Planning', () => {
    holds('service-8', async () => {
      for (const mode of ['backlog', 'group', 'decision', 'outcome']) {
        assert.ok(Number((await lookup(mode)).count) > 0, mode)
      }
      for (const mode of ['strategy', 'roadmap']) {
        assert.ok(Number((await call('service_orient', mode)).count) > 0, mode)
      }
      assert.ok((await lookup('living_doc', { id: story().exports.id })).text)
      assert.ok('items' in (await call('service_analyze', 'reviews')))
    })
    holds('service-9', async () => {
      const { node } = await lookup<{ node: { metrics: { metric_id: string }[] } }>('node', { id: EXPORTS })
      assert.equal(node.metrics[0]?.metric_id, world().sources.metric.id)
    })
    holds('service-13', async () => {
      assert.match(JSON.stringify(await call('service_orient', 'strategy')), /Everybody is informed/)
      assert.match(JSON.stringify(await call('service_orient', 'roadmap')), new RegExp(story().exports.reference))
    })
    holds('service-14', async () => {
      const review = await call('service_analyze', 'review')
      assert.match(JSON.stringify(review), /Product Review/)
      assert.ok(Number((await call('service_analyze', 'reviews')).count) > 0)
    })
    holds('service-15', async () => {
      const create = { title: 'On nobody’s Decision' }
      await assert.rejects(decide('create_solution', create), /human Decision/)
      await assert.rejects(decide('create_solution', { ...create, comment: '  ' }), /comment/)
      // A Decision that was taken about something else is none about this.
      await assert.rejects(decide('create_solution', { ...create, decision_id: await elsewhere() }), /DEC-/)
      await assert.rejects(lookup('solution', { id: create.title }), /not_found/)
      assert.equal(story().exports.state, 'Backlog')
    })
    holds('service-16', async () => {
      const update = { solution_id: story().exports.id, priority_boost: 9 }
      await assert.rejects(decide('update_solution', update), /human Decision/)
      await assert.rejects(decide('update_solution', { ...update, decision_id: await elsewhere() }), /DEC-/)
      assert.equal((await solution(story().exports.id)).priority_boost, 1)
    })
    holds('service-17', async () => {
      const brief = JSON.stringify(await lookup('context', { id: story().exports.id }))
      for (const part of ['No summary fails.', story().problem.reference, 'We build Reliable summaries.']) {
        assert.ok(brief.includes(part), part)
      }
    })
    holds('service-18', () => assert.equal(story().reviewed.state, 'In Review'))
    holds('service-19', async () => {
      const { outcome } = await lookup<{ outcome: { solution: { id: string } } }>('outcome', { id: story().shipped.id })
      assert.equal(outcome.solution.id, story().shipped.id)
    })
    holds('object-17', async () => {
      assert.ok(isUuid(story().theme.id))
      assert.equal((await solution(story().theme.id)).id, story().theme.id)
    })
    holds('object-18', async () => assert.equal(typeof (await solution(story().theme.id)).priority_boost, 'number'))
    holds('object-19', async () => {
      const { id: solution_id } = story().theme
      await decide('update_solution', { solution_id, summary: 'For each calendar.', comment: 'So that it is clear.' })
      assert.match(JSON.stringify(await lookup('decision', { about: solution_id })), /So that it is clear/)
    })
    holds('object-20', async () => {
      await world().measure({ value: 20.5, date: '2026-02-03' })
      const { value, occurred_at } = await pointOf(world(), 20.5)
      assert.deepEqual([value, occurred_at], [20.5, '2026-02-03T00:00:00.000Z'])
    })
    holds('state-1', async () => {
      assert.equal((await solution(story().reviewed.id)).state, 'In Review')
      assert.equal((await solution(story().shipped.id)).state, 'Done')
    })
    holds('state-2', async () => {
      const { changes } = await lookup<{ changes: unknown[] }>('decision', { about: story().shipped.id })
      assert.ok(changes)
      assert.match(
        JSON.stringify(await lookup('solution', { id: story().shipped.id })),
        /design\.example\.com\/receipts/,
      )
    })
    holds('state-3', async () => {
      const { state } = await solution(story().reviewed.id)
      assert.equal(state, 'In Review')
      assert.match(JSON.stringify(await lookup('context', { id: story().reviewed.id })), /app\/pulls\/7/)
    })
    holds('state-4', async () => {
      const outcome = { expectation: 'Much.', observation: 'Nothing.', verdict: 'missed', comment: 'Too early.' }
      await assert.rejects(decide('outcome', { solution_id: story().theme.id, ...outcome }), /Done/)
    })
  })

  describe('The board', () => {
    const board = async () => (await lookup<{ items: Ranked[] }>('backlog', { limit: 20, depth: 'standard' })).items
    const places = async () => (await board()).map(({ reference }) => reference)

    holds('service-20', async () => {
      const { solution: last } = await decide('create_solution', { title: 'Has no evidence', comment: 'A try.' })
      assert.equal((await places()).at(-1), last.reference)
      await decide('prioritize', { solution_id: last.id, manual_rank: 1, comment: 'First all the same.' })
      assert.equal((await places())[0], last.reference)
    })
    holds('service-21', async () => {
      const { exports, theme } = story()
      await decide('prioritize', { solution_id: theme.id, priority_boost: 8, comment: 'Much more.' })
      const behind = (await board()).filter(({ manual_rank: rank }) => rank === null)
      const scores = behind.map(item => item.evidence_priority * item.priority_boost)
      assert.deepEqual(
        scores,
        scores.toSorted((one, other) => other - one),
      )
      const at = (reference: string) => behind.findIndex(item => item.reference === reference)
      assert.ok(at(theme.reference) < at(exports.reference))
    })
    holds('service-22', async () => {
      const before = await places()
      const rice = { reach: 1_000_000, impact: 3, confidence: 1, effort: 1 }
      await decide('update_solution', { solution_id: story().exports.id, rice, comment: 'For the audit.' })
      assert.deepEqual(await places(), before)
      const kept = await eventually('the figures are kept', () =>
        lookup('solution', { id: story().exports.id, depth: 'full' }),
      )
      assert.match(JSON.stringify(kept), /1000000/)
    })
  })
}
