import type { Anchor } from '../../schemas/events/signal.ts'
import type { NearestNode } from './nearest-nodes.ts'

/** The least cosine at which a signal is attached to its nearest node. The database sums in float32: dense vectors are within 0.000005 of it. */
export const ATTACH_AT = 0.8

/** What a signal is anchored to, by its nearest node; the score is kept, near enough or not. */
export const anchorTo = (nearest: NearestNode | null): Anchor => ({
  node_id: nearest !== null && nearest.score >= ATTACH_AT ? nearest.nodeId : null,
  score: nearest?.score ?? null,
})
