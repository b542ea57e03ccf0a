import { AssayError, asAssayError, isAssayError } from '../runtime/errors.ts'

/** Events of a model's work, for metrics. */
export interface ModelWatch {
  /** A request: `ok`, or its error's code. */
  request(outcome: string, milliseconds: number): void
}

/** Runs a call, and decides for a failure if the text or the model is the cause. */
export type ModelCalls = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

interface Options {
  /** A request that any working model can answer: when it fails too, the model is the cause. */
  readonly askHarmless: () => Promise<unknown>
  /** The code for a model whose answers cannot be used. */
  readonly unreadable: 'unavailable' | 'unsupported'
  readonly watch?: ModelWatch | undefined
}

/** True when the model's server is away or failing: any other text would fail too. */
export const isUnavailable = (error: unknown): boolean => isAssayError(error) && error.code === 'unavailable'

/**
 * Calls of one model. When a harmless question fails too, or the server is overloaded, the call fails with
 * `unavailable` (or `unreadable`): callers wait as long as the server asks, and no text is blamed. A single failed call
 * triggers this check.
 */
export const createModelCalls = ({ askHarmless, unreadable, watch }: Options): ModelCalls => {
  let probing: Promise<AssayError | null> | null = null

  const request = async <Answer>(call: () => Promise<Answer>): Promise<Answer> => {
    const started = performance.now()
    const record = (outcome: string) => watch?.request(outcome, performance.now() - started)
    try {
      const answer = await call()
      record('ok')
      return answer
    } catch (error) {
      record(isAssayError(error) ? error.code : 'internal')
      throw error
    }
  }

  /** The failure of a harmless question, or null. Concurrent callers share a request. */
  const probe = (): Promise<AssayError | null> => {
    probing ??= request(askHarmless)
      .then(() => null, asAssayError)
      .finally(() => {
        probing = null
      })
    return probing
  }

  return async call => {
    try {
      return await request(call)
    } catch (error) {
      if (!isAssayError(error) || isUnavailable(error)) throw error
      const failure = error.code === 'rate_limited' ? error : await probe()
      if (failure === null) throw error
      const why = failure === error ? 'It has too much to do.' : 'It fails for every text.'
      const seconds = Math.max(error.retryAfterSeconds ?? 0, failure.retryAfterSeconds ?? 0)
      throw new AssayError(failure.retriable ? 'unavailable' : unreadable, `${error.publicMessage} ${why}`, {
        cause: error,
        ...(seconds === 0 ? {} : { retryAfterSeconds: seconds }),
      })
    }
  }
}
