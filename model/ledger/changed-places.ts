import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { added, EMPTY, type Fingerprint, fingerprintOfId, readWindows } from './fingerprint.ts'
import type { LedgerStores } from './ledger-stores.ts'
import { ENDED_AS, OF_SIGNALS } from './recorded.ts'

/**
 * Signals that change places with their repeat after a restore. When Postgres is restored to an earlier moment, the log
 * delivers its records again. A repeat that now comes before its original becomes the row, and the original the
 * occurrence. ClickHouse then has both ends of the repeat, but only the first end of the original, because repeated
 * events are left out. Nothing is lost or counted twice.
 */

/** Ids that ended as a repeat and as a signal of their own. */
const TOLD_BOTH = `
  SELECT DISTINCT subject_id AS id ${OF_SIGNALS}
  GROUP BY subject_id
  HAVING countIf(step = 'insert' AND outcome = 'next') > 0 AND countIf(kind = 'signal.step' AND outcome = 'skip') > 0`

const OCCURRENCES = `
  select id from occurrences
  where workspace_id = $1 and reason <> 'member' and (id = any ($2::uuid[]) or signal_id = any ($2::uuid[]))`

const ENDED_AS_ROWS = `
  SELECT subject_id AS id FROM (${ENDED_AS}) WHERE ended = 'inserted' AND subject_id IN {ids: Array(String)}`

/** An id takes 39 bytes, and ClickHouse accepts 128 KiB as one value (`http_max_field_value_size`). */
const IDS_A_QUERY = 3000

interface ChangedPlaces {
  /** Present occurrences that ClickHouse has as rows, because a repeat took their place. */
  readonly ids: ReadonlySet<string>
  readonly fingerprint: Fingerprint
}

export const NO_CHANGED_PLACES: ChangedPlaces = { ids: new Set(), fingerprint: EMPTY }

/** Called only when the stores differ. */
export const readChangedPlaces = async (
  { read, analytics }: LedgerStores,
  workspaceId: WorkspaceId,
): Promise<ChangedPlaces> => {
  const windows = await readWindows(analytics, [workspaceId])
  const inWindows = async (statement: string, parameters: object = {}): Promise<readonly SignalId[]> => {
    const found: SignalId[] = []
    for (const window of windows) {
      const given = { workspace_ids: [workspaceId], ...window, ...parameters }
      for (const { id } of await analytics.query<{ id: SignalId }>(statement, given)) found.push(id)
    }
    return found
  }
  const toldBoth = await inWindows(TOLD_BOTH)
  const ids = new Set<string>()
  for (let start = 0; start < toldBoth.length; start += IDS_A_QUERY) {
    const part = toldBoth.slice(start, start + IDS_A_QUERY)
    const occurrences = await read([workspaceId], transaction =>
      transaction.query<{ id: SignalId }>(OCCURRENCES, [workspaceId, part]),
    )
    for (let from = 0; from < occurrences.length; from += IDS_A_QUERY) {
      const page = occurrences.slice(from, from + IDS_A_QUERY).map(({ id }) => id)
      for (const id of await inWindows(ENDED_AS_ROWS, { ids: page })) ids.add(id)
    }
  }
  return { ids, fingerprint: [...ids].map(fingerprintOfId).reduce(added, EMPTY) }
}
