import assert from 'node:assert/strict'
import type { TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import type { TestDatabase } from '../../../infra/postgres/testing.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { recordOccurrences } from '../../../model/duplicates/occurrences.ts'
import type { ProofLine } from '../../../model/erasures/erasures.ts'
import { TABLES_WITH_WORDS } from '../../../model/erasures/tables.ts'
import { balanceOf } from '../../../model/ledger/installation-ledger.ts'
import { readLedgers } from '../../../model/ledger/ledger.ts'
import { type EventId, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { activity } from '../../../schemas/events/activity.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { signalCodec } from '../../framework/testing.ts'
import { storeEvents } from '../../sinks/activity/store-events.ts'
import { embedder, finished } from '../../steps/testing.ts'
import { addSignals } from '../testing.ts'
import { createEraseJob } from './erase.ts'
import type { EraseDependencies } from './phase.ts'

export const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
export const actorKey = (address: string) => `key of ${address}`

/** Helpers of the erasure tests. The stores may start later than the kit. */
export const eraseKit = (db: () => TestDatabase, clickHouse: () => TestAnalytics) => {
  const query = async (statement: string, values: readonly unknown[]) =>
    (await db().pool.query(statement, [...values])).rows

  const job = (known: Partial<EraseDependencies> = {}) =>
    createEraseJob({
      database: db().database,
      analytics: clickHouse().analytics,
      log: { lag: async () => [] },
      pipeline: { segments: [] },
      embedder,
      sealer,
      signalCodec,
      actorKey,
      ...known,
    })

  const erasureOf = async (id: string) => {
    const [row] = await query('select * from erasures where id = $1', [id])
    assert.ok(row)
    return row as {
      sealed: unknown
      finished_at: Date
      erased_signals: number
      counts: Record<string, number>
      proof: ProofLine[]
    }
  }

  let blocks = 0
  /** Writes a signal's activity to ClickHouse. */
  const tell = async (
    workspace_id: WorkspaceId,
    ids: readonly SignalId[],
    step: 'insert' | 'dedup',
    outcome: 'next' | 'skip',
  ) => {
    const at = Date.UTC(2026, 5, 1, 12)
    const events = ids.flatMap(subject_id => [
      activity({
        event_id: newId<EventId>(),
        workspace_id,
        kind: 'signal.received',
        occurred_at: at,
        happened_at: at - 7_200_000,
        subject_id,
      }),
      activity({
        event_id: newId<EventId>(),
        workspace_id,
        kind: 'signal.step',
        occurred_at: at,
        happened_at: at - 7_200_000,
        subject_id,
        step,
        outcome,
        duration_ms: 3,
        elapsed_ms: 40,
      }),
    ])
    blocks += 1
    await storeEvents(clickHouse().analytics, events, `erase test ${blocks}`)
  }

  const said = (workspaceId: WorkspaceId, text: string, content: Partial<Content>) =>
    addSignals(db(), workspaceId, [text, { content }]).then(([id]) => {
      assert.ok(id)
      return id
    })

  const repeat = async (
    workspaceId: WorkspaceId,
    of: SignalId,
    text: string,
    content: Partial<Content>,
  ): Promise<SignalId> => {
    const signal = await finished(workspaceId, text, { content })
    await db().database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
      recordOccurrences(transaction, [{ signal, of, reason: 'near_duplicate', similarity: 0.95 }]),
    )
    return signal.signal_id
  }

  const ledgerOf = async (workspaceId: WorkspaceId) => {
    const ledgers = await readLedgers(
      {
        read: (workspaceIds, work) => db().database.transaction({ role: 'assay_pipeline', workspaceIds }, work),
        analytics: clickHouse().analytics,
      },
      [workspaceId],
    )
    const [ledger] = ledgers
    assert.ok(ledger)
    return { ledger, ...balanceOf(ledgers, true) }
  }

  /** Moves activity from the outbox to ClickHouse, as the relay does. */
  const relay = async (workspaceId: WorkspaceId): Promise<void> => {
    const rows = await query('delete from outbox where workspace_id = $1 returning activity', [workspaceId])
    blocks += 1
    await storeEvents(
      clickHouse().analytics,
      rows.map(row => row.activity),
      `erase test ${blocks}`,
    )
  }

  return { query, job, erasureOf, tell, said, repeat, ledgerOf, relay }
}

/** Values of required columns without text, by type. */
const FILLED: Readonly<Record<string, string>> = {
  uuid: 'gen_random_uuid()',
  text: `'x'`,
  integer: '1001',
  bigint: '1001',
  smallint: '1',
  real: '0.5',
  'double precision': '0.5',
  boolean: 'false',
  bytea: `'\\x00'`,
  jsonb: `'{}'`,
  'timestamp with time zone': 'now()',
}

/** Values of columns that depend on another column. */
const TOGETHER: Readonly<Record<string, string>> = {
  'claim_evidence.attached_by': `'judge'`,
  'merges.merged_by': `'judge'`,
  'knowledge_notes.claim_id': 'gen_random_uuid()',
  'comments.claim_id': 'gen_random_uuid()',
  'product_reviews.period_to': `now() + interval '1 day'`,
}

interface Column {
  readonly name: string
  readonly type: string
  readonly mayBeMissing: boolean
  /** An allowed word of a column with a check; null without a check. */
  readonly word: string | null
}

const COLUMNS = `
  select attname as name, format_type(atttypid, null) as type, not attnotnull or atthasdef or attidentity <> '' as "mayBeMissing",
    (select (regexp_match(pg_get_constraintdef(pg_constraint.oid), '''([^'']*)''::text'))[1] from pg_constraint
     where conrelid = attrelid and contype = 'c' and conkey = array[attnum] limit 1) as word
  from pg_attribute where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''`

/**
 * Inserts a row into each table that is searched for words, with the text in every searched column. The rows refer to
 * nothing.
 */
export const quoteEverywhere = async (db: TestDatabase, workspaceId: WorkspaceId, text: string): Promise<void> => {
  const client = await db.pool.connect()
  try {
    await client.query('begin; set local session_replication_role = replica')
    for (const [table, { texts, json = [], lists = [] }] of TABLES_WITH_WORDS) {
      const { rows } = await client.query<Column>(COLUMNS, [table])
      const filledWith = ({ name, type, mayBeMissing, word }: Column): string | null => {
        if (name === 'workspace_id') return '$1::uuid'
        if (Object.hasOwn(texts, name)) return '$2::text'
        if (json.includes(name)) return `jsonb_build_object('said', $2::text)`
        if (lists.includes(name)) return 'array[$2::text]'
        const needed = TOGETHER[`${table}.${name}`]
        if (needed !== undefined || mayBeMissing) return needed ?? null
        return word === null ? (FILLED[type] ?? assert.fail(`${table}.${name} is of the type ${type}`)) : `'${word}'`
      }
      const values = rows.flatMap(column => {
        const value = filledWith(column)
        return value === null ? [] : [[column.name, value] as const]
      })
      const columns = values.map(([name]) => name).join(', ')
      await client.query(
        `insert into ${table} (${columns}) select ${values.map(([, value]) => value).join(', ')} from (select $2::text) as given`,
        [workspaceId, text],
      )
    }
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}
