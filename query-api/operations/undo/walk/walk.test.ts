import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type OperationsKit, startOperations } from '../../testing.ts'
import { MOVE_KINDS, type Move } from './moves.testing.ts'
import { nestedDatabase, type NestedDatabase } from './nested-database.testing.ts'
import { assertKeptCounts, storedFacts } from './stored.testing.ts'
import { beginWalk, makeStart, type Means, type Start, step } from './walk.testing.ts'

const WALKS = process.env.WALKS === 'long' ? 50_000 : Number(process.env.N ?? 300)

let kit: OperationsKit
let nested: NestedDatabase
let means: Means
let start: Start
before(async () => {
  kit = await startOperations(undefined, {
    through: own => ({ ...own, transaction: (scope, work) => (nested?.database ?? own).transaction(scope, work) }),
  })
  const workspace = await kit.workspace()
  start = await makeStart(workspace, (statement, values) => kit.database.pool.query(statement, [...values]))
  nested = nestedDatabase(kit.database.pool)
  means = { workspace, database: nested.database, facts: () => storedFacts(nested.asOwner, workspace.id) }
})
after(() => kit.stop())

/** As often as makes walks in which much happens. */
const WEIGHTS: Partial<Record<Move['kind'], number>> = { merge: 4, undo_change: 8, undo_decision: 3, pull_apart: 3, split: 3, detach: 2 }
const KINDS = MOVE_KINDS.map(kind => ({ arbitrary: fc.constant(kind), weight: WEIGHTS[kind] ?? 1 }))

const moves: fc.Arbitrary<readonly Move[]> = fc.array(
  fc.record({ kind: fc.oneof(...KINDS), one: fc.nat(11), other: fc.nat(11) }),
  { minLength: 1, maxLength: 14, size: 'max' },
)

test('whatever is merged, split, attached, taken back and done again, each signal is evidence where a model says', async () => {
  const outcomes = new Map<string, number>()
  const began = process.cpuUsage(), b = Date.now()
  let steps = 0
  await fc.assert(
    fc.asyncProperty(moves, walk =>
      nested.rolledBack(async () => {
        const at = await beginWalk(start, means)
        for (const move of walk) {
          kit.now = new Date(kit.now.getTime() + 1000)
          steps++
          const outcome = `${move.kind} ${await step(at, means, move)}`
          outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
        }
        await assertKeptCounts(nested.asOwner, means.workspace.id)
      }),
    ),
    { numRuns: WALKS, ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}) },
  )
  console.log(steps, process.cpuUsage(began), Date.now() - b, [...outcomes].sort())
})
