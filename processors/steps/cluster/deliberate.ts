import type { Judge, Verdict } from '../../../infra/models/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import type { Candidate } from '../../../model/claims/find-candidates.ts'

/** A candidate that did not become the signal's claim. */
export interface RejectedCandidate {
  readonly candidate: Candidate
  /** Null when nobody decided: the pair waits for somebody who does. */
  readonly refusedBy: string | null
  /** The judge that found the two to be the same, where people merge. */
  readonly foundBy?: string
  readonly reason: string
}

export type Deliberation =
  | {
      readonly kind: 'same'
      readonly candidate: Candidate
      readonly judge: string
      readonly reason: string
      /** The other candidates: those before it, and those that nobody was asked about any more. */
      readonly rejected: readonly RejectedCandidate[]
    }
  | { readonly kind: 'own'; readonly unmerged: readonly RejectedCandidate[] }
  | { readonly kind: 'retry'; readonly reason: string }

/**
 * What a deliberation comes to where people merge: a judge’s yes waits for one of them, and beside it, of those that the judge was not asked about, the
 * ones that would wait without a judge.
 */
export const leftToPeople = (outcome: Deliberation): Deliberation => {
  if (outcome.kind !== 'same') return outcome
  const { candidate, judge, reason, rejected } = outcome
  const beside = rejected.filter(one => one.refusedBy !== null || isWorthAsking(one.candidate))
  return { kind: 'own', unmerged: [{ candidate, refusedBy: null, foundBy: judge, reason }, ...beside] }
}

/** How many candidates a judge is asked about, or a person. */
export const MAX_CANDIDATES = 3
/** Without a judge a pair that only the vectors found must be rather near, or every signal would wait beside any other. */
const PROPOSE_FROM = 0.6

/**
 * Whether one of the candidates, the best first, is the signal's root problem. Only a judge's yes makes it so; without a judge, or
 * without a usable verdict of it, the pair waits. Rejects when the judge is away as a whole.
 */
export const deliberate = async (
  judge: Judge | null,
  text: string,
  candidates: readonly Candidate[],
): Promise<Deliberation> => {
  if (judge === null) return { kind: 'own', unmerged: candidates.filter(isWorthAsking).map(unjudged) }
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

const isWorthAsking = ({ wordsRank, vectorsRank, similarity }: Candidate): boolean =>
  isAmongFirst(wordsRank) && (isAmongFirst(vectorsRank) || (similarity ?? 0) >= PROPOSE_FROM)

/** How far ahead a candidate must be, by words and by vectors, to be proposed. */
const FIRST = 10
const isAmongFirst = (rank: number | null): boolean => rank !== null && rank <= FIRST

const unjudged = (candidate: Candidate): RejectedCandidate => ({
  candidate,
  refusedBy: null,
  reason: 'Words or meaning are near; no judge is configured to say whether the root problem is the same.',
})

const unasked = (candidate: Candidate): RejectedCandidate => ({
  candidate,
  refusedBy: null,
  reason: 'Not asked about: the judge had confirmed a better candidate.',
})

type Answer = Verdict | { readonly retry: string } | { readonly unusable: string }

const ask = async (judge: Judge, text: string, candidate: Candidate): Promise<Answer> => {
  try {
    return await judge.judge(text, candidate.text)
  } catch (error) {
    if (!isAssayError(error) || error.code === 'unavailable') throw error
    return error.retriable ? { retry: error.publicMessage } : { unusable: error.publicMessage }
  }
}
