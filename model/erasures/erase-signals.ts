import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { dismissSilentClaims } from '../claims/follow-evidence.ts'
import { ownClaims } from '../claims/start-claims.ts'
import { TEACHES } from '../learning/lessons.ts'
import { NOTHING_LEFT } from './emptied-claims.ts'
import type { OfErasure } from './erasures.ts'
import { rememberSentences } from './quotes.ts'
import { rewriteClaims } from './reworded-claims.ts'
import { ERASED } from './words.ts'

export interface ErasedSignals extends OfErasure {
  readonly ids: readonly SignalId[]
  /** True keeps Decisions' references to the signals for now: they show which claims people have worked on. */
  readonly keepsDecisions?: boolean
}

const TEXTS = `
  select text from signals where id = any ($1::uuid[])
  union select text from occurrences where id = any ($1::uuid[]) and text is not null`
const CLAIMS = `
  select claim_id as id from claim_evidence where signal_id = any ($1::uuid[])
  union select unnest(origins) from claim_evidence where signal_id = any ($1::uuid[])
  union select id from claims where id = any ($2::uuid[])`

/** Claims that signals are evidence of, and claims that they started. */
export const claimsOf = async (transaction: Transaction, ids: readonly SignalId[]): Promise<readonly ClaimId[]> =>
  (await transaction.query<{ id: ClaimId }>(CLAIMS, [ids, await startedBy(transaction, ids)])).map(({ id }) => id)

const startedBy = async (transaction: Transaction, ids: readonly SignalId[]): Promise<readonly ClaimId[]> =>
  [...(await ownClaims(transaction, ids)).values()].flatMap(({ id, isStarted }) => (isStarted ? [id] : []))

/** Removals over the ids `$1`. A table comes after the tables that refer to it. */
const REMOVALS: readonly (readonly [table: string, statement: string])[] = [
  ['claim_evidence', 'delete from claim_evidence where signal_id = any ($1::uuid[])'],
  ['decision_objects', `delete from decision_objects where object_kind = 'signal' and object_id = any ($1::uuid[])`],
  ['taken_out_repeats', 'delete from taken_out_repeats where id = any ($1::uuid[]) or original_id = any ($1::uuid[])'],
  [
    'occurrences',
    `delete from occurrences where id = any ($1::uuid[]) or (signal_id = any ($1::uuid[]) and exists (
       select from erasure_items where erasure_id = $2 and erasure_items.signal_id = occurrences.id))`,
  ],
  ['comments', 'delete from comments where signal_id = any ($1::uuid[])'],
  ['theme_members', 'delete from theme_members where signal_id = any ($1::uuid[])'],
  ['theme_answers', 'delete from theme_answers where signal_id = any ($1::uuid[])'],
  ['node_lessons', 'delete from node_lessons where signal_id = any ($1::uuid[])'],
  ['snoozes', 'delete from snoozes where signal_id = any ($1::uuid[])'],
  ['signal_terms', 'delete from signal_terms where signal_id = any ($1::uuid[]) or id = any ($1::uuid[])'],
  ['signal_vectors', 'delete from signal_vectors where signal_id = any ($1::uuid[])'],
  [
    'handoff_proposals',
    `delete from handoff_proposals where signal_id = any ($1::uuid[]) and not exists (
       select from handoffs where handoffs.solution_id = handoff_proposals.solution_id
         and handoffs.repository = handoff_proposals.repository and handoffs.number = handoff_proposals.number)`,
  ],
  [
    'handoff_proposals',
    `update handoff_proposals set title = '${ERASED}', url = null, branch = '' where signal_id = any ($1::uuid[])`,
  ],
  ['outbox', `delete from outbox where (activity ->> 'subject_id')::text = any ($1::text[])`],
  ['dead_letters', 'delete from dead_letters where signal_id = any ($1::uuid[])'],
  ['search_entries', `delete from search_entries where id = any ($1::uuid[]) and kind in ('signal', 'repeat')`],
  ['imported_rows', 'delete from imported_rows where signal_id = any ($1::uuid[])'],
  ['imported_edits', 'delete from imported_edits where signal_id = any ($1::uuid[])'],
  ['signals', 'delete from signals where id = any ($1::uuid[])'],
]

/** Marks claims without any evidence left, and claims whose own signal was erased. */
const MARK_CLAIMS = `
  update claims set erased_at = now()
  where id = any ($1::uuid[]) and erased_at is null
    and (id = any ($2::uuid[]) or ${NOTHING_LEFT})`

const RELEARN = `
  update learned_classifiers set taught_at = now(), changes = changes + 1 where workspace_id = $1 and exists (
    select from signals where id = any ($2::uuid[]) and ${TEACHES})`

/**
 * Removes signals and repeats with everything that belongs to them. Needs the locks of the workspace. Other senders'
 * repeats must have moved before. Answers the number of removed rows by table. A repetition finds nothing.
 */
export const eraseSignals = async (
  transaction: Transaction,
  { workspaceId, erasureId, ids, keepsDecisions = false }: ErasedSignals,
): Promise<Readonly<Record<string, number>>> => {
  const texts = (await transaction.query<{ text: string }>(TEXTS, [ids])).map(({ text }) => text)
  const [claims, started] = [await claimsOf(transaction, ids), await startedBy(transaction, ids)]
  await rememberSentences(transaction, workspaceId, erasureId, texts)
  await transaction.query(RELEARN, [workspaceId, ids])
  const counts: Record<string, number> = {}
  for (const [table, statement] of REMOVALS) {
    if (keepsDecisions && table === 'decision_objects') continue
    const values = statement.includes('$2') ? [ids, erasureId] : [ids]
    const rows = await transaction.query(`${statement} returning 1`, values)
    counts[table] = (counts[table] ?? 0) + rows.length
  }
  const erased = texts.map(text => ({ before: text, now: null }))
  counts.claims = (await rewriteClaims(transaction, claims, erased)).length
  await dismissSilentClaims(transaction, claims)
  await transaction.query(MARK_CLAIMS, [claims, started])
  return counts
}

const REMOVE_HISTORY = `
  with page as materialized (
    select id, names from changed_rows where workspace_id = $1 and id > $3 order by id limit $4
  ), removed as (
    delete from changed_rows using page
    where changed_rows.id = page.id and exists (
      select from unnest(page.names) as named join erasure_items on erasure_id = $2 and signal_id = named)
    returning 1
  )
  select (select max(id)::text from page) as last, (select count(*)::integer from page) as read,
    (select count(*)::integer from removed) as removed`

/** Removes erased signals from the history of changes, so that no undo restores them: the next rows behind `after`. */
export const eraseHistory = async (
  transaction: Transaction,
  { workspaceId, erasureId }: OfErasure,
  after: string | null,
  most: number,
): Promise<{ readonly last: string | null; readonly removed: number }> => {
  const [row] = await transaction.query<{ last: string | null; read: number; removed: number }>(REMOVE_HISTORY, [
    workspaceId,
    erasureId,
    after ?? '0',
    most,
  ])
  if (row === undefined) throw new Error('The statement answers a row.')
  return { last: row.read < most ? null : row.last, removed: row.removed }
}

const CLEARED: readonly (readonly [table: string, statement: string])[] = [
  ['idempotent_answers', 'delete from idempotent_answers where workspace_id = $1 and created_at < $2'],
  ['transfer_texts', 'delete from transfer_texts where workspace_id = $1 and $2::timestamptz is not null'],
  ['transfer_pieces', 'delete from transfer_pieces where workspace_id = $1 and created_at < $2'],
]

/** Removes texts that are kept for a day and may name anybody: stored answers, and files of imports and exports. */
export const clearTemporary = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  before: Date,
): Promise<Readonly<Record<string, number>>> => {
  const counts: Record<string, number> = {}
  for (const [table, statement] of CLEARED)
    counts[table] = (await transaction.query(`${statement} returning 1`, [workspaceId, before])).length
  return counts
}

const TESTS = 'delete from test_signals where workspace_id = $1 and source_id = $2 returning 1'

export const removeTestsOf = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  sourceId: string,
): Promise<number> => (await transaction.query(TESTS, [workspaceId, sourceId])).length
