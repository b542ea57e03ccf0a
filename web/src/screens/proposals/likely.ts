import type { Output } from '../../api/operations.ts'

export type MergeGroup = Output<'list_merge_groups'>['items'][number]
export type MergePair = MergeGroup['pairs'][number]

/** A pair with the claim that the one may be the same as. */
export interface Pair extends MergePair {
  readonly beside: MergeGroup['survivor']
}

export interface Likely {
  readonly pairs: readonly Pair[]
  /** The chances from which on there are several. */
  readonly bars: readonly number[]
  readonly usual: number
}

/** From this chance on, what may be the same is offered to be merged without a look at each. */
export const LIKELY = 0.9

/** What a judge finds to be the same is likelier than any bar. */
const likelihoodOf = ({ chance, found_by }: Pick<MergePair, 'chance' | 'found_by'>): number =>
  found_by !== null ? 1 : (chance ?? 0)

export const isAbove =
  (bar: number) =>
  (pair: MergePair): boolean =>
    likelihoodOf(pair) >= bar

type Linked = Pick<MergePair, 'chance' | 'found_by' | 'same_as'> & { readonly claim: { readonly reference: string } }

/** The pairs of a group, the likeliest first, as groups are: those of the service begin at the claim that lives on. */
export const likeliestFirst = <Each extends Linked>(pairs: readonly Each[]): Each[] =>
  pairs.toSorted((one, other) => likelihoodOf(other) - likelihoodOf(one))

/**
 * The claims, by reference, that are likely the same as the one that would live on. A claim that is only like another
 * one of the group is as likely as all the steps on its way together.
 */
export const likelyClaims = (survivor: string, pairs: readonly Linked[]): ReadonlySet<string> => {
  const steps = new Map(pairs.map(pair => [pair.claim.reference, pair]))
  const likelihoods = new Map([[survivor, 1]])
  for (const { claim } of pairs) {
    const way: Linked[] = []
    let at = claim.reference
    while (!likelihoods.has(at)) {
      const step = steps.get(at)
      // A claim that was decided on is no longer in the group: the oldest one stands for it.
      if (step === undefined || way.includes(step)) at = survivor
      else {
        way.push(step)
        at = step.same_as
      }
    }
    for (const step of way.toReversed()) {
      const before = likelihoods.get(steps.has(step.same_as) ? step.same_as : survivor) ?? 1
      likelihoods.set(step.claim.reference, before * likelihoodOf(step))
    }
  }
  return new Set([...likelihoods].filter(([, likelihood]) => likelihood >= LIKELY).map(([reference]) => reference))
}
