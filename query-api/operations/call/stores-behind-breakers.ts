import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  handleWhen,
  isBrokenCircuitError,
  isTaskCancelledError,
  TimeoutStrategy,
  timeout,
} from 'cockatiel'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { AssayError, asAssayError, isAssayError } from '../../../infra/runtime/errors.ts'

/** Failures in a row after which a store counts as away. */
const MAX_FAILURES = 5
/** So long nobody asks it; then one call tries, and the others go on being refused until that one has its answer. */
const PAUSE_MS = 1000
/**
 * The engine ends a question that is too dear before; the driver alone would wait for one that hangs for over half a
 * minute.
 */
const MAX_ANALYSIS_MS = 10_000

/** The refusal of a store that is known to be away, without asking it. */
export class StoreUnavailable extends AssayError {
  constructor(lastFailure: string) {
    super('unavailable', `${lastFailure} It is asked again in ${PAUSE_MS / 1000} s.`, {
      retryAfterSeconds: PAUSE_MS / 1000,
    })
  }
}

/**
 * No answer at all in time. A store that says of a question that it took too long has answered, and has time for
 * others.
 */
export class NoAnswer extends AssayError {
  constructor(cause: unknown) {
    const message = `The analytics database took longer than ${MAX_ANALYSIS_MS / 1000} s. Ask for a shorter time or fewer groups.`
    super('timeout', message, { cause })
  }
}

const isUnavailable = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'unavailable' || error instanceof NoAnswer)

/** Stops asking a store after failures in a row that say that it is away, and finds out by itself when it is back. */
const createBreaker = () => {
  const breaker = circuitBreaker(handleWhen(isUnavailable), {
    halfOpenAfter: PAUSE_MS,
    breaker: new ConsecutiveBreaker(MAX_FAILURES),
  })
  let lastFailure = ''
  breaker.onFailure(({ handled, reason }) => {
    if (handled && 'error' in reason) lastFailure = asAssayError(reason.error).publicMessage
  })
  return async <T>(work: () => Promise<T>): Promise<T> => {
    // The library would let those who come while one tries wait for it, which may be as long as a connection takes to
    // fail.
    if (breaker.state === CircuitState.HalfOpen) throw new StoreUnavailable(lastFailure)
    try {
      return await breaker.execute(work)
    } catch (error) {
      throw isBrokenCircuitError(error) ? new StoreUnavailable(lastFailure) : error
    }
  }
}

/** The database, refused at once while it is away. A statement that took too long says nothing about the others. */
export const databaseBehindBreaker = (database: Database): Database => {
  const guarded = createBreaker()
  return { ...database, transaction: (scope, work) => guarded(() => database.transaction(scope, work)) }
}

/**
 * The analytics engine, refused at once while it is away; a query that takes longer than 10 s is given up with
 * `timeout`.
 */
export const analyticsBehindBreaker = (analytics: Analytics): Analytics => {
  const guarded = createBreaker()
  const timeLimit = timeout(MAX_ANALYSIS_MS, TimeoutStrategy.Aggressive)
  const inTime = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await timeLimit.execute(work)
    } catch (error) {
      if (!isTaskCancelledError(error)) throw error
      throw new NoAnswer(error)
    }
  }
  return {
    ...analytics,
    query: (statement, parameters) => guarded(() => inTime(() => analytics.query(statement, parameters))),
  }
}
