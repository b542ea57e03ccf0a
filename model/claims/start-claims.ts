import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../schemas/domain/vocabulary.ts'
import { allocateNumbers } from '../references/next-numbers.ts'

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
  const numbers = new Map<ClaimId, number>()
  for (const [workspaceId, ofWorkspace] of Map.groupBy(claims, claim => claim.workspaceId)) {
    const first = await allocateNumbers(transaction, workspaceId, 'claim', ofWorkspace.length)
    for (const [index, claim] of ofWorkspace.entries()) numbers.set(claim.id, first + index)
  }
  if (claims.length === 0) return
  await transaction.query(INSERT_CLAIMS, [
    claims.map(claim => claim.id),
    claims.map(claim => claim.workspaceId),
    claims.map(claim => numbers.get(claim.id)),
    claims.map(claim => claim.kind),
    claims.map(claim => claim.title),
    claims.map(claim => claim.statement),
  ])
}
