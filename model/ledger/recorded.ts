import type { Analytics } from '../../infra/clickhouse/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import {
  added,
  CLICKHOUSE,
  EMPTY,
  type EndColumns,
  type Fingerprint,
  fingerprintsOf,
  readWindows,
  type SignalEnd,
} from './fingerprint.ts'

/** ClickHouse's figures of a workspace's signals. */
export interface RecordedSignals {
  /** Distinct ids with a receipt. */
  readonly received: number
  readonly ended: Readonly<Record<SignalEnd, Fingerprint>>
  /** Ids that were in the pipeline when somebody erased their subject. */
  readonly erased: number
  /** Ids without an end. */
  readonly in_progress: number
  /** Receipt of the oldest of them, ISO 8601; null without any. */
  readonly oldest_in_progress_at: string | null
  /** Ids with an end and without a receipt. */
  readonly without_receipt: number
  /** Events of signals that are stored more than once. */
  readonly recorded_twice: number
}

export const OF_SIGNALS = `
  FROM activity
  WHERE workspace_id IN {workspace_ids: Array(UUID)}
    AND occurred_at >= {from: DateTime64(3, 'UTC')} AND occurred_at < {to: DateTime64(3, 'UTC')}
    AND kind IN ('signal.received', 'signal.step', 'signal.dead_letter')`

/** A row for each signal with its end: one of `ENDS`, or nothing. */
export const ENDED_AS = `
  SELECT workspace_id, subject_id, any(occurred_at) AS received_at,
    countIf(kind = 'signal.received') AS receipts,
    multiIf(
      countIf(kind = 'signal.step' AND step = 'insert' AND outcome = 'next') > 0, 'inserted',
      countIf(kind = 'signal.step' AND outcome = 'skip') > 0, 'occurrences',
      countIf(kind = 'signal.dead_letter') > 0, 'dead',
      countIf(kind = 'signal.step' AND outcome = 'erased') > 0, 'erased',
      '') AS ended
  ${OF_SIGNALS}
  GROUP BY workspace_id, subject_id`

const fingerprintOf = (end: SignalEnd): string =>
  `countIf(ended = '${end}') AS ${end}_ids, ${CLICKHOUSE.sumIf('subject_id', `ended = '${end}'`)} AS ${end}_sum`

const FIGURES = `
  SELECT workspace_id,
    countIf(receipts > 0) AS received,
    ${fingerprintOf('inserted')}, ${fingerprintOf('occurrences')}, ${fingerprintOf('dead')},
    countIf(ended = 'erased') AS erased,
    countIf(ended = '') AS in_progress,
    minOrNullIf(received_at, ended = '') AS oldest_in_progress_at,
    countIf(ended != '' AND receipts = 0) AS without_receipt
  FROM (${ENDED_AS})
  GROUP BY workspace_id`

interface FiguresRow extends Omit<RecordedSignals, 'ended' | 'recorded_twice'>, EndColumns {
  readonly workspace_id: WorkspaceId
}

const REPEATED = `
  SELECT workspace_id, count() - uniqExact(event_id) AS recorded_twice ${OF_SIGNALS} GROUP BY workspace_id`

interface RepeatedRow {
  readonly workspace_id: WorkspaceId
  readonly recorded_twice: number
}

export const NOTHING_RECORDED: RecordedSignals = {
  received: 0,
  ended: { inserted: EMPTY, occurrences: EMPTY, dead: EMPTY },
  erased: 0,
  in_progress: 0,
  oldest_in_progress_at: null,
  without_receipt: 0,
  recorded_twice: 0,
}

/** Figures of each workspace, counted window by window. Workspaces without activity are missing. */
export const readRecorded = async (
  analytics: Analytics,
  workspaceIds: readonly WorkspaceId[],
): Promise<ReadonlyMap<WorkspaceId, RecordedSignals>> => {
  const recorded = new Map<WorkspaceId, RecordedSignals>()
  for (const window of await readWindows(analytics, workspaceIds)) {
    const parameters = { workspace_ids: workspaceIds, ...window }
    const [figures, repeated] = await Promise.all([
      analytics.query<FiguresRow>(FIGURES, parameters),
      analytics.query<RepeatedRow>(REPEATED, parameters),
    ])
    for (const row of figures) {
      recorded.set(row.workspace_id, withFigures(recorded.get(row.workspace_id) ?? NOTHING_RECORDED, row))
    }
    for (const { workspace_id, recorded_twice } of repeated) {
      const one = recorded.get(workspace_id) ?? NOTHING_RECORDED
      recorded.set(workspace_id, { ...one, recorded_twice: one.recorded_twice + recorded_twice })
    }
  }
  return recorded
}

/** Windows are in order, so the first with an unfinished signal has the oldest. */
const withFigures = (recorded: RecordedSignals, row: FiguresRow): RecordedSignals => {
  const ended = fingerprintsOf(row)
  return {
    received: recorded.received + row.received,
    ended: {
      inserted: added(recorded.ended.inserted, ended.inserted),
      occurrences: added(recorded.ended.occurrences, ended.occurrences),
      dead: added(recorded.ended.dead, ended.dead),
    },
    erased: recorded.erased + row.erased,
    in_progress: recorded.in_progress + row.in_progress,
    oldest_in_progress_at: recorded.oldest_in_progress_at ?? row.oldest_in_progress_at,
    without_receipt: recorded.without_receipt + row.without_receipt,
    recorded_twice: recorded.recorded_twice,
  }
}

const PARTS = `
  SELECT ${CLICKHOUSE.part('subject_id')} AS part, count() AS ids, ${CLICKHOUSE.sumIf('subject_id', 'true')} AS sum
  FROM (${ENDED_AS})
  WHERE ended = {end: String}
  GROUP BY part`

/** An end's set in parts, by the last digits of its ids. */
export const readRecordedParts = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  end: SignalEnd,
): Promise<ReadonlyMap<string, Fingerprint>> => {
  const parts = new Map<string, Fingerprint>()
  for (const window of await readWindows(analytics, [workspaceId])) {
    const parameters = { workspace_ids: [workspaceId], end, ...window }
    const rows = await analytics.query<Fingerprint & { readonly part: string }>(PARTS, parameters)
    for (const { part, ids, sum } of rows) parts.set(part, added(parts.get(part) ?? EMPTY, { ids, sum }))
  }
  return parts
}

const IDS = `
  SELECT subject_id AS id
  FROM (${ENDED_AS})
  WHERE ended = {end: String} AND ${CLICKHOUSE.part('subject_id')} = {part: String}
  ORDER BY id LIMIT {at_most: UInt32}`

/** Ids of one part of an end's set. */
export const readRecordedIds = async (
  analytics: Analytics,
  workspaceId: WorkspaceId,
  end: SignalEnd,
  part: string,
  atMost: number,
): Promise<readonly string[]> => {
  const ids: string[] = []
  for (const window of await readWindows(analytics, [workspaceId])) {
    if (ids.length >= atMost) break
    const parameters = { workspace_ids: [workspaceId], end, part, at_most: atMost - ids.length, ...window }
    for (const { id } of await analytics.query<{ readonly id: string }>(IDS, parameters)) ids.push(id)
  }
  return ids
}
