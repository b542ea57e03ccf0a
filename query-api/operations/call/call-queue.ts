import { createFairQueue } from '../../../infra/runtime/fair-queue.ts'
import type { TenantId } from '../../../schemas/domain/ids.ts'
import type { Caller } from '../define.ts'

/**
 * Half of the database's connections for a tenant: an app page makes several calls at once, and no tenant waits for
 * another's many calls.
 */
const CALLS_OF_TENANT = { each: 3 }

/**
 * Calls of one person in the tenant's queue: a colleague waits behind these few, not behind all calls of the person's
 * agent. The waiting room exceeds what a page or an agent asks for at once.
 */
const CALLS_OF_PERSON = { each: 3, waiting: 200 }

/** Runs a call in its person's and tenant's turn. Rejects with `rate_limited` beyond the limit. */
export const createCallQueue = () => {
  const ofTenant = createFairQueue<TenantId>(CALLS_OF_TENANT)
  const ofPerson = createFairQueue<string>(CALLS_OF_PERSON)
  return <T>({ tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>, work: () => Promise<T>): Promise<T> =>
    ofPerson(`${tenantId} ${userId}`, () => ofTenant(tenantId, work))
}
