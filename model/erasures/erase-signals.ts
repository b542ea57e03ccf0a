import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { ownClaimId } from '../claims/start-claims.ts'
import { statementOf, titleOf, titlesOf } from '../claims/titles.ts'
import { TEACHES } from '../learning/lessons.ts'
import type { OfErasure } from './erasures.ts'
import { rememberSentences } from './quotes.ts'
import { ERASED } from './words.ts'

export interface ErasedSignals extends OfErasure {
  readonly ids: readonly SignalId[]
}

const TEXTS = `
  select text from signals where id = any ($1::uuid[])
  union select text from occurrences where id = any ($1::uuid[]) and text is not null`
const CLAIMS = `
  select distinct claim_id as id from claim_evidence where signal_id = any ($1::uuid[])
  union select id from claims where id = any ($2::uuid[])`

/** The claims that signals are evidence of, and those that they started. */
export const claimsOf = async (transaction: Transaction, ids: readonly SignalId[]): Promise<readonly ClaimId[]> =>
  (await transaction.query<{ id: ClaimId }>(CLAIMS, [ids, ids.map(ownClaimId)])).map(({ id }) => id)

/** Rows that go, each statement over the ids `$1`; a row behind those that refer to it. */
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
  ['signals', 'delete from signals where id = any ($1::uuid[])'],
]

const RELEARN = `
  update learned_classifiers set taught_at = now(), changes = changes + 1 where workspace_id = $1 and exists (
    select from signals where id = any ($2::uuid[]) and ${TEACHES})`

const CLAIM_WORDS = `
  select claims.id, title, statement, merged_into is not null as is_merged,
    exists (select from claim_evidence where claim_id = claims.id) as has_evidence,
    (select text from claim_evidence join signals on signals.id = signal_id
     where claim_id = claims.id order by attached_at, signals.number limit 1) as said
  from claims where id = any ($1::uuid[]) order by id for update of claims`
const REWRITE = `
  update claims set title = rewritten.title, statement = rewritten.statement,
    state = case when is_bare then 'dismissed' else state end, version = version + 1, updated_at = now()
  from unnest($1::uuid[], $2::text[], $3::text[], $4::boolean[]) as rewritten (id, title, statement, is_bare)
  where claims.id = rewritten.id`

/** Nobody can say of a claim that says nothing whether it is the same as another. */
const DROP_PROPOSALS = `
  delete from merge_proposals where state in ('waiting', 'set_aside')
    and (claim_id = any ($1::uuid[]) or candidate_claim_id = any ($1::uuid[]))`

interface ClaimRow {
  readonly id: ClaimId
  readonly title: string
  readonly statement: string
  readonly is_merged: boolean
  readonly has_evidence: boolean
  readonly said: string | null
}

/**
 * A claim whose words are those of a signal that was erased or edited gets them from the oldest evidence that is left;
 * without any it says nothing and is dismissed. What people wrote in their own words stays.
 */
export const rewriteClaims = async (
  transaction: Transaction,
  claims: readonly ClaimId[],
  texts: readonly string[],
): Promise<number> => {
  const titles = new Set(texts.flatMap(titlesOf))
  const statements = new Set(texts.map(statementOf))
  const rewritten = (await transaction.query<ClaimRow>(CLAIM_WORDS, [claims])).flatMap(claim => {
    const { id, said } = claim
    const title = titles.has(claim.title) ? (said === null ? ERASED : titleOf(said) || ERASED) : claim.title
    const statement = statements.has(claim.statement) ? (said === null ? '' : statementOf(said)) : claim.statement
    const isBare = !claim.has_evidence && !claim.is_merged
    return title === claim.title && statement === claim.statement && !isBare ? [] : [{ id, title, statement, isBare }]
  })
  if (rewritten.length === 0) return 0
  await transaction.query(REWRITE, [
    rewritten.map(({ id }) => id),
    rewritten.map(({ title }) => title),
    rewritten.map(({ statement }) => statement),
    rewritten.map(({ isBare }) => isBare),
  ])
  const bare = rewritten.filter(({ isBare }) => isBare).map(({ id }) => id)
  // An erasure alone leaves such claims, and alone may do it.
  if (bare.length > 0) await transaction.query(DROP_PROPOSALS, [bare])
  return rewritten.length
}

/**
 * Removes signals and repeats with everything that hangs on them. Needs the locks of the workspace, and that no repeat
 * of others is left at them. Answers how many rows went, by table. Done again, it finds nothing.
 */
export const eraseSignals = async (
  transaction: Transaction,
  { workspaceId, erasureId, ids }: ErasedSignals,
): Promise<Readonly<Record<string, number>>> => {
  const texts = (await transaction.query<{ text: string }>(TEXTS, [ids])).map(({ text }) => text)
  const claims = await claimsOf(transaction, ids)
  await rememberSentences(transaction, workspaceId, erasureId, texts)
  await transaction.query(RELEARN, [workspaceId, ids])
  const counts: Record<string, number> = {}
  for (const [table, statement] of REMOVALS) {
    const values = statement.includes('$2') ? [ids, erasureId] : [ids]
    const rows = await transaction.query(`${statement} returning 1`, values)
    counts[table] = (counts[table] ?? 0) + rows.length
  }
  counts.claims = await rewriteClaims(transaction, claims, texts)
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

/** Removes what changes keep of erased signals, so that no undo brings them back: the next rows behind `after`. */
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

/** What is kept for a day and may hold anybody's words: answers to be given again, files that came in or go out. */
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
