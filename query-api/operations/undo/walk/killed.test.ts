import assert from 'node:assert/strict'
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { after, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { createDatabaseForTests, testDatabaseOn } from '../../../../infra/postgres/testing.ts'
import { eventually } from '../../../../infra/runtime/testing.ts'
import { describeWithStack } from '../../../../infra/stack/testing.ts'
import { startOperations } from '../../testing.ts'
import { type Heard, meansOf, type WalksToTake } from './killed-walker.testing.ts'
import { moves as movesOf } from './random-moves.testing.ts'
import { assertKeptCounts } from './stored.testing.ts'
import { adopt, beginWalk, carryOut, factsAreThoseOf, follow, makeStart, missedErasure, step } from './walk.testing.ts'

/** `WALKS=long` has a thousand walks killed, each once. */
const PROGRAMS = process.env.WALKS === 'long' ? 50 : 1
const WALKS_A_PROGRAM = 20
const MOVES = 24
/** How a walk that was killed is gone on with. */
const MOVES_AFTERWARDS = 3
/** A walker is killed when its parent has heard of so many moves at the most, and a moment later. */
const MAX_HEARD = 600
const MAX_MOMENTS_MS = 15

/** What somebody else still does in the database. */
const UNDER_WAY = `
  select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid() and state <> 'idle'`

await describeWithStack(['postgres'], stack => {
  const url = stack.urls.DATABASE_URL ?? ''
  after(() => stack.stop())

  test('a walk that is killed goes on where it was: each of its moves was made whole or not at all', async () => {
    const server = await createDatabaseForTests(url)
    const database = testDatabaseOn(server)
    const kit = await startOperations(undefined, { stored: database })
    const counts = { walks: 0, heardOf: 0, inFlight: 0, madeUnheard: 0, after: 0 }

    const prepare = async () => {
      const workspace = await kit.workspace()
      const start = await makeStart(workspace, (statement, values) => database.pool.query(statement, [...values]))
      const [moves = []] = fc.sample(movesOf(MOVES, MOVES), 1)
      const means = meansOf(kit, workspace)
      return { workspace, start, moves, means, walk: await beginWalk(start, means) }
    }

    for (let program = 0; program < PROGRAMS; program += 1) {
      const prepared = []
      for (let made = 0; made < WALKS_A_PROGRAM; made += 1) prepared.push(await prepare())
      const walks = prepared.map(({ workspace: { caller }, start, moves }) => ({ caller, start, moves }))
      const heard = await killInTheMiddle({ url: String(server.connection), walks })
      await eventually('the server has heard of it', async () => (await database.pool.query(UNDER_WAY)).rowCount === 0)
      for (const [number, { walk, moves, means, workspace }] of prepared.entries()) {
        let next = 0
        let inFlight: Heard | undefined
        for (const one of heard.filter(({ walk: of }) => of === number)) {
          if (one.answer === undefined) {
            inFlight = one
            continue
          }
          inFlight = undefined
          next = one.at + 1
          counts.heardOf += 1
          const made = moves[one.at]
          assert.ok(made)
          if (one.answer !== null) follow(walk, made, one.plan, one.answer, new Map())
        }
        if (inFlight !== undefined) {
          counts.inFlight += 1
          next = inFlight.at + 1
          const found = await means.facts()
          const before = factsAreThoseOf(walk.model, found)
          kit.now = new Date(kit.now.getTime() + 60_000)
          // Asked for again under its key, as a client does: what was done is answered and not done twice.
          const answer = before
            ? await carryOut(means, inFlight.plan, inFlight.key)
            : (missedErasure(walk, inFlight.plan, found) ?? (await carryOut(means, inFlight.plan, inFlight.key)))
          const now = await means.facts()
          const made = moves[inFlight.at]
          assert.ok(made)
          if (answer !== null) follow(walk, made, inFlight.plan, answer, now)
          if (!before) {
            counts.madeUnheard += 1
            assert.deepEqual(now, found, 'What was made is not made twice.')
            assert.ok(answer, 'What was made is answered.')
          }
        }
        const found = await means.facts()
        assert.ok(factsAreThoseOf(walk.model, found), 'It is as the model says.')
        adopt(walk, found)
        walk.model.takeDifferences()
        for (const one of moves.slice(next, next + MOVES_AFTERWARDS)) {
          kit.now = new Date(kit.now.getTime() + 1000)
          await step(walk, means, one)
          counts.after += 1
        }
        await assertKeptCounts(means.asOwner, workspace.id)
        counts.walks += 1
      }
    }
    console.log(counts)
    await database.stop()
  })
})

/** Has a program take walks, and kills it at some moment after the first move was begun; answers what it said. */
const killInTheMiddle = async (given: WalksToTake): Promise<readonly Heard[]> => {
  const program = fileURLToPath(new URL('killed-walker.testing.ts', import.meta.url))
  const child = fork(program, { execArgv: process.execArgv, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] })
  const heard: Heard[] = []
  await once(child, 'message')
  const last = 1 + Math.floor(Math.random() * MAX_HEARD)
  const hasHeardEnough = new Promise<void>(resolve => {
    child.on('message', message => {
      // The walker sends nothing else.
      heard.push(message as Heard)
      if (heard.length === last) resolve()
    })
  })
  child.send(given)
  await hasHeardEnough
  await sleep(Math.random() * MAX_MOMENTS_MS)
  await killed(child)
  return heard
}

const killed = async (child: ChildProcess): Promise<void> => {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
