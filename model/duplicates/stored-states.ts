import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'

// `offset 0` makes the planner use the index for each look-up: without statistics, as after a flood, it would read a
// whole workspace.
const FIND_KNOWN = `
  with requested as materialized (
    select ordinal::int - 1 as position, id, workspace_id, decode(text_hash, 'hex') as text_hash
    from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as given (id, workspace_id, text_hash, ordinal)
  )
  select
    stored.number as stored_number,
    occurrence.signal_id as occurrence_of,
    occurrence.reason as occurrence_reason,
    occurrence.taken_out,
    twin.id as same_text
  from requested
  left join lateral (
    select number from signals where id = requested.id and workspace_id = requested.workspace_id offset 0
  ) as stored on true
  left join lateral (
    select signal_id, reason,
      exists (select from taken_out_repeats where taken_out_repeats.id = occurrences.id and in_force offset 0) as taken_out
    from occurrences
    where id = requested.id and workspace_id = requested.workspace_id and reason <> 'member' offset 0
  ) as occurrence on true
  left join lateral (
    select same.id
    from (
      select id, number from signals
      where workspace_id = requested.workspace_id and text_hash = requested.text_hash and id <> requested.id offset 0
    ) as same
    order by same.number limit 1
  ) as twin on true
  order by requested.position`

export type DuplicateReason = 'same_text' | 'near_duplicate'

export interface StoredState {
  /** Number of its row, for a redelivery or a replay; null without a row. */
  readonly storedNumber: number | null
  /** Its original, when it was stored as an occurrence. A marked repeat is stored as a signal instead. */
  readonly occurrence: {
    readonly of: SignalId
    readonly reason: DuplicateReason
    /** True when a member took it out: it becomes a signal of its own. */
    readonly takenOut: boolean
  } | null
  /** The workspace's first other signal with the same text. */
  readonly sameText: SignalId | null
}

interface KnownRow {
  readonly stored_number: number | null
  readonly occurrence_of: SignalId | null
  readonly occurrence_reason: DuplicateReason | null
  readonly taken_out: boolean | null
  readonly same_text: SignalId | null
}

interface HashedText {
  readonly id: SignalId
  readonly workspaceId: WorkspaceId
  readonly textHash: string
}
type HashedTexts = ReadonlyMap<SignalId, HashedText>

/**
 * The fields of each signal that the search needs. A step reads them before its first await: later, each look at
 * strangers' text costs a watchdog.
 */
export const hashedTextsOf = (
  signals: readonly {
    readonly signal_id: SignalId
    readonly workspace_id: WorkspaceId
    readonly content: { readonly text_hash: string }
  }[],
): HashedTexts =>
  new Map(
    signals.map(({ signal_id: id, workspace_id: workspaceId, content }) => [
      id,
      { id, workspaceId, textHash: content.text_hash },
    ]),
  )

export type StoredStates = ReadonlyMap<SignalId, StoredState>

export const findStoredStates = async (transaction: Transaction, texts: HashedTexts): Promise<StoredStates> => {
  const requested = [...texts.values()]
  const rows = await transaction.query<KnownRow>(FIND_KNOWN, [
    requested.map(one => one.id),
    requested.map(one => one.workspaceId),
    requested.map(one => one.textHash),
  ])
  return new Map(
    requested.flatMap(({ id }, place) => {
      const row = rows[place]
      return row === undefined ? [] : [[id, toKnown(row)] as const]
    }),
  )
}

const toKnown = (row: KnownRow): StoredState => ({
  storedNumber: row.stored_number,
  occurrence:
    row.occurrence_of === null || row.occurrence_reason === null
      ? null
      : { of: row.occurrence_of, reason: row.occurrence_reason, takenOut: row.taken_out === true },
  sameText: row.same_text,
})
