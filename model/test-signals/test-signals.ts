import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalRecord } from '../../schemas/events/signal.ts'

/** A test that has passed every step before insert. */
type FinishedTest = Pick<SignalRecord, 'signal_id' | 'workspace_id' | 'source_id' | 'channel' | 'received_at'> & {
  readonly content: NonNullable<SignalRecord['content']>
}

/** Tests that a workspace keeps: people look at the newest. */
const KEPT = 5
const MAX_CHARACTERS = 280

const STORE = `
  insert into test_signals (workspace_id, id, source_id, channel, text, received_at)
  select workspace_id, id, source_id, channel, text, received_at
  from json_to_recordset($1::json) as added (
    workspace_id uuid, id uuid, source_id uuid, channel text, text text, received_at timestamptz)
  on conflict do nothing`
const FORGET_OLDER = `
  delete from test_signals as older where workspace_id = any ($1::uuid[]) and (
    select count(*) from test_signals as newer
    where newer.workspace_id = older.workspace_id and (newer.stored_at, newer.id) > (older.stored_at, older.id)
  ) >= $2`

/** Stores tests of sources, and deletes all but the newest. A test that is stored twice is kept once. */
export const storeTests = async (transaction: Transaction, tests: readonly FinishedTest[]): Promise<void> => {
  if (tests.length === 0) return
  const rows = tests.map(({ signal_id, workspace_id, source_id, channel, content, received_at }) => ({
    workspace_id,
    id: signal_id,
    source_id,
    channel,
    text: content.text.slice(0, MAX_CHARACTERS).toWellFormed(),
    received_at: new Date(received_at),
  }))
  await transaction.query(STORE, [JSON.stringify(rows)])
  await transaction.query(FORGET_OLDER, [[...new Set(rows.map(row => row.workspace_id))], KEPT])
}

interface TestSignalRow {
  readonly id: string
  readonly source_id: string | null
  readonly text: string
  readonly received_at: Date
}

const LIST = `select id, source_id, text, received_at from test_signals order by stored_at desc, id desc`
const REMOVE = `delete from test_signals returning id`
const IS_TEST = `select from test_signals where id = $1`

/** Arrived tests of sources, newest first. */
export const readTests = (transaction: Transaction): Promise<TestSignalRow[]> => transaction.query<TestSignalRow>(LIST)

/** Removes all of them, and answers their number. */
export const removeTests = async (transaction: Transaction): Promise<number> => (await transaction.query(REMOVE)).length

/** True when an id that a sender got is that of an arrived test. */
export const isStoredTest = async (transaction: Transaction, id: string): Promise<boolean> =>
  (await transaction.query(IS_TEST, [id])).length > 0
