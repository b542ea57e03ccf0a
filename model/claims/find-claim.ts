import type { Transaction } from '../../infra/postgres/port.ts'
import { type ClaimId, isUuid, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { resolveOne } from '../references/resolve.ts'

/** A claim by itself, merged or not. */
export interface Claim {
  readonly id: ClaimId
  readonly workspace_id: WorkspaceId
  readonly number: number
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly merged_into: ClaimId | null
  readonly version: number
}

const CLAIM = 'select id, workspace_id, number, kind, state, merged_into, version from claims'
const BY_ID = `${CLAIM} where id = $1`
const BY_NUMBER = `${CLAIM} where number = $1`

const REFERENCE = /^CLM-(\d{1,9})$/i

/**
 * The claim that a UUID or a reference names itself, where `resolveOne` would follow it to the claim that it lives on in. A title, which
 * may have gone on to a survivor, is resolved as everywhere. Throws `not_found` or `ambiguous`.
 */
export const findClaim = async (transaction: Transaction, given: string): Promise<Claim> => {
  const identifier = given.trim()
  const number = REFERENCE.exec(identifier)?.[1]
  const find = async (): Promise<Claim[]> => {
    if (isUuid(identifier)) return transaction.query<Claim>(BY_ID, [identifier])
    return number === undefined ? [] : transaction.query<Claim>(BY_NUMBER, [Number(number)])
  }
  const [named] = await find()
  if (named !== undefined) return named
  const { id } = await resolveOne(transaction, 'claim', identifier)
  const [survivor] = await transaction.query<Claim>(BY_ID, [id])
  if (survivor === undefined) throw new Error(`The claim ${id} was resolved and is not there.`)
  return survivor
}
