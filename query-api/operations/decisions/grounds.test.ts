import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { TSchema } from 'typebox'
import { Check } from 'typebox/value'
import { changedTopics, readRevisions } from '../../../model/workspaces/revision.ts'
import { registry } from '../registry.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

type Named = { readonly id: string; readonly reference: string }

/** As an agent calls it, through its key. */
const change = (name: string, input: object) => workspace.run(name, input)

/**
 * Each change that hangs on a Decision, made of the Solution named; all of them can be made of one Solution, in this
 * order.
 */
const CHANGES: readonly [operation: string, input: (solution: Named) => object][] = [
  ['update_solution', ({ id }) => ({ solution_id: id, summary: 'Wider.' })],
  ['prioritize_solution', ({ id }) => ({ solution_id: id, manual_rank: 1 })],
  ['rank_solutions', ({ id }) => ({ manual_rank: 7, solutions: [{ solution_id: id }] })],
  ['change_roadmap', ({ id }) => ({ action: 'place', solution_id: id, horizon: 'next' })],
  ['change_group', ({ id }) => ({ action: 'add', group_id: 'Rollout', solution_ids: [id] })],
  ['edit_living_document', ({ id }) => ({ solution_id: id, markdown: '# Plan' })],
]

let kit: OperationsKit
let workspace: Workspace
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

const revision = async () => {
  const found = (await readRevisions(kit.database.database, [workspace.id], kit.now)).get(workspace.id)
  assert.ok(found)
  return found
}
const log = async (statement: string, about: readonly string[] = []): Promise<Named> =>
  (await workspace.inApp('log_decision', { statement, about })).data
const create = async (title: string, more: object = {}): Promise<Named> =>
  (await workspace.inApp('create_solution', { title, comment: `We make ${title}.`, ...more })).data.solution

describe('A Decision grounds what it is about, while it stands', () => {
  let own: Named
  let other: Named
  let claim: Awaited<ReturnType<Workspace['claim']>>
  let signal: Awaited<ReturnType<Workspace['signal']>>
  before(async () => {
    workspace = await kit.workspace()
    signal = await workspace.signal({ text: 'The export hangs.' })
    claim = await workspace.claim('Exports time out', [signal])
    own = await create('Stream exports', { claim_ids: [claim.id] })
    other = await create('Dark theme')
    await workspace.inApp('change_group', { action: 'create', name: 'Rollout', comment: 'One rollout.' })
  })

  const refused: readonly [what: string, decide: () => Promise<Named>, why: RegExp][] = [
    ['about another Solution', () => log('Dark theme first.', [other.id]), /DEC-\d+ is about SOL-2, not about this/],
    [
      'that dismissed a Signal',
      async () => {
        const spam = await workspace.signal({ text: 'Buy pills.' })
        return (await workspace.inApp('triage', { action: 'dismiss', signal_id: spam.id })).data.decision
      },
      /DEC-\d+ is about SIG-\d+, not about this/,
    ],
    [
      'that was reversed',
      async () => {
        const { decision } = (
          await workspace.inApp('update_solution', { solution_id: own.id, title: 'Stream all', comment: 'Wider.' })
        ).data
        await workspace.inApp('reverse_decision', { decision_id: decision.id, comment: 'No.' })
        return decision
      },
      /DEC-\d+ was reversed by DEC-\d+ and can no longer be the reason for a change/,
    ],
  ]
  for (const [what, decide, why] of refused) {
    it(`one ${what} grounds no change, and nothing is written`, async () => {
      const { id } = await decide()
      const stands = async () => (await workspace.inApp('lookup_solution', { id: own.id, depth: 'full' })).data
      const unchanged = await stands()
      for (const [operation, input] of CHANGES) {
        await assert.rejects(change(operation, { ...input(own), decision_id: id }), failsWith('conflict', why))
      }
      await assert.rejects(change('create_solution', { title: 'Another', decision_id: id }), failsWith('conflict', why))
      assert.deepEqual(await stands(), unchanged)
    })
  }

  const grounds: readonly [what: string, decide: () => Promise<Named>][] = [
    ['about the Solution', () => log('Streams it is.', [own.id])],
    ['about a claim that the Solution answers', () => log('Exports must not time out.', [claim.id])],
    ['about a Signal of such a claim', () => log('We help this customer.', [signal.id])],
    ['about nothing in particular', () => log('Exports come first.')],
  ]
  for (const [what, decide] of grounds) {
    it(`one ${what} grounds every change of it, each kept with who carried it out`, async () => {
      const { id, reference } = await decide()
      const fresh = await create(`Made for ${what}`, { claim_ids: [claim.id] })
      const target = what.endsWith('the Solution') ? own : fresh
      const before = await revision()
      for (const [operation, input] of CHANGES) await change(operation, { ...input(target), decision_id: id })
      assert.ok(changedTopics(before, await revision()).includes('decisions'), 'whoever watches Decisions hears of it')
      const { data } = await workspace.inApp('lookup_decision', { id, depth: 'full' })
      const made = data.changes.filter((one: { change: object }) => Object.keys(one.change).length > 0)
      assert.ok(made.length >= CHANGES.length)
      const carriers = made.map((one: { change: { carried_out_by?: string } }) => one.change.carried_out_by)
      assert.deepEqual(new Set(carriers), new Set(['Owner, through the key "Agent"']))
      const listed = (await workspace.inApp('lookup_decision', { about: target.id })).data.items
      const about = listed.find((item: Named) => item.reference === reference)
      assert.deepEqual([about.via, about.carried_out_by], ['app', 'Owner, through the key "Agent"'])
      const { items } = (await workspace.inApp('orient_roadmap', { depth: 'full' })).data
      const placed = items.find((item: Named) => item.id === target.id).decision
      assert.deepEqual([placed.via, placed.carried_out_by], ['app', 'Owner, through the key "Agent"'])
    })
  }

  it('one about a claim grounds a new Solution that answers it, and no other', async () => {
    const { id } = await log('Exports must not time out.', [claim.id])
    await change('create_solution', { title: 'Queue exports', claim_ids: [claim.id], decision_id: id })
    await assert.rejects(
      change('create_solution', { title: 'Queue everything', decision_id: id }),
      failsWith('conflict', /is about CLM-\d+, not about this solution/),
    )
  })
})

describe('A reason says something', () => {
  const REASONS = ['comment', 'statement', 'reason', 'expectation', 'observation']
  const asking = [...registry.values()].flatMap(operation => {
    const { properties = {} } = operation.input as { readonly properties?: Record<string, TSchema> }
    const reasons = REASONS.flatMap(field => properties[field] ?? [])
    return operation.effect === 'read' || reasons.length === 0 ? [] : [{ name: operation.name, reasons }]
  })

  it('the operations that ask for one are found', () => assert.ok(asking.length > 15, String(asking.length)))

  for (const { name, reasons } of asking) {
    it(`${name} takes no blank one`, () => {
      for (const reason of reasons) {
        assert.equal(Check(reason, 'Why.'), true)
        for (const blank of ['', '   ', '\n\t']) assert.equal(Check(reason, blank), false, JSON.stringify(blank))
      }
    })
  }
})
