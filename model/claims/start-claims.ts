import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../schemas/domain/vocabulary.ts'
import { nextNumbers } from '../references/next-numbers.ts'

const INSERT_CLAIMS = `
  insert into claims (id, workspace_id, number, kind, title, statement)
  select * from unnest($1::uuid[], $2::uuid[], $3::int[], $4::text[], $5::text[], $6::text[])`

export interface NewClaim {
  readonly id: ClaimId
  readonly workspaceId: WorkspaceId
  readonly signalId: SignalId
  readonly kind: ClaimKind
  readonly title: string
  readonly statement: string
}

/** Stores emerging claims, numbered in their order. Needs the lock of the workspaces. */
export const startClaims = async (transaction: Transaction, claims: readonly NewClaim[]): Promise<void> => {
  if (claims.length === 0) return
  const workspaceIds = claims.map(claim => claim.workspaceId)
  const numbers = await nextNumbers(transaction, 'claim', workspaceIds)
  await transaction.query(INSERT_CLAIMS, [
    claims.map(claim => claim.id),
    workspaceIds,
    numbers,
    claims.map(claim => claim.kind),
    claims.map(claim => claim.title),
    claims.map(claim => claim.statement),
  ])
}
