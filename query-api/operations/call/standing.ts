import type { Scope, Standing } from '../../../infra/postgres/port.ts'
import { type Caller, isProvisioning, type Operation, type WriteOperation } from '../define.ts'

/** Whom a transaction works for: the caller as the door admitted them, looked up again as it opens. */
export const standingOf = (caller: Caller, holds: Standing['holds']): Standing => {
  const { workspaceId, userId, role, via: through } = caller
  return {
    workspaceId,
    userId,
    role,
    // An operator's key works while its owner administers the installation.
    administers: through.kind === 'app' ? through.administers : isProvisioning(caller),
    proof: through.kind === 'app' ? { sessionId: through.sessionId } : { keyId: through.keyId },
    holds,
  }
}

const scopeOf = (operation: Operation, caller: Caller, holds: Standing['holds']): Scope => {
  const { worksAs: role = 'assay_app', whileImported = false } = operation
  const standing = standingOf(caller, holds)
  if (role === 'assay_accounts') return { role, standing }
  const { workspaceId } = caller
  return role === 'assay_app' ? { role, workspaceId, whileImported, standing } : { role, workspaceId, standing }
}

/** A transaction in which a call reads: it opens for nobody who has lost their place. */
export const readingScope = (operation: Operation, caller: Caller): Scope => ({
  ...scopeOf(operation, caller, null),
  isDivisible: true,
})

/** The transaction in which a call writes: nobody takes the caller's place away until it has ended. */
export const writingScope = (operation: WriteOperation, caller: Caller): Scope => {
  const changesAdministration = operation.role === 'administrator' || isProvisioning(caller)
  const changed = operation.changesMembers ? 'owners' : changesAdministration ? 'administrators' : 'own'
  return scopeOf(operation, caller, changed)
}
