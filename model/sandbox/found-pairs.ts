import { createTextsInOrder } from '../claims/texts-in-order.ts'
import { OTHERS } from '../merges/chance/chance.ts'
import { weighCandidates } from '../merges/propose-merges.ts'

/** A text of the sample data as it came, the oldest first. */
export interface Said {
  readonly text: string
  readonly occurredAt: Date
  /** The claim that it is evidence of; null where there is none. */
  readonly claim: string | null
}

/** Two claims, as this installation finds them to be alike. */
export interface FoundPair {
  readonly claim: string
  readonly candidate: string
  readonly score: number
  readonly similarity: number
  readonly chance: number
  readonly isByMeaning: boolean
}

/**
 * The pairs of claims that the pipeline would see if the texts came one after the other, with the installation's
 * vectors and without a judge: each pair once, as its likeliest two signals have it, the likeliest pair first.
 */
export const foundPairs = (
  said: readonly Said[],
  { model, vectors }: { readonly model: string; readonly vectors: readonly Float32Array[] },
): readonly FoundPair[] => {
  const texts = createTextsInOrder({ model, vectors })
  const found = new Map<string, FoundPair>()
  for (const { text, occurredAt, claim } of said) {
    texts.add(text)
    if (claim === null) continue
    const candidates = texts
      .nearLast()
      .map(near => {
        const { occurredAt: at = occurredAt, claim: of = null } = said[near.place] ?? {}
        // Nobody in the sample wrote a series of reports.
        return { ...near, occurredAt: at, mayBeSeries: false, claim: of }
      })
      // Of a claim the best one.
      .filter(({ claim: of }, at, all) => of === null || all.findIndex(other => other.claim === of) === at)
      .slice(0, OTHERS)
    for (const one of weighCandidates(
      { occurredAt, model },
      candidates,
      ({ claim: of }) => of !== null && of !== claim,
    )) {
      const candidate = one.claim ?? claim
      const name = [claim, candidate].toSorted().join(' ')
      if ((found.get(name)?.chance ?? 0) >= one.chance) continue
      const { score, similarity, chance, isByMeaning } = one
      found.set(name, { claim, candidate, score, similarity, chance, isByMeaning })
    }
  }
  return [...found.values()].toSorted((one, other) => other.chance - one.chance)
}
