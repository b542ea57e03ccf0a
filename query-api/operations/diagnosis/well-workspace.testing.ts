import { type ProcessorReport, reportProcessor } from '../../../model/pipeline/processor-report.ts'
import { newId, type ProcessorId, type SourceId } from '../../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import type { Workspace } from '../testing.ts'
import { type ActivityKit, walked } from '../testing-activity.ts'

const MINUTE_MS = 60_000

/** A healthy workspace, and the means to break it. */
export interface WellWorkspace extends Workspace {
  readonly sourceId: SourceId
  readonly nodeId: string
  readonly signalId: string
  /** Claim of the signal. */
  readonly claimId: string
  sql(statement: string, ...values: unknown[]): Promise<void>
  record(...records: readonly Partial<ActivityRecord>[]): Promise<void>
  /** Milliseconds since the epoch, by the kit's clock. */
  minutesAgo(minutes: number): number
  /** A source of any kind except connection, made this many days ago by the database's clock. */
  source(kind: string, days?: number): Promise<string>
  metricPoint(metricId: string, receivedAt: Date): Promise<void>
}

/** The cluster step's version with a configured judge. */
export const WITH_JUDGE = 'cluster 1 with judge-1'

/** Report of idle processors, with their models. */
export const workingProcessors: ProcessorReport = {
  window_seconds: 60,
  embedder: { model: 'built-in', away: null },
  judge: null,
  segments: [],
  queues: [],
  steps: [],
}

/** Replaces all reports of processors. */
export const processorsSay = async (kit: ActivityKit, report: ProcessorReport): Promise<void> => {
  await kit.database.pool.query('delete from processor_reports')
  await kit.database.database.transaction({ role: 'assay_accounts' }, transaction =>
    reportProcessor(transaction, newId<ProcessorId>(), report),
  )
}

export const wellWorkspace = async (kit: ActivityKit): Promise<WellWorkspace> => {
  const workspace = await kit.workspace()
  const { id } = workspace
  await processorsSay(kit, workingProcessors)
  const sql = async (statement: string, ...values: unknown[]) => {
    await kit.database.pool.query(statement, values)
  }
  const record = (...records: readonly Partial<ActivityRecord>[]) => kit.record(id, ...records)
  const minutesAgo = (minutes: number) => kit.now.getTime() - minutes * MINUTE_MS

  const { data: source } = await workspace.call('service_connect', 'create', { name: 'Desk' })
  const { data: node } = await workspace.call('service_map', 'add_node', { name: 'Exports' })
  // The state after the job.
  await sql('update map_revisions set anchored = revision where workspace_id = $1', id)
  await sql(`update jobs set state = 'done' where workspace_id = $1`, id)
  const signal = await workspace.signal({ text: 'The export hangs.', nodeId: node.id })
  const claim = await workspace.claim('The export hangs', [signal])
  const came = { source_id: source.id, occurred_at: minutesAgo(30), version: WITH_JUDGE }
  await record(...walked(signal.id, 'cluster', 'next', came))
  return {
    ...workspace,
    sourceId: source.id,
    nodeId: node.id,
    signalId: signal.id,
    claimId: claim.id,
    sql,
    record,
    minutesAgo,
    source: async (kind, days = 0) => {
      const sourceId = newId<SourceId>()
      await sql(
        `insert into sources (id, workspace_id, kind, name, code_host, secret_hash, created_at)
         values ($1, $2, $3, 'Other', case when $3::text = 'code_host' then 'github' end, '\\x00', now() - $4 * interval '1 day')`,
        sourceId,
        id,
        kind,
        days,
      )
      return sourceId
    },
    metricPoint: (metricId, receivedAt) =>
      sql(
        `insert into metric_points (id, workspace_id, metric_id, value, occurred_at, dated, received_at, log_partition, log_offset, logged_at)
         values (gen_random_uuid(), $1, $2, 1, $3, false, $3, 0, 1, $3)`,
        id,
        metricId,
        receivedAt,
      ),
  }
}
