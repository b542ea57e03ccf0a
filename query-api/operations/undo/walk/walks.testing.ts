import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type OperationsKit, startOperations } from '../../testing.ts'
import type { Move, Walk } from './moves.testing.ts'
import { type NestedDatabase, nestedDatabase } from './nested-database.testing.ts'
import { movesOf } from './random-moves.testing.ts'
import { assertKeptCounts, storedFacts } from './stored.testing.ts'
import { beginWalk, copyOf, type Means, makeStart, type Start, step } from './walk.testing.ts'

/**
 * `WALKS=long` takes 50,000 walks, `WALKS=<number>` that many: half of them in each of two files, which run in
 * parallel.
 */
const { WALKS = '300' } = process.env
const COUNT = (WALKS === 'long' ? 50_000 : Number(WALKS)) / 2
/** Continuations of a walk from one beginning, which runs once for all of them. */
const MAX_ENDINGS = 16
/** Average number or more: random lists are more often short than long. */
const MEAN_ENDINGS = 6

interface Given {
  readonly kinds: readonly Move['kind'][]
  /** Kinds of moves that may be missing from a small number of walks. */
  readonly mayBeRare: number
  /** Continuations without a beginning, which run first. */
  readonly known?: readonly (readonly (readonly Move[])[])[]
}

/** A test that takes walks of random moves, and compares the database with the model after each. */
export const testWalks = (name: string, { kinds, mayBeRare, known = [] }: Given): void => {
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
    const opened = nestedDatabase(kit.database.connection)
    means = { workspace, database: opened.database, facts: () => storedFacts(opened.asOwner, workspace.id) }
    nested = opened
  })
  after(async () => {
    await nested?.database.close()
    await kit.stop()
  })

  const some = movesOf(kinds)
  const walks = fc.record({
    beginning: some(0, 8),
    endings: fc.array(some(1, 3), { minLength: 1, maxLength: MAX_ENDINGS, size: 'max' }),
  })

  test(name, async t => {
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
      numRuns: known.length,
      examples: known.map(endings => [{ beginning: [], endings: [...endings] }]),
    })
    const firstSeed = Math.trunc(Math.random() * 2 ** 31)
    for (let seed = firstSeed; walked < COUNT; seed += 1)
      await fc.assert(property, { seed, numRuns: Math.ceil((COUNT - walked) / MEAN_ENDINGS) })
    const counts = [...accepted].map(([kind, count]) => `${kind} ${count}`).join(', ')
    t.diagnostic(`${walked} walks from seed ${firstSeed}; accepted: ${counts}`)
    // Walks with refusals alone prove nothing.
    const never = kinds.filter(kind => !accepted.has(kind))
    assert.ok(never.length <= (COUNT < 1000 ? mayBeRare : 0), `never accepted: ${never.join(', ')}`)
  })
}
