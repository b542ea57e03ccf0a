import { type Calibration, knownModel, rawAt, toScale } from '../../infra/models/calibration.ts'

/**
 * Least calibrated score at which a signal is attached to its nearest node. The database sums in single precision, so
 * cosines of dense vectors are off by up to 0.000005.
 */
export const ATTACH_AT = 0.8

/**
 * With measured nodes: least distance above the mean likeness of the workspace's signals to a node, in standard
 * deviations ("steps"), and the part of the next node's likeness that is subtracted.
 */
const LEAST_STEPS = 3.5
const OTHER_NODE_COUNTS = 0.25

/** Fit of a signal to a node. */
export interface Fit {
  /** In steps for measured nodes, else the cosine. */
  readonly likeness: number
  /** Likeness of the nearest other node; null without one. */
  readonly otherNode: number | null
  readonly isMeasured: boolean
}

/** A fit in the columns of `nearest`. */
export interface FitRow {
  readonly likeness: number
  readonly other_node: number | null
  readonly is_measured: boolean
}

export const fitOf = ({ likeness, other_node, is_measured }: FitRow): Fit => ({
  likeness,
  otherNode: other_node,
  isMeasured: is_measured,
})

/** Calibrated score of a signal at a node. */
export const scoreOf = (fit: Fit, model: string, calibration: Calibration): number =>
  fit.isMeasured ? scoreOfSteps(fit) : toScale(calibration, nearness(fit, model))

const scoreOfSteps = ({ likeness, otherNode }: Fit): number => {
  const steps = likeness - OTHER_NODE_COUNTS * Math.max(0, otherNode ?? 0)
  return steps < LEAST_STEPS
    ? Math.max(-1, (ATTACH_AT * steps) / LEAST_STEPS)
    : 1 - ((1 - ATTACH_AT) * LEAST_STEPS) / steps
}

/**
 * A signal's cosine to a node, less a part of its cosine to the nearest other node for models that need this: all
 * signals about a product are somewhat near to each of its nodes.
 */
const nearness = ({ likeness, otherNode }: Fit, model: string): number => {
  const others = knownModel(model)?.otherNodes ?? null
  if (others === null) return likeness
  return Math.max(-1, likeness - others.counts * Math.max(others.least, otherNode ?? -1) - others.unsure)
}

/** Least cosine at which a signal is attached to a node, without measured nodes and with no other node near. */
export const leastCosineToAttach = (model: string, calibration: Calibration): number => {
  const { counts, least, unsure } = knownModel(model)?.otherNodes ?? { counts: 0, least: 0, unsure: 0 }
  return rawAt(calibration, ATTACH_AT) + counts * least + unsure
}
