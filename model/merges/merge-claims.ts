import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { SignalId, SolutionId } from '../../schemas/domain/ids.ts'
import { quotedStrangers } from '../../schemas/domain/strangers.ts'
import { type ClaimKind, reference } from '../../schemas/domain/vocabulary.ts'
import { touchClaim } from '../claims/change-claim.ts'
import { findRefusal } from './kept-apart.ts'
import { type Merge, recordMerge } from './record-merge.ts'

/** What a merge moved, or an undone one moved back. */
export interface MovedByMerge {
  readonly signal_ids: readonly SignalId[]
  readonly solution_ids: readonly SolutionId[]
}

/** Rows that both have stay as the survivor has them, and remember both origins. No origin is the claim itself. */
const move = (table: string, object: string, columns: string): string => `
  with moved as (
    delete from ${table} where claim_id = $1 returning *
  ), attached as (
    insert into ${table} as present (workspace_id, claim_id, ${object}, ${columns}origins)
    select workspace_id, $2, ${object}, ${columns}case when origins = '{}' then array[$1::uuid] else origins end from moved
    on conflict (claim_id, ${object}) do update
      set origins = case when present.origins = '{}' then array[$2::uuid] else present.origins end || excluded.origins
  )
  select ${object} as id from moved order by 1`

const MOVE_EVIDENCE = move('claim_evidence', 'signal_id', 'attached_by, actor, reason, attached_at, lost_candidates, ')
const MOVE_SOLUTIONS = move('solution_claims', 'solution_id', '')

const CLOSE_MERGED = `
  update claims set merged_into = $2, version = version + 1, updated_at = $3 where id = $1`

const KINDS = `select id, number, kind from claims where id = any ($1::uuid[]) order by number`

/**
 * Merges one claim into another: its evidence and its Solutions go over, and its reference resolves to the survivor from now on. What
 * came from where is kept, so that `undoMerge` can take it back. The survivor keeps its kind. Throws `conflict`, with nothing
 * moved, for a pair that is kept apart, and for a judge's yes about claims of two kinds.
 */
export const mergeClaims = async (transaction: Transaction, merge: Merge): Promise<MovedByMerge> => {
  const { merged, survivor, at } = merge
  await refuseUnlike(transaction, merge)
  await recordMerge(transaction, merge)
  const evidence = await transaction.query<{ id: SignalId }>(MOVE_EVIDENCE, [merged, survivor])
  const solutions = await transaction.query<{ id: SolutionId }>(MOVE_SOLUTIONS, [merged, survivor])
  await transaction.query(CLOSE_MERGED, [merged, survivor, at])
  await touchClaim(transaction, survivor, at)
  return { signal_ids: evidence.map(row => row.id), solution_ids: solutions.map(row => row.id) }
}

const refuseUnlike = async (transaction: Transaction, { merged, survivor, mergedBy }: Merge): Promise<void> => {
  const claims = await transaction.query<{ number: number; kind: ClaimKind }>(KINDS, [[merged, survivor]])
  const names = claims.map(({ number }) => reference('claim', number)).join(' and ')
  if (mergedBy === 'judge' && new Set(claims.map(({ kind }) => kind)).size > 1) {
    throw new AssayError(
      'conflict',
      `${names} are a problem and an opportunity: people alone merge claims of two kinds.`,
    )
  }
  const refusal = await findRefusal(transaction, merged, survivor)
  if (refusal === undefined) return
  const why = refusal.decided_reason === null ? '' : `: ${quotedStrangers(refusal.decided_reason)}`
  throw new AssayError(
    'conflict',
    `${names} are kept apart, by ${refusal.decided_by}${why}. To merge them after all, take that back first: service_decide mode triage, action undo, proposal_id ${refusal.id}.`,
    { context: { proposal_id: refusal.id } },
  )
}
