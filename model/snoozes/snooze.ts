import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** How long a Signal stays out of Triage: until a time (ISO 8601, UTC), or until so many Signals and repeats are at its claim. */
export type Snooze =
  | { readonly until: string; readonly until_signals: null }
  | { readonly until: null; readonly until_signals: number }

interface SnoozedRow {
  readonly signal_id: SignalId
  readonly until: Date | null
  readonly until_signals: number | null
}

const SNOOZES = `select signal_id, until, until_signals from snoozes where signal_id = any ($1::uuid[])`

/** What was said of these Signals the last time, come true since or not. */
export const snoozesOf = async (
  transaction: Transaction,
  ids: readonly SignalId[],
): Promise<ReadonlyMap<SignalId, Snooze>> =>
  new Map((await transaction.query<SnoozedRow>(SNOOZES, [ids])).map(row => [row.signal_id, snoozeOf(row)] as const))

// A check of the table: either is null.
const snoozeOf = ({ until, until_signals }: Omit<SnoozedRow, 'signal_id'>): Snooze =>
  ({ until: until?.toISOString() ?? null, until_signals }) as Snooze

const ABOUT = `select id, snooze_signal_count(id) as signals from unnest($1::uuid[]) as id`

/** How much is said of what each Signal says: the Signals and repeats at its claim, or itself and its repeats. */
export const signalsAbout = async (
  transaction: Transaction,
  ids: readonly SignalId[],
): Promise<ReadonlyMap<SignalId, number>> =>
  new Map((await transaction.query<{ id: SignalId; signals: number }>(ABOUT, [ids])).map(row => [row.id, row.signals]))

const SET = `
  insert into snoozes (workspace_id, signal_id, until, until_signals, snoozed_by, snoozed_at)
  select $1, given.id, given.until::timestamptz, given.until_signals, $3, $4
  from jsonb_to_recordset($2::jsonb) as given (id uuid, until text, until_signals integer)
  on conflict (signal_id) do update set until = excluded.until, until_signals = excluded.until_signals,
    snoozed_by = excluded.snoozed_by, snoozed_at = excluded.snoozed_at`

const WAKE = `delete from snoozes where signal_id = any ($1::uuid[])`

interface Sleeper {
  readonly id: SignalId
  /** Null: it is to be in Triage. */
  readonly snooze: Snooze | null
}

/** Puts Signals off, or back into Triage. */
export const setSnoozes = async (
  transaction: Transaction,
  sleepers: readonly Sleeper[],
  snoozing: { readonly workspaceId: WorkspaceId; readonly by: string; readonly at: Date },
): Promise<void> => {
  const woken = sleepers.filter(({ snooze }) => snooze === null)
  if (woken.length > 0) await transaction.query(WAKE, [woken.map(({ id }) => id)])
  const asleep = sleepers.flatMap(({ id, snooze }) => (snooze === null ? [] : [{ id, ...snooze }]))
  if (asleep.length === 0) return
  await transaction.query(SET, [snoozing.workspaceId, JSON.stringify(asleep), snoozing.by, snoozing.at])
}
