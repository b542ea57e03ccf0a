import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type OperationsKit, startOperations } from '../../testing.ts'
import type { Move } from './moves.testing.ts'
import { type NestedDatabase, nestedDatabase } from './nested-database.testing.ts'
import { moves } from './random-moves.testing.ts'
import { assertKeptCounts, storedFacts } from './stored.testing.ts'
import { beginWalk, copyOf, type Means, makeStart, type Start, step } from './walk.testing.ts'

/** Ways that a walk goes on from one beginning: the beginning is walked once for all of them. */
const ENDINGS = 16
/** `WALKS=long` walks 50,000. */
const WALKS = process.env.WALKS === 'long' ? 50_000 : Number(process.env.WALKS ?? 300)

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

const walks = fc.record({
  beginning: moves(0, 10),
  endings: fc.array(moves(1, 3), { minLength: 1, maxLength: ENDINGS, size: 'max' }),
})

test('whatever is merged, split, attached, taken back and done again, each signal is evidence where a model says', async t => {
  const outcomes = new Map<string, number>()
  const began = process.cpuUsage(), b = Date.now()
  let steps = 0
  let walked = 0
  const take = async (at: Parameters<typeof step>[0], steps_: readonly Move[]) => {
    for (const one of steps_) {
      kit.now = new Date(kit.now.getTime() + 1000)
      const outcome = `${one.kind} ${await step(at, means, one)}`
      steps++
      outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
    }
  }
  const property = fc.asyncProperty(walks, ({ beginning, endings }) =>
    nested.rolledBack(async () => {
      const at = await beginWalk(start, means)
      await take(at, beginning)
      for (const ending of endings) {
        await nested.attempt(async () => {
          await take(copyOf(at), ending)
          await assertKeptCounts(nested.asOwner, means.workspace.id)
        })
        walked += 1
      }
    }),
  )
  await fc.assert(property, { numRuns: Math.ceil(WALKS / 8), ...(process.env.SEED ? { seed: Number(process.env.SEED) } : {}) })
  console.log(walked, steps, process.cpuUsage(began), Date.now() - b, [...outcomes].sort())
})
