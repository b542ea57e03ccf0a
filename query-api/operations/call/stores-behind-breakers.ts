import {
  CircuitState,
  ConsecutiveBreaker,
  circuitBreaker,
  ExponentialBackoff,
  handleWhen,
  isBrokenCircuitError,
  isTaskCancelledError,
  retry,
  TimeoutStrategy,
  timeout,
} from 'cockatiel'
import type { Analytics } from '../../../infra/clickhouse/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { asAssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { AssayError, type Operation } from '../define.ts'

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
class StoreUnavailable extends AssayError {
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
class NoAnswer extends AssayError {
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

/** A store that is known to be away is not asked again, and one that took too long would take as long once more. */
const passes = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'busy' || error.code === 'unavailable') && !(error instanceof StoreUnavailable)

// Its pauses are scattered: calls that failed together do not come back together.
const policy = retry(handleWhen(passes), {
  maxAttempts: 2,
  backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 250 }),
})

/**
 * Runs a read again when a store failed in a way that passes, at most twice. Never for a write: it may have happened.
 */
export const retryingRead = <T>(read: () => Promise<T>): Promise<T> => policy.execute(read)

/**
 * A failure of a store that passes, with what its caller can do. A store that is lost while it commits may have
 * committed: a write is sent again under its idempotency key, which answers what was done, or else does it. Other
 * errors pass unchanged.
 */
export const withRepeatAdvice = (
  error: AssayError,
  { effect }: Pick<Operation, 'effect'>,
  idempotencyKey: string | null,
): AssayError => {
  if ((error.code !== 'unavailable' && error.code !== 'timeout') || error.retryAfterSeconds !== null) return error
  // A question that was too dear says so itself: asked again it would be no cheaper.
  if (error instanceof NoAnswer) return error
  const advice =
    effect === 'read'
      ? 'Try again in some seconds.'
      : idempotencyKey === null
        ? 'It may have been done: look before you call again, and send an X-Idempotency-Key with each write.'
        : 'It may have been done: send the same again with the same X-Idempotency-Key, and it is done once.'
  return new AssayError(error.code, `${error.publicMessage} ${advice}`, {
    cause: error.cause,
    violations: error.violations,
    retriable: error.retriable,
    context: error.context,
  })
}
