import type { Scope, Standing } from '../../../infra/postgres/port.ts'
import { type Caller, isProvisioning, type Operation, type WriteOperation } from '../define.ts'

/**
 * The caller for whom a transaction works, as the door admitted them; the transaction checks them again when it opens.
 */
export const standingOf = (caller: Caller, holds: Standing['holds']): Standing => {
  const { workspaceId, userId, role, via: through } = caller
  return {
    workspaceId,
    userId,
    role,
    // An operator's key works while its owner is an administrator of the installation.
    administers: through.kind === 'app' ? through.administers : isProvisioning(caller),
    proof: through.kind === 'app' ? { sessionId: through.sessionId } : { keyId: through.keyId },
    holds,
  }
}

const scopeOf = (operation: Operation, caller: Caller, holds: Standing['holds']): Scope => {
  const { databaseRole: role = 'assay_app', allowedDuringImport = false } = operation
  const standing = standingOf(caller, holds)
  if (role === 'assay_accounts') return { role, standing }
  const { workspaceId } = caller
  return role === 'assay_app' ? { role, workspaceId, allowedDuringImport, standing } : { role, workspaceId, standing }
}

/** Scope of a reading transaction: it opens only while the caller has their rights. */
export const readingScope = (operation: Operation, caller: Caller): Scope => ({
  ...scopeOf(operation, caller, null),
  isDivisible: true,
})

/** Scope of a writing transaction: the caller's rights cannot be removed until it ends. */
export const writingScope = (operation: WriteOperation, caller: Caller): Scope => {
  const changesAdministration = operation.role === 'administrator' || isProvisioning(caller)
  const changed = operation.changesMembers ? 'owners' : changesAdministration ? 'administrators' : 'own'
  return scopeOf(operation, caller, changed)
}
