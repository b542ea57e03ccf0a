import { type Calibration, IDENTITY, shippedCalibration } from '../../infra/models/calibration.ts'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { VectorSpace } from '../neighbours/stored-bits.ts'

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
 * What the cosines of each space mean: by the calibration that came with its model, else by what its workspace fitted, else as they are.
 * Asks nothing when every model came with one.
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
