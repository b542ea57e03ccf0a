import { type Calibration, rawAt } from '../../infra/models/calibration.ts'

/**
 * The least cosine, on the calibrated scale, at which one signal repeats another; across channels, and between parts of
 * quoted e-mail threads.
 */
const NEAR_DUPLICATE_AT = 0.88
const NEAR_DUPLICATE_IN_THREADS_AT = 0.92
/** Vectors are of float32: a cosine that is meant to be 0.88 comes out up to this much below. */
const COSINE_TOLERANCE = 1e-6

/** The thresholds in the raw cosine of a model. */
export interface RepeatRule {
  readonly least: number
  readonly leastInThreads: number
  /** With more sign bits that differ, two vectors are not compared any further. */
  readonly mostDifferingBits: number
  readonly comparesWords: boolean
}

export const repeatRuleOf = (calibration: Calibration): RepeatRule => {
  const least = rawAt(calibration, NEAR_DUPLICATE_AT) - COSINE_TOLERANCE
  return {
    least,
    leastInThreads: rawAt(calibration, NEAR_DUPLICATE_IN_THREADS_AT) - COSINE_TOLERANCE,
    mostDifferingBits: differingBitsAt(least),
    comparesWords: calibration.comparesWords,
  }
}

const BITS = 1024
const DEVIATIONS = 4
/** An angle of 45°: models whose bits stray more than chance are looked at as far. */
const LEAST_DIFFERING_BITS = 256

/**
 * How many sign bits two vectors of a cosine differ in at most. Each bit differs with the share that their angle has of
 * 180°: for a cosine of 0.81 that is 204 bits of 1,024 on average, give or take 13.
 */
const differingBitsAt = (cosine: number): number => {
  const share = Math.acos(Math.min(1, Math.max(-1, cosine))) / Math.PI
  const bits = BITS * share + DEVIATIONS * Math.sqrt(BITS * share * (1 - share))
  return Math.max(LEAST_DIFFERING_BITS, Math.ceil(bits))
}
