import { AssayError, asAssayError, isAssayError } from '../runtime/errors.ts'

/** What is recorded of a model's work, for metrics. */
export interface ModelWatch {
  /** One request: `ok`, or the code of its error. */
  request(outcome: string, milliseconds: number): void
}

/** Runs a call, and says of a failure whether it lies in what was sent or in the model. */
export type ModelCalls = <Answer>(call: () => Promise<Answer>) => Promise<Answer>

interface Options {
  /** Asks the model what any such model can answer: where that fails as well, everything does. */
  readonly askHarmless: () => Promise<unknown>
  /** The code of a model that answers, and of which no answer can be used. */
  readonly unreadable: 'unavailable' | 'unsupported'
  readonly watch?: ModelWatch | undefined
}

/** Whether the model's server is away or failing, so that another text would have failed as well. */
export const isUnavailable = (error: unknown): boolean => isAssayError(error) && error.code === 'unavailable'

/**
 * Calls of one model. One that fails also for a harmless question, or says that it has too much to do, is
 * `unavailable`: whoever asked waits for it, as long as it asks for, and nobody blames a text. One call is enough to
 * notice it.
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

  /** How the model fails for a harmless question, or null. Callers at the same time share one request. */
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
