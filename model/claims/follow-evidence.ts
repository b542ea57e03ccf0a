import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState, Classification, SignalState } from '../../schemas/domain/vocabulary.ts'
import { CLAIM_KIND } from './start-claims.ts'

type Standing = { readonly kind: ClaimKind; readonly state: ClaimState }

/** A claim that is something else since its evidence is. */
export interface FollowedClaim {
  readonly id: ClaimId
  readonly from: Standing
  readonly to: Standing
}

const READ = `
  select id, kind, state, array(select signal_id from claim_evidence where claim_id = claims.id and signal_id = any ($1::uuid[])) as changed,
    evidence.problems, evidence.ideas, evidence.signals, evidence.waits,
    not exists (select from claims merged where merged.workspace_id = claims.workspace_id and merged.merged_into = claims.id)
      and not exists (select from solution_claims where claim_id = claims.id) as stands_alone
  from claims
  cross join lateral (
    select count(*) filter (where classification = 'problem')::integer as problems,
      count(*) filter (where classification = 'idea')::integer as ideas, count(*)::integer as signals,
      bool_or(state = 'triage') as waits
    from claim_evidence join signals on signals.id = signal_id
    where claim_id = claims.id and state <> 'dismissed'
  ) as evidence
  where id in (select claim_id from claim_evidence where signal_id = any ($1::uuid[]))
  order by id
  for update of claims`

/** The figures are of its signals that nobody dismissed. */
interface Read extends Standing {
  readonly id: ClaimId
  /** Those of its signals that changed. */
  readonly changed: readonly SignalId[]
  readonly problems: number
  readonly ideas: number
  readonly signals: number
  /** A signal of it is in Triage; null where it has none. */
  readonly waits: boolean | null
  /** No claim was merged into it, and no Solution answers it. */
  readonly stands_alone: boolean
}

/**
 * More problems than ideas make a problem, more ideas an Opportunity; as many of both, or neither, change nothing. A
 * claim whose signals are all dismissed is none, nor is a question in Triage: an emerging one is dismissed with the
 * last signal that spoke for it, and emerges again with the first that does. `spoke`: whether a signal did before.
 */
const standingOf = (
  { kind, state, changed, problems, ideas, signals, waits, stands_alone }: Read,
  spoke: (signal: SignalId) => boolean,
): Standing => {
  const said = problems === ideas ? kind : problems > ideas ? 'problem' : 'opportunity'
  if (!stands_alone) return { kind: said, state }
  const isQuestion = signals === 1 && waits === true && problems + ideas === 0
  if (signals === 0 || isQuestion) return { kind, state: state === 'emerging' ? 'dismissed' : state }
  const isFirst = changed.length === signals && !changed.some(spoke)
  return { kind: said, state: state === 'dismissed' && isFirst ? 'emerging' : state }
}

/** A Signal as it was before it changed. */
interface Before {
  readonly id: SignalId
  readonly classification: Classification
  readonly state: SignalState
}

/**
 * Has the claims of Signals that were reclassified, accepted or dismissed follow their evidence. Answers those that
 * changed, with the Signals that did it. Needs the lock of the workspace.
 */
export const followEvidence = async (
  transaction: Transaction,
  signals: readonly Before[],
  at: Date,
): Promise<readonly { readonly claim: FollowedClaim; readonly by: readonly SignalId[] }[]> => {
  const speaking = new Set(
    signals
      .filter(({ classification, state }) => state !== 'dismissed' && CLAIM_KIND[classification] !== null)
      .map(({ id }) => id),
  )
  const rows = await transaction.query<Read>(READ, [signals.map(({ id }) => id)])
  const followed = rows.flatMap(row => {
    const { id, kind, state, changed: by } = row
    const to = standingOf(row, signal => speaking.has(signal))
    return to.kind === kind && to.state === state ? [] : [{ claim: { id, from: { kind, state }, to }, by }]
  })
  await setStandings(
    transaction,
    followed.map(({ claim }) => claim),
    at,
  )
  return followed
}

/** Takes that back, of the claims that are as it left them. */
export const unfollowEvidence = (transaction: Transaction, claims: readonly FollowedClaim[], at: Date): Promise<void> =>
  setStandings(
    transaction,
    claims.map(({ id, from, to }) => ({ id, from: to, to: from })),
    at,
  )

const SET = `
  update claims set kind = wanted.kind, state = wanted.state, version = version + 1, updated_at = $5
  from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $6::text[]) as wanted (id, kind, state, from_kind, from_state)
  where claims.id = wanted.id and claims.kind = wanted.from_kind and claims.state = wanted.from_state`

/** Those that are no longer as they are said to have been stay as they are. */
const setStandings = async (transaction: Transaction, claims: readonly FollowedClaim[], at: Date): Promise<void> => {
  if (claims.length === 0) return
  await transaction.query(SET, [
    claims.map(({ id }) => id),
    claims.map(({ to }) => to.kind),
    claims.map(({ to }) => to.state),
    claims.map(({ from }) => from.kind),
    at,
    claims.map(({ from }) => from.state),
  ])
}
