import type { SignBits } from '../../../infra/vector-index/port.ts'
import { differingBits, signBits } from '../../../infra/vector-index/sign-bits.ts'
import type { DuplicateReason } from '../../../model/duplicates/stored-states.ts'
import {
  COSINE_TOLERANCE,
  MAX_DIFFERING_BITS,
  NEAR_DUPLICATE_AT,
  NEAR_DUPLICATE_IN_THREADS_AT,
} from '../../../model/duplicates/thresholds.ts'
import type { FinishedSignal } from '../../../model/signals/insert-signals.ts'
import { cosine, fromVectorBytes } from '../../../model/vectors.ts'

export interface Twin {
  readonly of: FinishedSignal
  readonly reason: DuplicateReason
  readonly similarity: number
}

/** Finds repeats among signals that no row knows yet, by the rules that hold against rows. */
export const createBatchTwins = () => {
  const byText = new Map<string, FinishedSignal>()
  const kept: { readonly signal: FinishedSignal; readonly vector: Float32Array; readonly bits: SignBits }[] = []

  const findNear = (signal: FinishedSignal, vector: Float32Array, bits: SignBits): Twin | null => {
    let nearest: Twin | null = null
    for (const other of kept) {
      if (!isComparable(signal, other.signal)) continue
      if (differingBits(bits, other.bits) > MAX_DIFFERING_BITS) continue
      const similarity = cosine(vector, other.vector)
      const bothMail = signal.channel === 'email' && other.signal.channel === 'email'
      if (similarity < (bothMail ? NEAR_DUPLICATE_IN_THREADS_AT : NEAR_DUPLICATE_AT) - COSINE_TOLERANCE) continue
      if (nearest === null || similarity > nearest.similarity) {
        nearest = { of: other.signal, reason: 'near_duplicate', similarity }
      }
    }
    return nearest
  }

  return {
    /** What the signal repeats among those kept so far; null, and the signal is kept, when it repeats none. */
    findOrKeep: (signal: FinishedSignal): Twin | null => {
      const text = `${signal.workspace_id} ${signal.content.text_hash}`
      const same = byText.get(text)
      if (same !== undefined) return { of: same, reason: 'same_text', similarity: 1 }
      const vector = fromVectorBytes(signal.embedding.vector)
      const bits = signBits(vector)
      const near = findNear(signal, vector, bits)
      if (near !== null) return near
      byText.set(text, signal)
      kept.push({ signal, vector, bits })
      return null
    },
  }
}

const isComparable = (one: FinishedSignal, other: FinishedSignal): boolean =>
  one.workspace_id === other.workspace_id && one.embedding.model === other.embedding.model
