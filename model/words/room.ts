import type { Transaction } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'

/**
 * The limit for each size so that all together fit into `room`: smaller sizes stay, all others get the same limit
 * (max-min fairness). Infinite when everything fits.
 */
export const fairShare = (sizes: readonly number[], room: number): number => {
  let left = room
  for (const [place, size] of sizes.toSorted((one, other) => one - other).entries()) {
    const share = left / (sizes.length - place)
    if (size > share) return share
    left -= size
  }
  return Number.POSITIVE_INFINITY
}

/** Memory of the index for each byte of a text's terms, and for each text: measured, with a reserve. */
const BYTES_A_TERM_BYTE = 2.2
const BYTES_A_TEXT = 60
const SAMPLE = 50

const SIZES = `
  select requested.position, (coalesce(newest.bytes, 0) * ${BYTES_A_TERM_BYTE} + ${BYTES_A_TEXT})::float8 as bytes, counted.signals
  from unnest($1::uuid[]) with ordinality as requested (workspace_id, position)
  cross join lateral (
    select avg(length(terms)) as bytes from (
      select terms from signal_terms where workspace_id = requested.workspace_id order by place desc limit ${SAMPLE}
    ) as sample
  ) as newest
  cross join lateral (
    select coalesce(sum(signals), 0)::int as signals from signal_counts where workspace_id = requested.workspace_id
  ) as counted
  order by requested.position`

export interface ExpectedSize {
  readonly workspaceId: WorkspaceId
  /** Memory of one text, by the newest, and of all texts. */
  readonly bytesAText: number
  readonly bytes: number
}

/** Estimated memory of workspaces' words. */
export const expectedSizes = async (
  transaction: Transaction,
  workspaceIds: readonly WorkspaceId[],
): Promise<readonly ExpectedSize[]> => {
  const rows = await transaction.query<{ bytes: number; signals: number }>(SIZES, [workspaceIds])
  return workspaceIds.map((workspaceId, position) => {
    const { bytes = BYTES_A_TEXT, signals = 0 } = rows[position] ?? {}
    return { workspaceId, bytesAText: bytes, bytes: bytes * signals }
  })
}

const PLACE = `select place from signal_terms where workspace_id = $1 order by place desc offset $2 limit 1`

/** The place behind which a workspace has `texts` texts; 0 when it has fewer. */
export const placeOfNewest = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  texts: number,
): Promise<number> => {
  const [row] = await transaction.query<{ place: string | number }>(PLACE, [workspaceId, Math.max(1, texts)])
  return Number(row?.place ?? 0)
}
