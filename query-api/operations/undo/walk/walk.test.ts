import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type OperationsKit, startOperations } from '../../testing.ts'
import { KNOWN_WALKS } from './known-walks.testing.ts'
import { MOVE_KINDS, type Move, type Walk } from './moves.testing.ts'
import { type NestedDatabase, nestedDatabase } from './nested-database.testing.ts'
import { moves, movesOfEvidence } from './random-moves.testing.ts'
import { assertKeptCounts, storedFacts } from './stored.testing.ts'
import { beginWalk, copyOf, type Means, makeStart, type Start, step } from './walk.testing.ts'

/** `WALKS=long` takes 50,000 walks, a number so many. */
const { WALKS = '300' } = process.env
const COUNT = WALKS === 'long' ? 50_000 : Number(WALKS)
/** Ways that a walk goes on from one beginning, which is walked once for all of them; half as many on average. */
const MOST_ENDINGS = 16

let kit: OperationsKit
let nested: NestedDatabase | undefined
let means: Means
let start: Start
before(async () => {
  kit = await startOperations(undefined, {
    through: own => ({ ...own, transaction: (scope, work) => (nested?.database ?? own).transaction(scope, work) }),
  })
  const workspace = await kit.workspace()
  start = await makeStart(workspace, (statement, values) => kit.database.pool.query(statement, [...values]))
  const opened = nestedDatabase(kit.database.pool)
  means = { workspace, database: opened.database, facts: () => storedFacts(opened.asOwner, workspace.id) }
  nested = opened
})
after(() => kit.stop())

const walksOf = (some: typeof moves) =>
  fc.record({
    beginning: some(0, 8),
    endings: fc.array(some(1, 3), { minLength: 1, maxLength: MOST_ENDINGS, size: 'max' }),
  })
const walks = fc.oneof(walksOf(moves), walksOf(movesOfEvidence))

test('whatever is merged, split, attached, taken back and done again, each signal is evidence where a model says', async t => {
  assert.ok(nested)
  const { rolledBack, attempt, asOwner } = nested
  const accepted = new Map<Move['kind'], number>()
  let walked = 0
  const take = async (walk: Walk, chosen: readonly Move[]): Promise<void> => {
    for (const move of chosen) {
      kit.now = new Date(kit.now.getTime() + 1000)
      if ((await step(walk, means, move)) === 'refused') continue
      accepted.set(move.kind, (accepted.get(move.kind) ?? 0) + 1)
    }
  }
  const property = fc.asyncProperty(walks, ({ beginning, endings }) =>
    rolledBack(async () => {
      const walk = await beginWalk(start, means)
      await take(walk, beginning)
      for (const ending of endings) {
        await attempt(async () => {
          await take(copyOf(walk), ending)
          await assertKeptCounts(asOwner, means.workspace.id)
        })
        walked += 1
      }
    }),
  )
  await fc.assert(property, {
    numRuns: Math.ceil(COUNT / (MOST_ENDINGS / 2)),
    examples: KNOWN_WALKS.map(endings => [{ beginning: [], endings: [...endings] }]),
  })
  t.diagnostic(`${walked} walks; accepted: ${[...accepted].map(([kind, count]) => `${kind} ${count}`).join(', ')}`)
  // Walks in which everything is refused show nothing. Of so few walks the rarest move may be in none.
  const never = MOVE_KINDS.filter(kind => !accepted.has(kind))
  assert.ok(never.length <= (COUNT < 1000 ? 2 : 0), `never accepted: ${never.join(', ')}`)
})
