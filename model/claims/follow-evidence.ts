import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState, Classification, SignalState } from '../../schemas/domain/vocabulary.ts'
import { SPEAKS_AS } from '../signals/perhaps.ts'
import { CLAIM_KIND } from './start-claims.ts'

type Standing = { readonly kind: ClaimKind; readonly state: ClaimState }

/** A claim whose kind or state changed with its evidence. */
export interface FollowedClaim {
  readonly id: ClaimId
  readonly from: Standing
  readonly to: Standing
}

const READ = `
  select id, kind, state, array(select signal_id from claim_evidence where claim_id = claims.id and signal_id = any ($1::uuid[])) as changed,
    evidence.problems, evidence.ideas, evidence.signals, evidence.waits,
    exists (select from solution_claims where claim_id = claims.id) as is_answered
  from claims
  cross join lateral (
    select count(*) filter (where ${SPEAKS_AS} = 'problem')::integer as problems,
      count(*) filter (where ${SPEAKS_AS} = 'idea')::integer as ideas, count(*)::integer as signals,
      bool_or(state = 'triage') as waits
    from claim_evidence join signals on signals.id = signal_id
    where claim_id = claims.id and state <> 'dismissed'
  ) as evidence
  where id in (select claim_id from claim_evidence where signal_id = any ($1::uuid[]))
  order by id
  for update of claims`

/** Figures count the claim's signals that are not dismissed. */
interface Read extends Standing {
  readonly id: ClaimId
  /** The claim's signals that changed. */
  readonly changed: readonly SignalId[]
  readonly problems: number
  readonly ideas: number
  readonly signals: number
  /** True when one of its signals is in Triage; null without signals. */
  readonly waits: boolean | null
  /** True when a Solution answers it. */
  readonly is_answered: boolean
}

/**
 * More problems than ideas make a problem, more ideas an Opportunity; equal numbers change nothing. An emerging claim
 * is dismissed when all of its signals are dismissed, or when only a question in Triage is left. A dismissed claim
 * emerges again with the first signal that speaks for it. `spoke` is true for signals that spoke for a claim before.
 */
const standingOf = (
  { kind, state, changed, problems, ideas, signals, waits, is_answered }: Read,
  spoke: (signal: SignalId) => boolean,
): Standing => {
  const said = problems === ideas ? kind : problems > ideas ? 'problem' : 'opportunity'
  if (is_answered) return { kind: said, state }
  const isQuestion = signals === 1 && waits === true && problems + ideas === 0
  if (signals === 0 || isQuestion) return { kind, state: state === 'emerging' ? 'dismissed' : state }
  const isFirst = changed.length === signals && !changed.some(spoke)
  return { kind: said, state: state === 'dismissed' && isFirst ? 'emerging' : state }
}

/** A Signal before its change. */
interface Before {
  readonly id: SignalId
  readonly speaks_as: Classification
  readonly state: SignalState
}

/**
 * Updates the kind and state of claims whose Signals were reclassified, accepted or dismissed. Answers changed claims
 * with the Signals that changed them. Needs the lock of the workspace.
 */
export const followEvidence = async (
  transaction: Transaction,
  signals: readonly Before[],
  at: Date,
): Promise<readonly { readonly claim: FollowedClaim; readonly by: readonly SignalId[] }[]> => {
  const speaking = new Set(
    signals
      .filter(({ speaks_as, state }) => state !== 'dismissed' && CLAIM_KIND[speaks_as] !== null)
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

/** Undoes `followEvidence` for claims that are still as it left them. */
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

/** Claims that differ from `from` stay unchanged. */
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

const IS_SILENT = `
  exists (select from claim_evidence where claim_id = claims.id) and not exists (
    select from claim_evidence join signals on signals.id = signal_id
    where claim_id = claims.id and signals.state <> 'dismissed')`

const DISMISS_SILENT = `
  update claims set state = 'dismissed', version = version + 1, updated_at = now()
  where id in (select surviving_claim(given) from unnest($1::uuid[]) as given) and merged_into is null
    and state = 'emerging' and ${IS_SILENT}
    and not exists (select from solution_claims where claim_id = claims.id)`

/**
 * To be called once evidence was taken off these claims: an emerging one of which only dismissed signals are left is
 * dismissed, as it is with the last signal that is dismissed.
 */
export const dismissSilentClaims = async (transaction: Transaction, ids: Iterable<string>): Promise<void> => {
  await transaction.query(DISMISS_SILENT, [[...ids]])
}

// What a Decision dismissed stays.
const REVIVE = `
  update claims set state = 'emerging', version = version + 1, updated_at = now()
  where id in (select claim_id from claim_evidence where signal_id = any ($1::uuid[])) and merged_into is null
    and state = 'dismissed' and not (${IS_SILENT}) and not exists (
      select from decision_objects
      where decision_objects.workspace_id = claims.workspace_id and object_kind = 'claim' and object_id = claims.id
        and change #>> '{state,to}' = 'dismissed')`

/** Has claims that were dismissed with what was taken off them emerge again with the first of these signals. */
export const reviveClaims = async (transaction: Transaction, signals: readonly SignalId[]): Promise<void> => {
  await transaction.query(REVIVE, [signals])
}
