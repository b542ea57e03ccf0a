import assert from 'node:assert/strict'
import type { createPool } from '../../../infra/postgres/pool.ts'
import { eventually } from '../../../infra/runtime/testing.ts'
import { wrongCounts } from '../../counts/kept-counts.ts'
import type { Person } from '../../support/person.ts'
import { type Accepted, statusOf, TIMEOUT_MS } from './waiting-signals.ts'

/** What became of the signals that waited in a round. */
export interface Account {
  readonly accepted: number
  readonly present: number
  readonly doubled: number
  readonly lost: number
}

type Both = Readonly<Record<'postgres' | 'clickhouse', number>>

interface Ledger {
  readonly verdict: string
  readonly reasons: readonly string[]
  readonly received: number
  readonly inserted: Both
  readonly occurrences: Both
  readonly dead: Both
}

/** Every id as often as it is stored, and as what. A letter that was sent again is none. */
const STORED = `
  select id::text, 'inserted' as status from signals where workspace_id = $1
  union all select id::text, 'duplicate' from occurrences where workspace_id = $1
  union all
  select distinct signal_id::text, 'dead' from dead_letters where workspace_id = $1 and state <> 'replayed'`

/** Dead letters that are soon driven again by themselves, or that were sent again and have not ended. */
const ON_ITS_WAY_AGAIN = `
  select signal_id, step, state, next_redrive_at from dead_letters where workspace_id = $1 and (
    (state = 'waiting' and next_redrive_at < now() + interval '2 minutes')
    or (state = 'replayed' and not exists (select from signals where id = dead_letters.signal_id)
      and not exists (select from occurrences where id = dead_letters.signal_id)))`

interface Stored {
  readonly id: string
  readonly status: string
}

/** Of each text that was accepted one signal is stored, and its repeats; or all are dead letters. */
const assertOneOfEachText = (accepted: readonly Accepted[], statuses: ReadonlyMap<string, string>): void => {
  for (const [text, those] of Map.groupBy(accepted, one => one.text)) {
    const found = those.map(({ id }) => statuses.get(id)).filter(status => status !== 'dead')
    const originals = found.filter(status => status === 'inserted').length
    assert.equal(originals, Math.min(1, found.length), `${text}: ${found.join(', ')}`)
  }
}

interface Means {
  readonly person: Person
  readonly workspaceId: string
  /** The database of the running installation, past its programs. */
  readonly withDatabase: <T>(work: (pool: ReturnType<typeof createPool>) => Promise<T>) => Promise<T>
}

/**
 * Waits until everything has ended, and compares what was accepted in this round, and in all, with what each answer and
 * each store says.
 */
export const account = async (
  { person, workspaceId, withDatabase }: Means,
  round: readonly Accepted[],
  all: readonly Accepted[],
): Promise<Account> => {
  await eventually(
    'each dead letter has ended again',
    async () => {
      const { rows } = await withDatabase(pool => pool.query(ON_ITS_WAY_AGAIN, [workspaceId]))
      if (rows.length > 0) throw new Error(JSON.stringify(rows))
      return true
    },
    TIMEOUT_MS,
  )
  const ledger = await eventually(
    `each of ${all.length} signals has ended`,
    async () => {
      const read = await person.call<Ledger>('read_ledger')
      if (read.verdict === 'unbalanced') return read
      if (read.verdict === 'balanced' && read.received >= all.length) return read
      throw new Error(`${read.received} were received: ${read.reasons.join('; ')}`)
    },
    TIMEOUT_MS,
  )
  const rows = await withDatabase(async pool => (await pool.query<Stored>(STORED, [workspaceId])).rows)
  const statuses = new Map(rows.map(({ id, status }) => [id, status]))
  const ids = new Set(round.map(({ id }) => id))
  const ofRound = rows.filter(({ id }) => ids.has(id))
  const present = new Set(ofRound.map(({ id }) => id)).size
  const figures = {
    accepted: round.length,
    present,
    doubled: ofRound.length - present,
    lost: round.length - present,
  }
  assert.deepEqual(figures, { accepted: round.length, present: round.length, doubled: 0, lost: 0 })
  assert.deepEqual(rows.map(({ id }) => id).toSorted(), all.map(({ id }) => id).toSorted())
  assertOneOfEachText(round, statuses)
  for (const { id } of round) assert.equal(await statusOf(person, id), statuses.get(id), id)
  const count = (status: string): Both => {
    const found = rows.filter(row => row.status === status).length
    return { postgres: found, clickhouse: found }
  }
  assert.deepEqual([ledger.verdict, ledger.reasons, ledger.received], ['balanced', [], all.length])
  assert.deepEqual(
    [ledger.inserted, ledger.occurrences, ledger.dead],
    [count('inserted'), count('duplicate'), count('dead')],
  )
  const { counts } = await person.call<{ counts: { signals: number } }>('orient_snapshot')
  assert.equal(counts.signals, count('inserted').postgres)
  assert.deepEqual(await withDatabase(pool => wrongCounts({ pool })), [])
  return figures
}
