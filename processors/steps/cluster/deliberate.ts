import type { Judge, Verdict } from '../../../infra/models/port.ts'
import { AssayError, isAssayError } from '../../../infra/runtime/errors.ts'
import { unjudgedReason } from '../../../model/merges/pair-reason.ts'
import type { WeighedCandidate } from '../../../model/merges/propose-merges.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { ClaimKind } from '../../../schemas/domain/vocabulary.ts'

/** A candidate that did not become the signal's claim. */
export interface WeighedRejection {
  readonly candidate: WeighedCandidate
  /** Null: nobody has decided, so the pair waits for a person. */
  readonly rejectedBy: string | null
  /** The judge that found the pair to be the same, in a workspace where people merge. */
  readonly confirmedBy?: string
  readonly reason: string
}

/** A candidate that the judge found to be the same as the signal. */
interface FoundCandidate {
  readonly candidate: WeighedCandidate
  readonly reason: string
}

export type Deliberation =
  | (FoundCandidate & {
      readonly kind: 'same'
      readonly judge: string
      /** Candidates without a claim that are the same too. */
      readonly also: readonly FoundCandidate[]
      /** The other candidates: those that were judged before, and those that nobody was asked about. */
      readonly rejected: readonly WeighedRejection[]
    })
  | { readonly kind: 'own'; readonly rejected: readonly WeighedRejection[] }
  | { readonly kind: 'retry'; readonly reason: string }

/** A signal and its outcome. */
export interface Deliberated {
  readonly signalId: SignalId
  readonly workspaceId: WorkspaceId
  /** Null for a signal that starts no claim by itself. */
  readonly kind: ClaimKind | null
  readonly text: string
  readonly outcome: Deliberation
}

/**
 * The outcome in a workspace where people merge: a judge's yes waits for a person, as do the candidates that the judge
 * was not asked about.
 */
export const leftToPeople = (outcome: Deliberation): Deliberation => {
  if (outcome.kind !== 'same') return outcome
  const { candidate, judge, reason, also, rejected } = outcome
  const found = [{ candidate, reason }, ...also].map(one => ({ ...one, rejectedBy: null, confirmedBy: judge }))
  return { kind: 'own', rejected: [...found, ...rejected] }
}

/**
 * Asks the judge about the candidates, the likeliest first, until one has the signal's root problem. After that it is
 * asked only about signals without a claim, such as questions: nobody compares them with each other, so this signal may
 * be all that brings them together. Without a judge, or without a usable verdict, the pair is left to people. Rejects
 * when the judge is away.
 */
const deliberate = async (
  judge: Judge | null,
  text: string,
  candidates: readonly WeighedCandidate[],
): Promise<Deliberation> => {
  if (judge === null) return { kind: 'own', rejected: candidates.map(unjudged) }
  const found: FoundCandidate[] = []
  const rejected: WeighedRejection[] = []
  for (const candidate of candidates) {
    if (found.length > 0 && !candidate.mayStartClaim) {
      rejected.push(unasked(candidate))
      continue
    }
    const answer = await ask(judge, text, candidate)
    if ('retry' in answer) return { kind: 'retry', reason: answer.retry }
    if ('unusable' in answer) rejected.push({ candidate, rejectedBy: null, reason: answer.unusable })
    else if (answer.sameRootProblem) found.push({ candidate, reason: answer.reason })
    else rejected.push({ candidate, rejectedBy: judge.model, reason: answer.reason })
  }
  const [first, ...also] = found
  if (first === undefined) return { kind: 'own', rejected }
  return { kind: 'same', ...first, judge: judge.model, also, rejected }
}

const unjudged = (candidate: WeighedCandidate): WeighedRejection => ({
  candidate,
  rejectedBy: null,
  reason: unjudgedReason(candidate.isByMeaning),
})

const unasked = (candidate: WeighedCandidate): WeighedRejection => ({
  candidate,
  rejectedBy: null,
  reason: 'The judge was not asked about it: it had found a likelier one.',
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

/** Signals that are judged at once. */
const JUDGE_CONCURRENCY = 8

/** A signal without an outcome, with its candidates. */
export type Undecided = Omit<Deliberated, 'outcome'> & { readonly candidates: readonly WeighedCandidate[] }

/**
 * Deliberates on each signal, in order. Rejects with `unavailable` when the judge is away, or when eight signals in a
 * row failed: further calls would delay the rest of the batch one by one, and count an attempt for each.
 */
export const deliberateAll = async (
  judge: Judge | null,
  signals: readonly Undecided[],
): Promise<readonly Deliberated[]> => {
  let fruitless = 0
  return concurrently(signals, JUDGE_CONCURRENCY, async ({ candidates, ...signal }) => {
    const outcome = await deliberate(judge, signal.text, candidates)
    if (outcome.kind === 'retry') fruitless += 1
    else if (candidates.length > 0) fruitless = 0
    if (judge !== null && fruitless >= JUDGE_CONCURRENCY) {
      throw new AssayError('unavailable', `None of ${JUDGE_CONCURRENCY} calls to the judge ${judge.model} succeeded.`)
    }
    return { ...signal, outcome }
  })
}

/**
 * Runs `work` on every item, `limit` at once, and answers in the items' order. After the first error no further item
 * starts.
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
