import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, SolutionId } from '../../schemas/domain/ids.ts'

/** What a merge moved: enough to put it back. */
export interface MovedByMerge {
  readonly signal_ids: readonly SignalId[]
  readonly solution_ids: readonly SolutionId[]
}

/** Evidence that both have stays as the survivor has it. Why it was attached in the first place stays readable. */
const MOVE_EVIDENCE = `
  with moved as (
    delete from claim_evidence where claim_id = $1 returning *
  ), attached as (
    insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, attached_at)
    select workspace_id, $2, signal_id, attached_by, actor, concat_ws(' ', reason, $3::text), attached_at from moved
    on conflict (claim_id, signal_id) do nothing
  )
  select signal_id from moved order by signal_id`

const MOVE_SOLUTIONS = `
  with moved as (
    delete from solution_claims where claim_id = $1 returning *
  ), attached as (
    insert into solution_claims (workspace_id, solution_id, claim_id)
    select workspace_id, solution_id, $2 from moved
    on conflict (solution_id, claim_id) do nothing
  )
  select solution_id from moved order by solution_id`

const CLOSE_MERGED = `
  update claims set merged_into = $2, version = version + 1, updated_at = $3 where id = $1`

const TOUCH_SURVIVOR = `update claims set version = version + 1, updated_at = $2 where id = $1`

/**
 * Merges one claim into another: its evidence and its Solutions go over, and its reference resolves to the survivor from now on.
 * Both are survivors that the caller holds (`lockSurvivors`), so that no other merge takes one away meanwhile. `note` says who merged them and why, and is added to each moved evidence's reason.
 */
export const mergeClaims = async (
  transaction: Transaction,
  merge: { readonly merged: ClaimId; readonly survivor: ClaimId; readonly note: string; readonly at: Date },
): Promise<MovedByMerge> => {
  const { merged, survivor, note, at } = merge
  const evidence = await transaction.query<{ signal_id: SignalId }>(MOVE_EVIDENCE, [merged, survivor, note])
  const solutions = await transaction.query<{ solution_id: SolutionId }>(MOVE_SOLUTIONS, [merged, survivor])
  await transaction.query(CLOSE_MERGED, [merged, survivor, at])
  await transaction.query(TOUCH_SURVIVOR, [survivor, at])
  return {
    signal_ids: evidence.map(row => row.signal_id),
    solution_ids: solutions.map(row => row.solution_id),
  }
}
