import type { Judge } from '../../../infra/models/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import type { Candidate } from '../../../model/claims/find-candidates.ts'
import { concurrently } from './concurrently.ts'
import { deliberate } from './deliberate.ts'
import type { Deliberated } from './settle.ts'

/** How many signals are judged at a time: a model server answers them one by one. */
const AT_ONCE = 8

export type Undecided = Omit<Deliberated, 'outcome'> & { readonly candidates: readonly Candidate[] }

/**
 * Deliberates on each signal, in order. Rejects with `unavailable` when the judge is away, and when eight signals in a row came to nothing:
 * going on would keep the rest of the batch waiting call by call, and count an attempt for each.
 */
export const deliberateAll = async (
  judge: Judge | null,
  signals: readonly Undecided[],
): Promise<readonly Deliberated[]> => {
  let fruitless = 0
  return concurrently(signals, AT_ONCE, async ({ candidates, ...signal }) => {
    const outcome = await deliberate(judge, signal.text, candidates)
    if (outcome.kind === 'retry') fruitless += 1
    else if (candidates.length > 0) fruitless = 0
    if (judge !== null && fruitless >= AT_ONCE) {
      throw new AssayError('unavailable', `None of ${AT_ONCE} calls to the judge ${judge.model} succeeded.`)
    }
    return { ...signal, outcome }
  })
}
