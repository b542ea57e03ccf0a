import { type Calibration, toScale } from '../../infra/models/calibration.ts'
import type { Anchor } from '../../schemas/events/signal.ts'
import type { NearestNode } from './nearest-nodes.ts'

/**
 * The least cosine, on the calibrated scale, at which a signal is attached to its nearest node. The database sums in float32: dense vectors are
 * within 0.000005 of it.
 */
export const ATTACH_AT = 0.8

/** What a signal is anchored to, by its nearest node; the score, on the calibrated scale, is kept, near enough or not. */
export const anchorTo = (nearest: NearestNode | null, calibration: Calibration): Anchor => {
  if (nearest === null) return { node_id: null, score: null }
  const score = toScale(calibration, nearest.score)
  return { node_id: score >= ATTACH_AT ? nearest.nodeId : null, score }
}
