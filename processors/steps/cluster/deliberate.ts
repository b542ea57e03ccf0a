import type { Judge, Verdict } from '../../../infra/models/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { unjudgedReason, type WeighedCandidate } from '../../../model/merges/propose-merges.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'

/** A candidate that did not become the signal's claim. */
export interface RejectedCandidate {
  readonly candidate: WeighedCandidate
  /** Null when nobody decided: the pair waits for somebody who does. */
  readonly refusedBy: string | null
  /** The judge that found the two to be the same, where people merge. */
  readonly foundBy?: string
  readonly reason: string
}

export type Deliberation =
  | {
      readonly kind: 'same'
      readonly candidate: WeighedCandidate
      readonly judge: string
      readonly reason: string
      /** The other candidates: those before it, and those that nobody was asked about any more. */
      readonly rejected: readonly RejectedCandidate[]
    }
  | { readonly kind: 'own'; readonly unmerged: readonly RejectedCandidate[] }
  | { readonly kind: 'retry'; readonly reason: string }

/** A signal, and what became of it. */
export interface Deliberated {
  readonly signalId: SignalId
  readonly workspaceId: WorkspaceId
  /** Null of one that starts no claim by itself. */
  readonly kind: ClaimKind | null
  readonly text: string
  readonly outcome: Deliberation
}

/**
 * What a deliberation comes to where people merge: a judge’s yes waits for one of them, and beside it those that the
 * judge was not asked about.
 */
export const leftToPeople = (outcome: Deliberation): Deliberation => {
  if (outcome.kind !== 'same') return outcome
  const { candidate, judge, reason, rejected } = outcome
  return { kind: 'own', unmerged: [{ candidate, refusedBy: null, foundBy: judge, reason }, ...rejected] }
}

/**
 * Whether one of the candidates, the likeliest first, is the signal's root problem. Only a judge's yes makes it so;
 * without a judge, or without a usable verdict of it, the pair is left to people. Rejects when the judge is away as a
 * whole.
 */
const deliberate = async (
  judge: Judge | null,
  text: string,
  candidates: readonly WeighedCandidate[],
): Promise<Deliberation> => {
  if (judge === null) return { kind: 'own', unmerged: candidates.map(unjudged) }
  const unmerged: RejectedCandidate[] = []
  for (const [index, candidate] of candidates.entries()) {
    const answer = await ask(judge, text, candidate)
    if ('retry' in answer) return { kind: 'retry', reason: answer.retry }
    if ('unusable' in answer) unmerged.push({ candidate, refusedBy: null, reason: answer.unusable })
    else if (answer.sameRootProblem) {
      const rejected = [...unmerged, ...candidates.slice(index + 1).map(unasked)]
      return { kind: 'same', candidate, judge: judge.model, reason: answer.reason, rejected }
    } else unmerged.push({ candidate, refusedBy: judge.model, reason: answer.reason })
  }
  return { kind: 'own', unmerged }
}

const unjudged = (candidate: WeighedCandidate): RejectedCandidate => ({
  candidate,
  refusedBy: null,
  reason: unjudgedReason(candidate.isByMeaning),
})

const unasked = (candidate: WeighedCandidate): RejectedCandidate => ({
  candidate,
  refusedBy: null,
  reason: 'Not asked about: the judge had confirmed a better candidate.',
})

type Answer = Verdict | { readonly retry: string } | { readonly unusable: string }

const ask = async (judge: Judge, text: string, candidate: WeighedCandidate): Promise<Answer> => {
  try {
    return await judge.judge(text, candidate.text)
  } catch (error) {
    if (!isAssayError(error) || error.code === 'unavailable') throw error
    return error.retriable ? { retry: error.publicMessage } : { unusable: error.publicMessage }
  }
}

/** How many signals are judged at a time: a model server answers them one by one. */
const AT_ONCE = 8

/** A signal that is to be deliberated on, with what it may be the same as. */
export type Undecided = Omit<Deliberated, 'outcome'> & { readonly candidates: readonly WeighedCandidate[] }

/**
 * Deliberates on each signal, in order. Rejects with `unavailable` when the judge is away, and when eight signals in a
 * row came to nothing: going on would keep the rest of the batch waiting call by call, and count an attempt for each.
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

/**
 * Runs `work` on every item, on at most `limit` at a time; answers in the order of the items. The first error stops
 * what has not begun.
 */
const concurrently = async <Item, Result>(
  items: readonly Item[],
  limit: number,
  work: (item: Item) => Promise<Result>,
): Promise<readonly Result[]> => {
  const results = new Map<number, Result>()
  const waiting = items.entries()
  let failed = false
  const worker = async () => {
    for (const [index, item] of waiting) {
      if (failed) return
      try {
        results.set(index, await work(item))
      } catch (error) {
        failed = true
        throw error
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return [...results.entries()].toSorted(([a], [b]) => a - b).map(([, result]) => result)
}
