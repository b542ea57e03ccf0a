import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { reference } from '../../schemas/domain/vocabulary.ts'

/** A claim that was proposed for a signal, which then got another claim. Stored as JSON with the evidence. */
export interface StoredRejection {
  readonly claim_id: ClaimId
  /** `undecided`: nobody was asked, or the answer was unusable. */
  readonly verdict: 'refused' | 'undecided'
  /** The judge or member who refused; null when nobody did. */
  readonly by: string | null
  readonly reason: string
  readonly score: number
  readonly similarity: number | null
}

const INSERT_EVIDENCE = `
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins, lost_candidates)
  select added.workspace_id, added.claim_id, added.signal_id, added.attached_by, added.actor, added.reason,
    added.origins::uuid[], added.lost_candidates::jsonb
  from unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[])
    as added (workspace_id, claim_id, signal_id, attached_by, actor, reason, origins, lost_candidates)
  on conflict (claim_id, signal_id) do nothing`

// A claim that this transaction started has this time already.
const TOUCH_CLAIMS = `update claims set updated_at = now() where id = any ($1::uuid[]) and updated_at < now()`

export interface Evidence {
  readonly workspaceId: WorkspaceId
  readonly claimId: ClaimId
  readonly signalId: SignalId
  readonly attachedBy: 'cluster' | 'judge' | 'member'
  /** Version of the step, model of the judge, or the member. */
  readonly actor: string
  readonly reason: string
  /**
   * Claims merged into `claimId` through which the signal came. The signal goes with them when the merge is undone.
   * Default: none.
   */
  readonly origins?: readonly ClaimId[]
  /** Candidates that lost to this claim. Default: none. */
  readonly rejected?: readonly StoredRejection[]
}

/** Attaches signals to claims. Existing evidence stays unchanged. */
export const attachEvidence = async (transaction: Transaction, evidence: readonly Evidence[]): Promise<void> => {
  if (evidence.length === 0) return
  await Promise.all([
    transaction.query(INSERT_EVIDENCE, [
      evidence.map(one => one.workspaceId),
      evidence.map(one => one.claimId),
      evidence.map(one => one.signalId),
      evidence.map(one => one.attachedBy),
      evidence.map(one => one.actor),
      evidence.map(one => one.reason),
      evidence.map(({ origins = [] }) => `{${origins.join(',')}}`),
      evidence.map(({ rejected = [] }) => JSON.stringify(rejected)),
    ]),
    transaction.query(TOUCH_CLAIMS, [evidence.map(one => one.claimId)]),
  ])
}

const DETACH = `delete from claim_evidence where claim_id = surviving_claim($1) and signal_id = $2`

/** Detaches a signal from the claim that survives the given one. */
export const detachSignal = async (transaction: Transaction, claimId: ClaimId, signalId: string): Promise<void> => {
  await transaction.query(DETACH, [claimId, signalId])
}

/**
 * Removes the evidence that came through the claim `$1`, or through the first claim that was merged into it by then.
 * Evidence of the same signal that came another way stays.
 */
const TAKE_OFF = `
  with present as materialized (
    select claim_id, came_by, array_remove(came_by, case when $1 = any (came_by) then $1 else (
        select origin from unnest(came_by) with ordinality as came (origin, place)
        where origin in (select claim_lineage($1)) order by place limit 1)
      end) as staying
    from claim_evidence
      cross join lateral (select case when origins = '{}' then array[claim_id] else origins end as came_by) as came
    where claim_id = surviving_claim($1) and signal_id = $2
  ), removed as (
    delete from claim_evidence using present
    where claim_evidence.claim_id = present.claim_id and signal_id = $2 and staying = '{}'
  ), kept as (
    update claim_evidence set origins = case when staying = array[present.claim_id] then '{}' else staying end
    from present
    where claim_evidence.claim_id = present.claim_id and signal_id = $2 and staying not in ('{}', came_by)
  )
  select from present where staying <> came_by`

/**
 * Undoes an attachment of a signal to a claim, in the claim that survives it. Answers whether the signal was evidence
 * through that claim.
 */
export const takeOffClaim = async (transaction: Transaction, claimId: ClaimId, signalId: string): Promise<boolean> =>
  (await transaction.query(TAKE_OFF, [claimId, signalId])).length > 0

/** Each piece of evidence keeps its origin and becomes the new claim's own. */
const MOVE = `
  with moved as (
    delete from claim_evidence where claim_id = $1 and signal_id = any ($3::uuid[]) returning *
  )
  insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, attached_at, lost_candidates)
  select workspace_id, $2, signal_id, attached_by, actor, reason, attached_at, lost_candidates from moved`

/** Moves a claim's own evidence to another claim. */
export const moveEvidence = async (
  transaction: Transaction,
  [from, to]: readonly [ClaimId, ClaimId],
  signalIds: readonly string[],
): Promise<void> => {
  await transaction.query(MOVE, [from, to, signalIds])
}

const BARE = `
  select number from claims
  where id = any (array(select surviving_claim(given) from unnest($1::uuid[]) as given)) and merged_into is null and state <> 'dismissed'
    and not exists (select from claim_evidence where claim_id = claims.id)
  order by number limit 1`

/**
 * Call after evidence was removed from these claims, or after they were opened again. Throws `conflict` when a claim
 * that stands has no evidence left.
 */
export const refuseBareClaims = async (transaction: Transaction, ids: ReadonlySet<string>): Promise<void> => {
  if (ids.size === 0) return
  const [bare] = await transaction.query<{ number: number }>(BARE, [[...ids]])
  if (bare === undefined) return
  const name = reference('claim', bare.number)
  throw new AssayError(
    'conflict',
    `${name} would stand without evidence: this is the only evidence that it has by now, or what it had was erased. Nothing was changed. Attach other evidence to ${name} first, merge it into another claim, or dismiss it.`,
  )
}
