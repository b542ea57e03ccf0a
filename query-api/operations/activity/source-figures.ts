import type { TimeRange } from '../../../model/activity/activity-vocabulary.ts'
import type { ActivityItem } from '../../../model/activity/figures.ts'
import { type NamedSource, namedSources } from '../../../model/sources/read-sources.ts'
import { type RequestCount, requestsWithin } from '../../../model/sources/source-requests.ts'
import { AssayError, type ReadContext } from '../define.ts'
import { type Refusals, refusalsOf } from '../sources/last-day.ts'

type Health = 'refusing' | 'silent' | 'unused' | 'ok'
/** The worst first. */
const RANKS: Readonly<Record<Health, number>> = { refusing: 0, silent: 1, unused: 2, ok: 3 }

export const SOURCES_NOTE =
  'Health in this time: refusing: more requests refused than accepted. silent: nothing came, though it did before. unused: nothing ever came. refused_for: the most frequent reason. service_support mode source has the hours.'

type Row = RequestCount & { readonly last: number }

const healthOf = (accepted: number, refused: number, hasBeenUsed: boolean): Health => {
  if (refused > accepted) return 'refusing'
  if (accepted + refused > 0) return 'ok'
  return hasBeenUsed ? 'silent' : 'unused'
}

interface Judged {
  readonly health: Health
  readonly item: ActivityItem
}

const judge = (source: NamedSource, rows: readonly Row[], to: Date): Judged => {
  const refusals: Refusals = refusalsOf(rows)
  const accepted = rows.find(row => row.refused_for === '')?.requests ?? 0
  const refused = refusals.reduce((sum, { count }) => sum + count, 0)
  const last = Math.max(0, ...rows.map(row => row.last))
  const health = healthOf(accepted, refused, last > 0)
  const group = {
    source_id: source.id,
    source: source.name,
    source_kind: source.kind,
    health,
    refused_for: refusals[0]?.reason ?? '',
  }
  const metrics = {
    accepted,
    refused,
    acceptance_rate: accepted + refused === 0 ? null : Number((accepted / (accepted + refused)).toFixed(4)),
    minutes_since_last: last === 0 ? null : Math.floor((to.getTime() - last) / 60_000),
  }
  return { health, item: { period: null, group, metrics } }
}

/** Every source that is there, the worst first. Rejects with `unavailable` while the analytics are away. */
export const sourceFigures = async (
  { read, services, caller }: ReadContext,
  { from, to }: TimeRange,
): Promise<readonly ActivityItem[]> => {
  const sources = await read(namedSources)
  const { analytics } = services
  const wanted = { analytics, workspaceId: caller.workspaceId, sources: sources.map(({ id }) => id) }
  const rows = await requestsWithin(wanted, { from, to })
  if (rows === null) throw new AssayError('unavailable', 'The analytics are away. Try again in a while.')
  const bySource = Map.groupBy(rows, row => row.source_id)
  return sources
    .map(source => judge(source, bySource.get(source.id) ?? [], to))
    .sort((one, other) => RANKS[one.health] - RANKS[other.health])
    .map(({ item }) => item)
}
