import type { Analytics } from '../../../infra/clickhouse/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { type ActivityQuery, activityRows } from '../../../model/activity/activity-rows.ts'
import type { SourceId, WorkspaceId } from '../../../schemas/domain/ids.ts'

/** What a source's endpoint accepts becomes activity of one of these kinds, and what it refuses another. */
const OF_A_REQUEST = `kind IN ('signal.received', 'metric.received', 'code_host.event', 'source.refused')`

const REFUSED_FOR = `if(kind = 'source.refused', reason, '')`

/** How many requests a row stands for. A code host's signals are not counted beside the events that they were made of. */
export const REQUESTS = `if(kind = 'signal.received' AND channel = 'code_host', 0, times)`

interface OfSource {
  readonly source_id: SourceId
  /** Why the requests were refused; empty when they were accepted. */
  readonly refused_for: string
}

/** Figures of the requests of some sources, apart by source and by why they were refused; null while the analytics are away. */
export const sourceRequests = async <Row extends object>(
  analytics: Analytics,
  workspace: WorkspaceId,
  sources: readonly SourceId[],
  { select, where = [], groupBy = [], parameters, ...rest }: ActivityQuery,
): Promise<(Row & OfSource)[] | null> => {
  if (sources.length === 0) return []
  try {
    return await activityRows<Row & OfSource>(analytics, workspace, {
      ...rest,
      select: `source_id, ${REFUSED_FOR} AS refused_for, ${select}`,
      where: [OF_A_REQUEST, 'source_id IN {sources: Array(String)}', ...where],
      groupBy: ['source_id', 'refused_for', ...groupBy],
      parameters: { ...parameters, sources },
    })
  } catch (error) {
    if (isAssayError(error) && error.retriable) return null
    throw error
  }
}
