import { yieldToEventLoop } from '../../infra/runtime/yielding.ts'
import { createTextsInOrder } from '../claims/texts-in-order.ts'
import { OTHERS } from './chance/chance.ts'
import { weighCandidates } from './propose-merges.ts'

/** A text in order of arrival, oldest first. */
export interface Said<Claim extends string = string> {
  readonly text: string
  readonly occurredAt: Date
  /** Claim of the text; null without one. */
  readonly claim: Claim | null
}

/** Two similar claims. */
export interface FoundPair<Claim extends string = string> {
  readonly claim: Claim
  readonly candidate: Claim
  readonly score: number
  readonly similarity: number
  readonly chance: number
  readonly isByMeaning: boolean
}

/** Texts that are compared before the event loop gets a turn. */
const A_TURN = 10

/**
 * Pairs of claims that the pipeline would see if the texts came one after the other, with the installation's vectors
 * and without a judge. Each pair once, by its likeliest two signals; likeliest first.
 */
export const foundPairs = async <Claim extends string>(
  said: readonly Said<Claim>[],
  { model, vectors }: { readonly model: string; readonly vectors: readonly Float32Array[] },
): Promise<readonly FoundPair<Claim>[]> => {
  const texts = createTextsInOrder({ model, vectors })
  const found = new Map<string, FoundPair<Claim>>()
  for (const [at, { text, occurredAt, claim }] of said.entries()) {
    if (at % A_TURN === 0) await yieldToEventLoop()
    texts.add(text)
    if (claim === null) continue
    const candidates = texts
      .nearLast()
      .map(near => {
        const { occurredAt: before = occurredAt, claim: of = null } = said[near.place] ?? {}
        // No authors are known, so no pair counts as a series.
        return { ...near, occurredAt: before, mayBeSeries: false, claim: of }
      })
      // Keeps the best candidate of each claim.
      .filter(({ claim: of }, place, all) => of === null || all.findIndex(other => other.claim === of) === place)
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
