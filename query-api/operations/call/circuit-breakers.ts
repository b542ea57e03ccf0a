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

/** Consecutive failures after which a store counts as unavailable. */
const MAX_FAILURES = 5
/** After this pause one call tries the store; other calls are refused until it has an answer. */
const PAUSE_MS = 1000
/**
 * The engine ends expensive queries earlier; the driver alone would wait over half a minute for an engine that hangs.
 */
const MAX_ANALYSIS_MS = 10_000

/** Refusal without asking a store that is known to be unavailable. */
class StoreUnavailable extends AssayError {
  constructor(lastFailure: string) {
    super('unavailable', `${lastFailure} It is asked again in ${PAUSE_MS / 1000} s.`, {
      retryAfterSeconds: PAUSE_MS / 1000,
    })
  }
}

/** No answer in time. A store that reports a query's time limit has answered, and can answer other queries. */
class NoAnswer extends AssayError {
  constructor(cause: unknown) {
    const message = `The analytics database took longer than ${MAX_ANALYSIS_MS / 1000} s. Ask for a shorter time or fewer groups.`
    super('timeout', message, { cause })
  }
}

const isUnavailable = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'unavailable' || error instanceof NoAnswer)

/** Stops asking a store after consecutive failures, and detects on its own that the store is back. */
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
    // The library would let other calls wait for the trial call, which can take as long as a failing connection.
    if (breaker.state === CircuitState.HalfOpen) throw new StoreUnavailable(lastFailure)
    try {
      return await breaker.execute(work)
    } catch (error) {
      throw isBrokenCircuitError(error) ? new StoreUnavailable(lastFailure) : error
    }
  }
}

/**
 * The database, refused at once while it is unavailable. A statement's time limit says nothing about other statements.
 */
export const databaseWithBreaker = (database: Database): Database => {
  const guarded = createBreaker()
  return { ...database, transaction: (scope, work) => guarded(() => database.transaction(scope, work)) }
}

/** The analytics engine, refused at once while it is unavailable; a query longer than 10 s fails with `timeout`. */
export const analyticsWithBreaker = (analytics: Analytics): Analytics => {
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

/** A retry is useless for a store that is known to be unavailable, and for a query that took too long. */
const passes = (error: unknown): boolean =>
  isAssayError(error) && (error.code === 'busy' || error.code === 'unavailable') && !(error instanceof StoreUnavailable)

// Random pauses keep calls that failed together from coming back together.
const policy = retry(handleWhen(passes), {
  maxAttempts: 2,
  backoff: new ExponentialBackoff({ initialDelay: 50, maxDelay: 250 }),
})

/** Repeats a read at most twice after a passing failure of a store. Never used for a write, which may have happened. */
export const retryingRead = <T>(read: () => Promise<T>): Promise<T> => policy.execute(read)

/**
 * Adds advice to a store's passing failure. A store that is lost during a commit may have committed, so a write is sent
 * again under its idempotency key, which answers the earlier result or runs the write. Other errors pass unchanged.
 */
export const withRepeatAdvice = (
  error: AssayError,
  { effect }: Pick<Operation, 'effect'>,
  idempotencyKey: string | null,
): AssayError => {
  if ((error.code !== 'unavailable' && error.code !== 'timeout') || error.retryAfterSeconds !== null) return error
  // A query that was too expensive already says so: a repetition costs the same.
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
