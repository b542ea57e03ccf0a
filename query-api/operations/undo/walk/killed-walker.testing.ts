/**
 * A program that takes walks in several workspaces at once, until it is killed. It tells its parent of each move before
 * making it, with its idempotency key, and of the answer.
 */
import assert from 'node:assert/strict'
import { testDatabaseOn } from '../../../../infra/postgres/testing.ts'
import type { Caller } from '../../define.ts'
import { startOperations } from '../../testing.ts'
import type { Move, Plan } from './moves.testing.ts'
import { storedFacts } from './stored.testing.ts'
import { type Answer, beginWalk, carryOut, follow, planned, type Start } from './walk.testing.ts'

/** The parent's only message. */
export interface WalksToTake {
  readonly url: string
  readonly walks: readonly { readonly caller: Caller; readonly start: Start; readonly moves: readonly Move[] }[]
}

/** A message to the parent about a walk's move; `answer` is absent before the move. */
export interface Heard {
  readonly walk: number
  readonly at: number
  readonly plan: Plan
  readonly key: string
  readonly answer?: Answer
}

/** A walk through a workspace whose rows are committed. */
export const meansOf = (
  kit: Awaited<ReturnType<typeof startOperations>>,
  workspace: Awaited<ReturnType<typeof kit.workspace>>,
) => {
  const asOwner = {
    query: async <Row extends object>(statement: string, values: readonly unknown[] = []): Promise<Row[]> =>
      (await kit.database.pool.query(statement, [...values])).rows,
  }
  const facts = () => storedFacts(asOwner, workspace.id)
  return { workspace, database: kit.database.database, facts, asOwner }
}

const hear = (heard: Heard): Promise<void> =>
  new Promise(resolve => {
    process.send?.(heard, () => resolve())
  })

const takeWalks = async ({ url, walks }: WalksToTake): Promise<void> => {
  const kit = await startOperations(undefined, { stored: testDatabaseOn({ connection: url, stop: async () => {} }) })
  const take = async ({ caller, start, moves }: WalksToTake['walks'][number], number: number): Promise<void> => {
    const means = meansOf(kit, await kit.workspace({ caller }))
    const walk = await beginWalk(start, means)
    for (const [at, move] of moves.entries()) {
      kit.now = new Date(kit.now.getTime() + 1000)
      const plan = planned(walk, move)
      if (plan === null) continue
      const heard = { walk: number, at, plan, key: `${number} ${at}` }
      await hear(heard)
      const answer = await carryOut(means, plan, heard.key)
      await hear({ ...heard, answer })
      if (answer !== null) follow(walk, move, plan, answer, await means.facts())
    }
  }
  await Promise.all(walks.map(take))
}

if (process.send !== undefined && process.argv[1]?.endsWith('killed-walker.testing.ts')) {
  process.once('message', (given: WalksToTake) => {
    takeWalks(given).catch(error => {
      assert.ok(error)
      console.error(error)
      process.exit(1)
    })
  })
  process.send({ isReady: true })
}
