import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignBits } from '../../infra/vector-index/port.ts'
import { readSignBits } from '../../infra/vector-index/sign-bits.ts'
import { ID_BYTES, idFromBytes, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'

/** Vectors that can be compared: of one workspace and one model. */
export interface VectorSpace {
  readonly workspaceId: WorkspaceId
  readonly model: string
}

/** Key of a space in a map. */
export const spaceNameOf = ({ workspaceId, model }: VectorSpace): string => `${workspaceId} ${model}`

/** Each space once, with the fields of its last mention. */
export const distinctSpaces = <Space extends VectorSpace>(spaces: readonly Space[]): readonly Space[] => [
  ...new Map(spaces.map(space => [spaceNameOf(space), space])).values(),
]

export interface StoredBits {
  readonly number: number
  readonly signalId: SignalId
  readonly bits: SignBits
}

// Packed into bytes: a value for each row and bit would cost the reader several times as much.
const READ_AFTER = `
  select requested.position,
    string_agg(int4send(stored.place), ''::bytea order by stored.place) as places,
    string_agg(uuid_send(stored.signal_id), ''::bytea order by stored.place) as signal_ids,
    string_agg(substring(bit_send(stored.bits) from 5), ''::bytea order by stored.place) as bits
  from unnest($1::uuid[], $2::text[], $3::int[]) with ordinality as requested (workspace_id, model, after, position)
  cross join lateral (
    select signal_id, place, bits from signal_vectors
    where workspace_id = requested.workspace_id and model = requested.model and place > requested.after
    order by place
    limit $4
  ) as stored
  group by requested.position`

interface Row {
  readonly position: string | number
  readonly places: Buffer
  readonly signal_ids: Buffer
  readonly bits: Buffer
}

/** The vectors of each space behind its place, in the order of places, at most `most` for each space. */
export const readBitsAfter = async (
  transaction: Transaction,
  spaces: readonly (VectorSpace & { readonly after: number })[],
  atMost: number,
): Promise<readonly (readonly StoredBits[])[]> => {
  if (spaces.length === 0) return []
  const rows = await transaction.query<Row>(READ_AFTER, [
    spaces.map(({ workspaceId }) => workspaceId),
    spaces.map(({ model }) => model),
    spaces.map(({ after }) => after),
    atMost,
  ])
  const found = new Map(rows.map(row => [Number(row.position) - 1, row]))
  return spaces.map((_, position) => {
    const row = found.get(position)
    return row === undefined ? [] : unpack(row)
  })
}

const PLACE_BYTES = 4

const unpack = ({ places, signal_ids, bits }: Row): readonly StoredBits[] =>
  readSignBits(bits).map((rowBits, row) => ({
    number: places.readInt32BE(row * PLACE_BYTES),
    signalId: idFromBytes(signal_ids.subarray(row * ID_BYTES, (row + 1) * ID_BYTES)),
    bits: rowBits,
  }))

const READ_OWN = `
  select requested.position::int - 1 as position, substring(bit_send(stored.bits) from 5) as bits
  from unnest($1::uuid[]) with ordinality as requested (signal_id, position)
  cross join lateral (
    select bits from signal_vectors where signal_id = requested.signal_id and model = $2 offset 0
  ) as stored`

/** Sign bits of stored signals, in order; null without a vector of the model. */
export const readBitsOf = async (
  transaction: Transaction,
  signalIds: readonly SignalId[],
  model: string,
): Promise<readonly (SignBits | null)[]> => {
  const rows = await transaction.query<{ position: number; bits: Buffer }>(READ_OWN, [signalIds, model])
  const found = new Map(rows.map(row => [row.position, row.bits]))
  return signalIds.map((_, position) => readSignBits(found.get(position) ?? new Uint8Array())[0] ?? null)
}

const COUNT_THROUGH = `
  select count(*)::int as count from signal_vectors where workspace_id = $1 and model = $2 and place <= $3`

/** Number of a space's vectors up to a place. */
export const countThrough = async (
  transaction: Transaction,
  { workspaceId, model }: VectorSpace,
  through: number,
): Promise<number> =>
  (await transaction.query<{ count: number }>(COUNT_THROUGH, [workspaceId, model, through]))[0]?.count ?? 0
