import type { Calibration } from '../../../infra/models/calibration.ts'
import type { SignBits } from '../../../infra/vector-index/port.ts'
import { differingBits, signBits } from '../../../infra/vector-index/sign-bits.ts'
import { cosine, fromVectorBytes } from '../../../infra/vectors.ts'
import { COMPARED_BY_WORDS, type RepeatRule, repeatRuleOf } from '../../../model/duplicates/near-duplicates.ts'
import type { DuplicateReason } from '../../../model/duplicates/stored-states.ts'
import { saysTheSameAs } from '../../../model/duplicates/wording/says-the-same.ts'
import { readWording } from '../../../model/duplicates/wording/wording.ts'
import type { VectorSpace } from '../../../model/neighbours/stored-bits.ts'
import { vectorSpaceOf } from '../../../model/signals/scope.ts'
import type { FinishedSignal } from '../../../model/signals/store-signals.ts'

export interface Twin {
  readonly of: FinishedSignal
  readonly reason: DuplicateReason
  readonly similarity: number
}

interface Kept {
  readonly signal: FinishedSignal
  readonly vector: Float32Array
  readonly bits: SignBits
}

interface Near {
  readonly other: Kept
  readonly similarity: number
}

const firstThatSaysTheSame = (one: Kept, near: readonly Near[]): Near | undefined => {
  if (near.length === 0) return undefined
  const words = readWording(one.signal.content.text)
  return near.slice(0, COMPARED_BY_WORDS).find(({ other }) => saysTheSameAs(words, other.signal.content.text))
}

/** Finds repeats among signals of a batch that have no row yet, by the rules for stored rows. */
export const createBatchTwins = (calibrationOf: (space: VectorSpace) => Calibration) => {
  const byText = new Map<string, FinishedSignal>()
  const kept: Kept[] = []

  /** The nearest first; the earlier one of equally near signals. */
  const nearTo = (one: Kept, rule: RepeatRule) => {
    const near: Near[] = []
    for (const other of kept) {
      if (!isComparable(one.signal, other.signal)) continue
      if (differingBits(one.bits, other.bits) > rule.mostDifferingBits) continue
      const similarity = cosine(one.vector, other.vector)
      const bothMail = one.signal.channel === 'email' && other.signal.channel === 'email'
      if (similarity >= (bothMail ? rule.leastInThreads : rule.least)) near.push({ other, similarity })
    }
    return near.sort((left, right) => right.similarity - left.similarity)
  }

  const findNear = (one: Kept): Twin | null => {
    const rule = repeatRuleOf(calibrationOf(vectorSpaceOf(one.signal)))
    const near = nearTo(one, rule)
    const twin = rule.comparesWords(one.signal.content.text) ? firstThatSaysTheSame(one, near) : near[0]
    return twin === undefined ? null : { of: twin.other.signal, reason: 'near_duplicate', similarity: twin.similarity }
  }

  return {
    /** The kept signal that this one repeats. Null when there is none; the signal is then kept. */
    findOrKeep: (signal: FinishedSignal): Twin | null => {
      const text = `${signal.workspace_id} ${signal.content.text_hash}`
      const same = byText.get(text)
      if (same !== undefined) return { of: same, reason: 'same_text', similarity: 1 }
      const vector = fromVectorBytes(signal.embedding.vector)
      const one: Kept = { signal, vector, bits: signBits(vector) }
      const near = findNear(one)
      if (near !== null) return near
      byText.set(text, signal)
      kept.push(one)
      return null
    },
  }
}

const isComparable = (one: FinishedSignal, other: FinishedSignal): boolean =>
  one.workspace_id === other.workspace_id && one.embedding.model === other.embedding.model
