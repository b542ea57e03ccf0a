import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId } from '../../schemas/domain/ids.ts'
import type { ClaimState } from '../../schemas/domain/vocabulary.ts'

/** A claim as people change it. */
export interface EditableClaim {
  readonly id: ClaimId
  readonly number: number
  readonly state: ClaimState
  readonly title: string
  readonly version: number
}

const EDITABLE = 'id, number, state, title, version'

const READ = `select ${EDITABLE} from claims where id = $1`

/** The claim itself, merged or not; undefined when it is not there. */
export const editableClaim = async (transaction: Transaction, id: ClaimId): Promise<EditableClaim | undefined> =>
  (await transaction.query<EditableClaim>(READ, [id]))[0]

const SET = `
  update claims set state = $2, title = $3, version = version + 1, updated_at = $4 where id = $1
  returning ${EDITABLE}`

/** Answers the claim as it is then; undefined when it is not there. */
export const setClaim = async (
  transaction: Transaction,
  id: ClaimId,
  { state, title }: Pick<EditableClaim, 'state' | 'title'>,
  at: Date,
): Promise<EditableClaim | undefined> => (await transaction.query<EditableClaim>(SET, [id, state, title, at]))[0]

const TOUCH = `update claims set version = version + 1, updated_at = $2 where id = $1`

/** Gives a claim another version because what belongs to it changed. */
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

/** What hangs on a claim. */
export interface ClaimGrowth {
  readonly number: number
  /** The number of the claim that it was merged into. */
  readonly merged_into: number | null
  /** How many claims are merged into it. */
  readonly merged: number
  readonly evidence: number
  readonly solutions: number
}

/** What hangs on a claim by now, which is held until the transaction ends; undefined when it is not there. */
export const lockClaimGrowth = async (transaction: Transaction, id: ClaimId): Promise<ClaimGrowth | undefined> =>
  (await transaction.query<ClaimGrowth>(GROWTH, [id]))[0]

const DISMISS = `update claims set state = 'dismissed', version = version + 1, updated_at = now() where id = $1`

export const dismissClaim = async (transaction: Transaction, id: ClaimId): Promise<void> => {
  await transaction.query(DISMISS, [id])
}
