import { type Calibration, IDENTITY, shippedCalibration } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { ATTACH_AT } from '../map/fit.ts'
import { spaceNameOf, type VectorSpace } from '../neighbours/stored-bits.ts'

/** Fewer signals give too few pairs for a fit. */
export const LEAST_SIGNALS_TO_CALIBRATE = 100

const READ = `
  select workspace_id, model, knots
  from unnest($1::uuid[], $2::text[]) as requested (workspace_id, model)
  join embedding_calibrations using (workspace_id, model)`

interface Row {
  readonly workspace_id: WorkspaceId
  readonly model: string
  readonly knots: Calibration['knots']
}

/**
 * The calibration of each space: shipped with its model, else fitted for its workspace, else the identity. Runs no
 * query when every model has a shipped one.
 */
export const readCalibrations = async (
  transaction: Transaction,
  spaces: readonly VectorSpace[],
): Promise<(space: VectorSpace) => Calibration> => {
  const unknown = new Map(
    spaces.flatMap(space => (shippedCalibration(space.model) === null ? [[spaceNameOf(space), space] as const] : [])),
  )
  const fitted = unknown.size === 0 ? [] : await readFitted(transaction, [...unknown.values()])
  const found = new Map(
    fitted.map(row => [spaceNameOf({ workspaceId: row.workspace_id, model: row.model }), row.knots]),
  )
  return space => {
    const knots = found.get(spaceNameOf(space))
    return shippedCalibration(space.model) ?? (knots === undefined ? IDENTITY : { knots, comparesWords: true })
  }
}

const readFitted = (transaction: Transaction, spaces: readonly VectorSpace[]): Promise<Row[]> =>
  transaction.query<Row>(READ, [spaces.map(space => space.workspaceId), spaces.map(space => space.model)])

const STORE = `
  insert into embedding_calibrations (
    workspace_id, model, knots, made_pairs, labelled_pairs, same_share, copies_share, through_place)
  values ($1, $2, $3, $4, $5, $6, $7, (
    select coalesce(max(place), 0) from signal_vectors where workspace_id = $1 and model = $2))
  on conflict (workspace_id, model) do update set
    knots = excluded.knots, made_pairs = excluded.made_pairs, labelled_pairs = excluded.labelled_pairs,
    same_share = excluded.same_share, copies_share = excluded.copies_share, through_place = excluded.through_place,
    fitted_at = now()`

/** Stores a workspace's fit in place of the earlier one. */
export const storeCalibration = async (
  transaction: Transaction,
  { workspaceId, model }: VectorSpace,
  { knots, sameShare, copiesShare }: Fit,
  pairs: { readonly made: number; readonly labelled: number },
): Promise<void> => {
  const values = [workspaceId, model, JSON.stringify(knots), pairs.made, pairs.labelled, sameShare, copiesShare]
  await transaction.query(STORE, values)
}

const STATUS = `
  select knots, made_pairs, labelled_pairs, same_share, copies_share, fitted_at from embedding_calibrations where model = $1`

/** A workspace's calibration with its origin. */
interface CalibrationRow {
  readonly knots: Calibration['knots']
  readonly made_pairs: number
  readonly labelled_pairs: number
  readonly same_share: number | null
  readonly copies_share: number | null
  readonly fitted_at: Date
}

/** The workspace's fit for a model; undefined before the first fit. */
export const findFittedCalibration = async (
  transaction: Transaction,
  model: string,
): Promise<CalibrationRow | undefined> => (await transaction.query<CalibrationRow>(STATUS, [model]))[0]

/** A pair of texts that words do not tell apart: its raw cosine, and true when both say the same. */
export interface LabelledPair {
  readonly raw: number
  readonly same: boolean
}

export interface Fit {
  readonly knots: Calibration['knots']
  /** Part of the pairs at 0.88 and above that say the same; null when no pair reaches 0.88. */
  readonly sameShare: number | null
  /** Part of the pairs saying the same that is at 0.88 and above; null like `sameShare`. */
  readonly copiesShare: number | null
}

/** Least calibrated cosine of a repeat; then the least between parts of quoted e-mail threads. */
export const NEAR_DUPLICATE_AT = 0.88
export const NEAR_DUPLICATE_IN_THREADS_AT = 0.92
/** Calibrated value of a cosine of 1 for a model that tells nothing apart. */
const BELOW_SKIP = NEAR_DUPLICATE_AT - 0.0001
/** Least part of pairs above each threshold that must say the same. */
const LEAST_SHARE = 0.97
const LEAST_SHARE_IN_THREADS = 0.99
/** Part of the copies with the lowest cosines that is ignored: below the others nothing is known. */
const LEFT_OUT = 0.02
const LEAST_STEP = 0.01
/** No pairs tell what is near enough to a map node, so the raw cosine is used up to there. */
const UNTIL_ANCHOR = [
  [-1, -1],
  [ATTACH_AT, ATTACH_AT],
] as const

/**
 * Fits the scale on which at least 97 % of the pairs at 0.88 and above say the same, and 99 % at 0.92 and above.
 * Isotonic regression gives parts that rise with the cosine; the scale is linear between the thresholds.
 */
export const fitCalibration = (pairs: readonly LabelledPair[]): Fit => {
  const sorted = pairs.toSorted((one, other) => other.raw - one.raw)
  const steps = stepsOf(sorted)
  const copies = sorted.filter(pair => pair.same)
  const least = copies[Math.ceil(copies.length * (1 - LEFT_OUT)) - 1]?.raw ?? 1
  const reach = (share: number): number | null => steps.findLast(step => step.share >= share)?.raw ?? null
  const reached = reach(LEAST_SHARE)
  if (reached === null) return { knots: [...UNTIL_ANCHOR, [1, BELOW_SKIP]], sameShare: null, copiesShare: null }
  const skip = Math.max(reached, least)
  const above = sorted.filter(({ raw }) => raw >= skip)
  return {
    knots: knotsAt(skip, reach(LEAST_SHARE_IN_THREADS) ?? 1),
    sameShare: above.filter(pair => pair.same).length / above.length,
    copiesShare: above.filter(pair => pair.same).length / Math.max(1, copies.length),
  }
}

const knotsAt = (skip: number, skipInThreads: number): Calibration['knots'] => {
  const at88 = Math.min(1 - 2 * LEAST_STEP, Math.max(skip, ATTACH_AT + LEAST_STEP))
  const at92 = Math.min(1 - LEAST_STEP, Math.max(skipInThreads, at88 + LEAST_STEP))
  return [...UNTIL_ANCHOR, [at88, NEAR_DUPLICATE_AT], [at92, NEAR_DUPLICATE_IN_THREADS_AT], [1, 1]]
}

interface Step {
  readonly raw: number
  readonly pairs: number
  readonly same: number
}

/**
 * Steps of the isotonic regression from the highest cosine down (pool adjacent violators): neighbouring pairs are
 * pooled until the part that says the same never rises as the cosine falls. Each step has its lowest cosine and the
 * part of all pairs down to it.
 */
const stepsOf = (sorted: readonly LabelledPair[]): readonly { readonly raw: number; readonly share: number }[] => {
  const steps: Step[] = []
  for (const { raw, same } of sorted) {
    let step: Step = { raw, pairs: 1, same: same ? 1 : 0 }
    for (let above = steps.at(-1); above && belongsTogether(above, step); above = steps.at(-1)) {
      steps.pop()
      step = { raw, pairs: above.pairs + step.pairs, same: above.same + step.same }
    }
    steps.push(step)
  }
  let pairs = 0
  let same = 0
  return steps.map(step => {
    pairs += step.pairs
    same += step.same
    return { raw: step.raw, share: same / pairs }
  })
}

const belongsTogether = (above: Step, below: Step): boolean =>
  above.raw === below.raw || above.same / above.pairs <= below.same / below.pairs
