import { type Calibration, IDENTITY, shippedCalibration } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'
import type { Fit } from './fit.ts'

/** Fewer signals make too few pairs to fit on. */
export const LEAST_SIGNALS_TO_CALIBRATE = 100

const READ = `
  select workspace_id, model, knots
  from unnest($1::uuid[], $2::text[]) as asked (workspace_id, model)
  join embedding_calibrations using (workspace_id, model)`

interface Row {
  readonly workspace_id: WorkspaceId
  readonly model: string
  readonly knots: Calibration['knots']
}

/**
 * What the cosines of each space mean: by the calibration that came with its model, else by what its workspace fitted,
 * else as they are. Asks nothing when every model came with one.
 */
export const readCalibrations = async (
  transaction: Transaction,
  spaces: readonly VectorSpace[],
): Promise<(space: VectorSpace) => Calibration> => {
  const unknown = new Map(
    spaces.flatMap(space => (shippedCalibration(space.model) === null ? [[nameOf(space), space] as const] : [])),
  )
  const fitted = unknown.size === 0 ? [] : await readFitted(transaction, [...unknown.values()])
  const found = new Map(fitted.map(row => [nameOf({ workspaceId: row.workspace_id, model: row.model }), row.knots]))
  return space => {
    const knots = found.get(nameOf(space))
    return shippedCalibration(space.model) ?? (knots === undefined ? IDENTITY : { knots, comparesWords: true })
  }
}

const nameOf = ({ workspaceId, model }: VectorSpace): string => `${workspaceId} ${model}`

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

/** Keeps what was fitted for a workspace, in place of what was fitted before. */
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

/** How a workspace's calibration came about. */
export interface CalibrationRow {
  readonly knots: Calibration['knots']
  readonly made_pairs: number
  readonly labelled_pairs: number
  readonly same_share: number | null
  readonly copies_share: number | null
  readonly fitted_at: Date
}

/** What the transaction's workspace fitted for a model; undefined before it has. */
export const findFittedCalibration = async (
  transaction: Transaction,
  model: string,
): Promise<CalibrationRow | undefined> => (await transaction.query<CalibrationRow>(STATUS, [model]))[0]
