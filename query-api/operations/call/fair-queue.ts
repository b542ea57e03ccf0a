import { AssayError } from '../../../infra/runtime/errors.ts'
import type { TenantId } from '../../../schemas/domain/ids.ts'

/**
 * Half of the database's connections: a page of the app asks for some things at once, and nobody has to wait for a
 * tenant that asks for all.
 */
const AT_ONCE = 3
/** More than any page or agent asks for at once. */
const MAX_WAITING = 200

interface Line {
  running: number
  readonly waiting: (() => void)[]
}

/**
 * Lets each tenant have a few calls under way; its others wait behind those in the order they came. However many and
 * however dear a tenant's calls are, another's find the stores with room.
 */
export const createFairQueue = (atOnce = AT_ONCE, mostWaiting = MAX_WAITING) => {
  const lines = new Map<TenantId, Line>()

  const leave = (tenant: TenantId, line: Line): void => {
    const next = line.waiting.shift()
    // Whoever is next takes the place over.
    if (next !== undefined) next()
    else line.running -= 1
    if (line.running === 0) lines.delete(tenant)
  }

  /**
   * Runs the work when it is the tenant's turn. Rejects with `rate_limited` when too many calls of the tenant wait
   * already.
   */
  return async <T>(tenant: TenantId, work: () => Promise<T>): Promise<T> => {
    const line = lines.get(tenant) ?? { running: 0, waiting: [] }
    lines.set(tenant, line)
    if (line.running < atOnce) line.running += 1
    else if (line.waiting.length < mostWaiting) await new Promise<void>(resolve => line.waiting.push(resolve))
    else throw tooMany(mostWaiting)
    try {
      return await work()
    } finally {
      leave(tenant, line)
    }
  }
}

const tooMany = (waiting: number): AssayError =>
  new AssayError(
    'rate_limited',
    `${waiting} calls of this tenant wait for their turn already. Wait for their answers.`,
    {
      retryAfterSeconds: 1,
    },
  )
