import { createFairQueue } from '../../../infra/runtime/fair-queue.ts'
import type { TenantId } from '../../../schemas/domain/ids.ts'
import type { Caller } from '../define.ts'

/**
 * Half of the database's connections for a tenant: a page of the app asks for some things at once, and nobody has to
 * wait for a tenant that asks for all.
 */
const CALLS_OF_TENANT = { each: 3 }

/**
 * Of one person no more are in the tenant's line: a colleague waits behind these, not behind all that an agent of the
 * person asks for. More wait than any page or agent asks for at once.
 */
const CALLS_OF_PERSON = { each: 3, waiting: 200 }

/** Runs a call's work when it is its person's and its tenant's turn. Rejects with `rate_limited` beyond the limit. */
export const createTurns = () => {
  const ofTenant = createFairQueue<TenantId>(CALLS_OF_TENANT)
  const ofPerson = createFairQueue<string>(CALLS_OF_PERSON)
  return <T>({ tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>, work: () => Promise<T>): Promise<T> =>
    ofPerson(`${tenantId} ${userId}`, () => ofTenant(tenantId, work))
}
