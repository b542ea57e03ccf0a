/**
 * A person who is erased from real engines, looked for past the programs afterwards, and the installation's key
 * exchanged there: `npm run test:erase`. What an erasure does row by row is tested with every run
 * (processors/jobs/erase).
 */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { parseClickHouseUrl } from '../../infra/clickhouse/config.ts'
import { openAnalyticsTables } from '../../infra/clickhouse/migrate.ts'
import { countRecords } from '../../infra/log/kafka/testing.ts'
import { openOwned } from '../../infra/postgres/pool.ts'
import { silentLogger as logger } from '../../infra/postgres/testing-embedded.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import type { Stack } from '../../infra/stack/index.ts'
import { describeWithStack } from '../../infra/stack/testing.ts'
import { assay } from '../support/assay.ts'
import { type LedgerReader, openLedger } from '../support/ledger.ts'
import {
  type CreatedSource,
  createSignalSource,
  type Person,
  personAt,
  signInAgain,
  signUp,
} from '../support/person.ts'
import { type ProgramsInstallation, startPrograms } from '../support/programs.ts'
import { sendSignal } from '../support/sender.ts'
import { distinctText } from '../support/texts.ts'

const NAME = 'Anna Lindqvist'
const ADDRESS = 'anna.lindqvist@example.com'
const PERSON = { person: { address: ADDRESS, name: NAME } }
const THROUGH = 10
const WAITING = 5
const NAMES = ['ingest', 'processors', 'query-api'] as const

interface Erasure {
  readonly finished_at: string | null
  readonly erased_signals: number
  readonly job: { readonly message: string | null } | null
  readonly proof: readonly { readonly store: string; readonly found: number }[]
}

interface Pipeline {
  readonly steps: readonly {
    readonly step: string
    readonly lanes: readonly { readonly waiting: { readonly state: string } | null }[]
  }[]
}

const describeErasing = (stack: Stack): void => {
  const { DATABASE_URL = '', CLICKHOUSE_URL = '', KAFKA_BROKERS = '' } = stack.urls

  describe('A person who is erased from real engines', () => {
    let environment: Record<string, string>
    let installation: ProgramsInstallation
    let ledger: LedgerReader
    let person: Person
    let source: CreatedSource
    let number = 0

    before(async () => {
      environment = {
        INSTALLATION_KEY: randomBytes(32).toString('base64'),
        PERSONAL_RETENTION: '1m',
        LOG_RETENTION: '1m',
      }
      installation = await startPrograms(stack, environment, NAMES)
      ledger = openLedger(stack.urls)
      person = await signUp(installation.baseUrl)
      source = await createSignalSource(person)
    })
    after(async () => {
      await ledger?.close()
      await installation?.remove()
      await stack.stop()
    })

    /** All programs, with other keys; they are at another address then, and nobody else is. */
    const restart = async (keys: Record<string, string>) => {
      await installation.remove()
      installation = await startPrograms(stack, { ...environment, ...keys }, NAMES)
      source = { ...source, url: source.url.replace(person.baseUrl, installation.baseUrl) }
      person = personAt(person, installation.baseUrl)
    }

    const send = async (signal: object): Promise<number> => {
      number += 1
      return (await sendSignal(source, { text: distinctText(number), ...signal })).status
    }
    const sendOfHers = async (count: number) => {
      for (let sent = 0; sent < count; sent += 1)
        assert.equal(await send({ actor_name: NAME, actor_email: ADDRESS }), 200)
    }
    const stored = async () => {
      const { signals = 0, occurrences = 0 } = await ledger.rows()
      return signals + occurrences
    }
    const erase = async (): Promise<Erasure> => {
      const { actors } = await person.call<{ actors: { actor: string }[] }>('preview_erasure', PERSON)
      const { items } = await person.call<{ items: { name: string; current: boolean }[] }>('list_workspaces')
      await person.call('erase_person', {
        ...PERSON,
        actors: actors.map(({ actor }) => actor),
        masks_words: true,
        confirm: items.find(({ current }) => current)?.name,
      })
      return newest()
    }
    const newest = async (): Promise<Erasure> => {
      const { items } = await person.call<{ items: Erasure[] }>('list_erasures')
      return items[0] ?? assert.fail('nothing was erased')
    }
    const proven = async (signals: number) => {
      const { erased_signals, proof } = await eventually(
        'the erasure is done',
        async () => {
          const erasure = await newest()
          return erasure.finished_at === null ? null : erasure
        },
        120_000,
      )
      assert.deepEqual([erased_signals, proof.filter(({ found }) => found > 0)], [signals, []])
      assert.deepEqual(new Set(proof.map(({ store }) => store)), new Set(['postgres', 'clickhouse', 'log']))
    }

    it('has signals that are stored, and some that wait on the log', async () => {
      await sendOfHers(THROUGH)
      for (let sent = 0; sent < THROUGH; sent += 1) assert.equal(await send({ actor_name: 'Bo' }), 200)
      assert.equal(await send({ text: `As ${NAME} has told us, the table is too wide.`, actor_name: 'Bo' }), 200)
      await eventually('they are stored', async () => (await stored()) === 2 * THROUGH + 1)
      await person.call('pause_step', { step: 'anchor', reason: 'Some are to wait' })
      await eventually('the step is paused', async () => {
        const { steps } = await person.call<Pipeline>('watch_pipeline')
        return steps.find(({ step }) => step === 'anchor')?.lanes.every(({ waiting }) => waiting?.state === 'paused')
      })
      await sendOfHers(WAITING)
    })

    it('goes with what waits, which is worked off first, and the ledger balances', async () => {
      assert.equal((await erase()).finished_at, null)
      await eventually('it waits for the log', async () => /on the log/.test((await newest()).job?.message ?? ''))
      await person.call('resume_step', { step: 'anchor' })
      // What waited is dropped on its way: the ledger alone counts it.
      await proven(THROUGH)
      const read = await eventually('the ledger is settled', async () => {
        const { verdict, ...rest } = await ledger.read()
        return verdict === 'in_progress' ? null : { verdict, ...rest }
      })
      assert.deepEqual([read.verdict, read.total.erased], ['balanced', THROUGH + WAITING])
    })

    it('is in no row of PostgreSQL, not by name nor by address', async () => {
      const owner = await openOwned({ connection: DATABASE_URL, logger })
      const tables = await owner.query<{ name: string }>(
        `select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`,
      )
      const found: string[] = []
      for (const { name } of tables) {
        const rows = await owner.query(`select 1 from ${name} as row where row::text ~* 'lindqvist' limit 1`)
        if (rows.length > 0) found.push(name)
      }
      await owner.close()
      assert.deepEqual([tables.length > 80, found], [true, []])
    })

    it('is in no row of ClickHouse, whose mutations are all done, nor in what it has on disk for them', async () => {
      const tables = openAnalyticsTables(parseClickHouseUrl(CLICKHOUSE_URL), logger)
      const left = await tables.rows<{ mutations: string }>(
        'SELECT toString(countIf(NOT is_done)) AS mutations FROM system.mutations WHERE database = currentDatabase()',
      )
      assert.deepEqual(left, [{ mutations: '0' }])
      const events = await tables.rows<{ signals: string }>(
        `SELECT toString(uniqExact(subject_id)) AS signals FROM activity WHERE kind = 'signal.received'`,
      )
      assert.deepEqual(events, [{ signals: String(THROUGH + 1 + WAITING) }])
      const named = await tables.rows<{ rows: string }>(
        `SELECT toString(count()) AS rows FROM activity WHERE positionCaseInsensitive(toString(tuple(*)), 'lindqvist') > 0`,
      )
      assert.deepEqual(named, [{ rows: '0' }])
      await tables.close()
    })

    it('is on no topic of Kafka once the retention is over', async () => {
      await eventually(
        'every record that was worked off is removed',
        async () => {
          const { kept, written } = await countRecords(KAFKA_BROKERS.split(','), 'signals.')
          return kept === 0 && written > 0
        },
        300_000,
      )
    })

    it('stays who they are under another key, which takes the place of the first while nothing is lost', async () => {
      const before = environment.INSTALLATION_KEY ?? ''
      const made = await assay(['key', 'new'], { INSTALLATION_KEY: before, DATABASE_URL })
      const key = /^INSTALLATION_KEY=(\S+)$/m.exec(made.stdout)?.[1] ?? assert.fail(made.stderr)
      const both = { INSTALLATION_KEY: key, PREVIOUS_INSTALLATION_KEY: before }
      const early = await assay(['key', 'rotate'], { ...both, DATABASE_URL })
      assert.match(early.stderr, /No program has started with the new key/)

      await sendOfHers(1)
      await restart(both)
      await assert.rejects(person.call('list_keys'), /401/)
      person = await signInAgain(person)
      await sendOfHers(1)
      const rotated = await assay(['key', 'rotate'], { ...both, DATABASE_URL })
      assert.deepEqual([rotated.code, rotated.stderr], [0, ''])
      assert.match(rotated.stdout, /Everything is sealed with the new key/)

      const old = await assay(['ingest'], { ...stack.urls, ...environment, INSTALLATION_KEY: before, PORT: '0' })
      assert.equal(old.code, 1)
      assert.match(old.stderr, /key/i)
      await restart({ INSTALLATION_KEY: key })
      await sendOfHers(1)
      await eventually('they are stored', async () => (await stored()) === THROUGH + 1 + 3)
      assert.equal((await person.call<{ actors: unknown[] }>('preview_erasure', PERSON)).actors.length, 1)
      await erase()
      await proven(3)
    })
  })
}

await describeWithStack(['kafka', 'registry', 'postgres', 'clickhouse'], describeErasing)
