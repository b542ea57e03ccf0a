import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { runningPostgres } from '../../../infra/postgres/embedded/socket-directory.ts'
import { createPool, type PostgresConnection } from '../../../infra/postgres/pool.ts'
import { silentLogger } from '../../../infra/postgres/testing-embedded.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { InstallationLedger } from '../../../model/ledger/installation-ledger.ts'
import { assay } from '../../support/assay.ts'
import { type Person, signInAgain, signUp } from '../../support/person.ts'
import { prepareDataDirectory } from '../../support/prepared-database.ts'
import { createProgram, freePort, type RunningProgram } from '../../support/program.ts'
import { IS_LONG } from '../sizes.ts'
import { account } from './account.ts'
import { type FaultyModels, startFaultyModels } from './faulty-models.ts'
import { type Round, roundsOn, shown } from './rounds.ts'
import { DELAYS, type Settings, type World } from './values.ts'
import {
  type Accepted,
  createSender,
  leaveWaiting,
  resume,
  type Sender,
  statusOf,
  TIMEOUT_MS,
} from './waiting-signals.ts'

/**
 * Every setting of the pipeline changes while signals wait on the log, one after the other in one installation: each
 * start has another setting than the one before, which is as it was again. What senders were answered 200 for is kept
 * by the test alone, and must be there once after each start.
 */

/** Longer than the log leaves what is old unlooked at. */
const SWEPT_MS = 70_000

/** `urls` name the engines; none: the stores are embedded. */
export const describeRounds = (name: string, urls: Settings): void => {
  describe(`Signals that wait while settings change, on ${name}`, () => {
    const isEmbedded = Object.keys(urls).length === 0
    const accepted: Accepted[] = []
    const directories: string[] = []
    let world: World
    let models: FaultyModels
    let program: RunningProgram | null = null
    let settings: Settings
    let person: Person
    let workspaceId: string
    let sender: Sender
    let played = 0
    /** Where a machine is slow they may be on their way again before the settings change. */
    let drivenAgain = 0

    const newDirectory = async (): Promise<string> => {
      const directory = await mkdtemp(join(tmpdir(), 'assay-settings-'))
      directories.push(directory)
      return directory
    }
    const start = async (to: Settings): Promise<void> => {
      program = await createProgram(['all'], { ...world.base, ...to })
      program.start()
      await program.ready()
      settings = to
      // A session holds by the key that signed it.
      if (to.INSTALLATION_KEY !== undefined) person = (await signInAgain(person)).inWorkspace(workspaceId)
    }
    const stop = async (): Promise<void> => {
      assert.equal(await program?.stop(), 0)
      program = null
    }
    const withDatabase = async <T>(work: (pool: ReturnType<typeof createPool>) => Promise<T>): Promise<T> => {
      const running = await runningPostgres(join(world.base.DATA_DIR ?? '', 'postgres'))
      const connection: PostgresConnection | null = urls.DATABASE_URL ?? running
      assert.ok(connection !== null)
      const pool = createPool({ connection, max: 1, logger: silentLogger })
      try {
        return await work(pool)
      } finally {
        await pool.end()
      }
    }

    before(async () => {
      models = await startFaultyModels()
      const dataDirectory = await newDirectory()
      if (isEmbedded) await prepareDataDirectory(dataDirectory)
      const port = String(await freePort())
      const installationKey = randomBytes(32)
      world = {
        isEmbedded,
        installationKey,
        folder: await newDirectory(),
        base: {
          ...urls,
          DATA_DIR: dataDirectory,
          PORT: port,
          BASE_URL: `http://127.0.0.1:${port}`,
          SIGN_UP: 'open',
          INSTALLATION_KEY: installationKey.toString('base64'),
          EMBEDDINGS_URL: models.url,
          JUDGE_URL: models.url,
          CLASSIFIER_URL: models.url,
          ...DELAYS,
        },
      }
      person = await start({}).then(() => signUp(world.base.BASE_URL ?? ''))
      workspaceId = (await person.call<{ id: string }>('create_workspace', { name: 'Settings change' })).id
      person = person.inWorkspace(workspaceId)
      sender = await createSender(person)
    })
    after(async () => {
      await program?.stop()
      models?.stop()
      for (const directory of directories) await rm(directory, { recursive: true, force: true })
    })

    const play = async (round: Round): Promise<void> => {
      const ofRound = await leaveWaiting(person, sender, models)
      accepted.push(...ofRound)
      const statuses = await Promise.all(ofRound.map(({ id }) => statusOf(person, id)))
      const waiting = statuses.filter(status => status === 'in_pipeline').length
      const dead = statuses.filter(status => status === 'dead').length
      await stop()
      models.recover()
      if (round.refusal === undefined) await start(round.to)
      else {
        const said = await start(round.to).then(String, String)
        assert.match(said, /ended with code 1:/)
        assert.match(said, round.refusal)
        await start(settings)
      }
      if (round.outlastsSweep) await sleep(SWEPT_MS)
      await resume(person)
      const { present, doubled, lost } = await account({ person, workspaceId, withDatabase }, ofRound, accepted)
      const ended = `${ofRound.length} accepted, ${present} present, ${doubled} doubled, ${lost} lost`
      console.log(
        `${shown(round.from)} → ${shown(round.to)}: ${waiting} waited, ${dead} dead until driven again, ${ended}`,
      )
      assert.notEqual(waiting, 0)
      drivenAgain += dead
      played += 1
    }

    it('are each there once after every change, and the counts say so', async t => {
      const rounds = roundsOn(world).filter(({ isShort }) => IS_LONG || isShort)
      for (const [place, round] of rounds.entries()) {
        await t.test(`${round.what}: ${shown(round.from)} → ${shown(round.to)}`, () => play(round))
        // What a round left behind would fail the next ones too.
        if (played === place) return
      }
      assert.notEqual(drivenAgain, 0)
    })

    it('balance in the ledger, with nothing left on the log', async () => {
      const last = settings
      const read = async (): Promise<InstallationLedger> => {
        await stop()
        const { stdout } = await assay(['ledger', '--json'], { ...world.base, ...last })
        // The command prints what the type says.
        return JSON.parse(stdout) as InstallationLedger
      }
      const readSettled = async (): Promise<InstallationLedger | null> => {
        const ledger = await read()
        if (ledger.verdict !== 'in_progress') return ledger
        await start(last)
        return null
      }
      const { verdict, waiting_on_the_log, total } = await eventually('nothing waits', readSettled, TIMEOUT_MS)
      assert.deepEqual([verdict, waiting_on_the_log, total.received], ['balanced', 0, accepted.length])
    })
  })
}
