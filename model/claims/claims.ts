import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState, SolutionState } from '../../schemas/domain/vocabulary.ts'
import { ownedBy } from '../members/people.ts'
import { resolveItself } from '../references/resolve.ts'

const NUMBERS = `select id, number from claims where id = any ($1::uuid[])`

/** Numbers of the claims themselves, merged or not. Missing claims are left out. */
export const claimNumbers = async (
  transaction: Transaction,
  ids: readonly ClaimId[],
): Promise<ReadonlyMap<ClaimId, number>> => {
  if (ids.length === 0) return new Map()
  const rows = await transaction.query<{ id: ClaimId; number: number }>(NUMBERS, [ids])
  return new Map(rows.map(({ id, number }) => [id, number]))
}

const TITLES = `select id, number, title from claims where id = any ($1::uuid[])`

/** Numbers and titles of the claims themselves by id, merged or not. Missing claims are left out. */
export const claimTitles = async (
  transaction: Transaction,
  ids: readonly string[],
): Promise<ReadonlyMap<string, { readonly number: number; readonly title: string }>> => {
  const rows = await transaction.query<{ id: string; number: number; title: string }>(TITLES, [ids])
  return new Map(rows.map(row => [row.id, row]))
}

interface ClaimCounts {
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly claims: number
  /** Claims without a Solution. */
  readonly unanswered: number
}

const COUNTS = `
  select kind, state, count(*)::integer as claims,
    count(*) filter (where not exists (select from solution_claims where claim_id = claims.id))::integer as unanswered
  from claims
  where merged_into is null and state = any ($1) and kind = any ($2) and ${ownedBy('$3')}
    and ($4::uuid[] is null or id = any ($4))
  group by kind, state
  order by kind, state`

/** Number of claims of each kind and state, without merged ones; optionally of one owner and among ids. */
export const countClaims = (
  transaction: Transaction,
  states: readonly ClaimState[],
  kinds: readonly ClaimKind[],
  owner?: string,
  among?: readonly string[],
): Promise<ClaimCounts[]> => transaction.query<ClaimCounts>(COUNTS, [states, kinds, owner ?? null, among ?? null])

const SOLUTIONS = `
  select solutions.id, number, title, state
  from solution_claims join solutions on solutions.id = solution_id
  where claim_id = $1 order by number`

interface SolutionOfClaim {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly state: SolutionState
}

/** Solutions that answer a claim, oldest first. */
export const solutionsOfClaim = (transaction: Transaction, claimId: string): Promise<SolutionOfClaim[]> =>
  transaction.query<SolutionOfClaim>(SOLUTIONS, [claimId])

const MERGED_INTO = `
  select number from claim_lineage($1) as member join claims on claims.id = member
  where claims.id <> $1 order by number`

/** Numbers of the claims that were merged into this one, directly or through others. */
export const mergedNumbers = async (transaction: Transaction, claimId: string): Promise<number[]> =>
  (await transaction.query<{ number: number }>(MERGED_INTO, [claimId])).map(({ number }) => number)

const LINEAGE = `select claim_lineage($1) as id`

/** Ids of a claim and of all claims that were merged into it. */
export const lineageOf = async (transaction: Transaction, claimId: string): Promise<string[]> =>
  (await transaction.query<{ id: string }>(LINEAGE, [claimId])).map(({ id }) => id)

/** A claim itself, merged or not. */
export interface Claim {
  readonly id: ClaimId
  readonly workspace_id: WorkspaceId
  readonly number: number
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly merged_into: ClaimId | null
  readonly version: number
}

const CLAIM = 'select id, workspace_id, number, kind, state, merged_into, version from claims where id = $1'

/** The claim that an identifier names, merged or not. Throws `not_found` or `ambiguous`. */
export const findClaim = async (transaction: Transaction, identifier: string): Promise<Claim> => {
  const { id } = await resolveItself(transaction, 'claim', identifier)
  const [claim] = await transaction.query<Claim>(CLAIM, [id])
  if (claim === undefined) throw new Error(`The claim ${id} was resolved and is not there.`)
  return claim
}

/** The fields of a claim that people change. */
export interface EditableClaim {
  readonly id: ClaimId
  readonly number: number
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly title: string
  readonly version: number
}

const EDITABLE = 'id, number, kind, state, title, version'

const READ = `select ${EDITABLE} from claims where id = $1`

/** The claim itself, merged or not; undefined when it is missing. */
export const editableClaim = async (transaction: Transaction, id: ClaimId): Promise<EditableClaim | undefined> =>
  (await transaction.query<EditableClaim>(READ, [id]))[0]

const SET = `
  update claims set kind_decided = kind_decided or kind <> $5, kind = $5, state = $2, title = $3,
    version = version + 1, updated_at = $4
  where id = $1
  returning ${EDITABLE}`

/**
 * Changes a claim. No judge changes a kind that a person has set. Answers the changed claim; undefined when it is
 * missing.
 */
export const setClaim = async (
  transaction: Transaction,
  id: ClaimId,
  { kind, state, title }: Pick<EditableClaim, 'kind' | 'state' | 'title'>,
  at: Date,
): Promise<EditableClaim | undefined> => (await transaction.query<EditableClaim>(SET, [id, state, title, at, kind]))[0]

const TOUCH = `update claims set version = version + 1, updated_at = $2 where id = $1`

/** Raises a claim's version, because something that belongs to it changed. */
export const touchClaim = async (transaction: Transaction, id: ClaimId, at: Date): Promise<void> => {
  await transaction.query(TOUCH, [id, at])
}

const GROWTH = `
  select number,
    (select number from claims survivor where survivor.id = claims.merged_into) as merged_into,
    (select count(*)::integer from claims merged where merged.merged_into = claims.id) as merged,
    (select count(*)::integer from claim_evidence where claim_id = claims.id) as evidence,
    (select count(*)::integer from solution_claims where claim_id = claims.id) as solutions
  from claims where id = $1 for update`

/** Everything that belongs to a claim. */
export interface ClaimGrowth {
  readonly number: number
  /** Number of the claim that it was merged into. */
  readonly merged_into: number | null
  /** Number of claims merged into it. */
  readonly merged: number
  readonly evidence: number
  readonly solutions: number
}

/** Locks a claim until the transaction ends, and answers what belongs to it; undefined when it is missing. */
export const lockClaimGrowth = async (transaction: Transaction, id: ClaimId): Promise<ClaimGrowth | undefined> =>
  (await transaction.query<ClaimGrowth>(GROWTH, [id]))[0]

const DISMISS = `update claims set state = 'dismissed', version = version + 1, updated_at = now() where id = $1`

export const dismissClaim = async (transaction: Transaction, id: ClaimId): Promise<void> => {
  await transaction.query(DISMISS, [id])
}
