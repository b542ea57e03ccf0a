import type { Transaction } from '../../infra/postgres/port.ts'
import { toVectorBatch, vectorOf } from '../../infra/postgres/vectors.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'

// The last place of each space is looked up once and by the index; `offset 0` keeps it so without statistics.
const INSERT_VECTORS = `
  with added as materialized (
    select signal_id, workspace_id, model, ordinal,
      row_number() over (partition by workspace_id, model order by ordinal) as position
    from unnest($1::uuid[], $2::uuid[], $3::text[]) with ordinality as given (signal_id, workspace_id, model, ordinal)
  ),
  space as materialized (
    select distinct workspace_id, model from added
  ),
  last as materialized (
    select space.workspace_id, space.model, coalesce(newest.place, 0) as place
    from space
    left join lateral (
      select place from signal_vectors
      where workspace_id = space.workspace_id and model = space.model
      order by place desc limit 1
    ) as newest on true
  )
  insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
  select added.signal_id, added.workspace_id, added.model, last.place + added.position, ${vectorOf('$4', 'added.ordinal')}
  from added join last using (workspace_id, model)
  on conflict (signal_id, model) do update set place = excluded.place, embedding = excluded.embedding`

interface SignalVector {
  readonly signalId: SignalId
  readonly workspaceId: WorkspaceId
  readonly model: string
  /** Of length 1. */
  readonly vector: Float32Array
}

/**
 * Stores vectors of signals, each at the next place of its workspace and model; one that the signal had of the model gives up its place,
 * so that whoever knows the old place asks for the new one. Needs the lock of the workspaces (`lockWorkspaces`): places then commit in their order.
 */
export const storeVectors = async (transaction: Transaction, vectors: readonly SignalVector[]): Promise<void> => {
  if (vectors.length === 0) return
  await transaction.query(INSERT_VECTORS, [
    vectors.map(({ signalId }) => signalId),
    vectors.map(({ workspaceId }) => workspaceId),
    vectors.map(({ model }) => model),
    toVectorBatch(vectors.map(({ vector }) => vector)),
  ])
}

const REMOVE = `
  delete from signal_vectors using signals
  where signals.workspace_id = $1 and signals.number > $3 and signals.number <= $4
    and signal_vectors.signal_id = signals.id and signal_vectors.model <> $2`

/** Removes the vectors of models other than this one, of the signals with a number behind `after` up to `through`. */
export const removeOtherModels = async (
  transaction: Transaction,
  range: {
    readonly workspaceId: WorkspaceId
    readonly model: string
    readonly after: number
    readonly through: number
  },
): Promise<void> => {
  await transaction.query(REMOVE, [range.workspaceId, range.model, range.after, range.through])
}
