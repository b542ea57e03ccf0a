import type { Json } from '../numbers.ts'
import { type Rule, restOf, rule } from '../rules.ts'
import { deadOf, signalsOf, type Truth, waitingDead } from '../truth.ts'

const repeats = ({ said }: Truth): number => said.filter(({ fate }) => fate === 'repeat').length
const erased = ({ said }: Truth): number => said.filter(({ fate }) => fate === 'erased').length

/** A line of a list names a source and has no more of it. */
const idOf = ({ sourceNames }: Truth, source: Json): string => source.id ?? sourceNames.get(source.name) ?? ''

const acceptedBy = (truth: Truth, source: Json): number => {
  if (source.kind === 'metric') return truth.metricPoints.length
  if (source.kind === 'code_host') return truth.codeHostEvents
  // What was erased leaves nothing behind, and a test counts nowhere.
  return truth.said.filter(one => one.sourceId === idOf(truth, source) && one.fate !== 'erased').length
}

const refusedBy = (truth: Truth, source: Json): number => truth.refused.get(idOf(truth, source)) ?? 0

/** What came in: by the ledger, by source, and as points of a metric. */
export const SOURCE_RULES: readonly Rule[] = [
  rule(/^read_ledger\.received$/, ({ said }) => said.filter(({ fate }) => fate !== 'test').length),
  rule(/^read_ledger\.inserted\.\w+$/, truth => signalsOf(truth).length),
  rule(/^read_ledger\.occurrences\.\w+$/, repeats),
  rule(/^read_ledger\.dead\.\w+$/, truth => deadOf(truth).length),
  rule(/^read_ledger\.dead_waiting$/, waitingDead),
  rule(/^read_ledger\.dead_discarded$/, truth => deadOf(truth).length - waitingDead(truth)),
  rule(/^read_ledger\.erased$/, erased),
  rule(
    /^read_ledger\.(erasing|in_progress|ended_twice|misplaced|stranded|recorded_twice|without_receipt|dead_replayed|changed_places)$/,
    () => 0,
  ),

  rule(/^source_health\.automatic_mail\.waiting$/, () => 0),
  rule(/accepted_last_day$/, (truth, _, { owners: [source] }) => acceptedBy(truth, source)),
  rule(/refused_last_day$/, (truth, _, { owners: [source] }) => refusedBy(truth, source)),
  rule(/refusals_last_day\[\]\.count$/, (truth, _, { owners: [, source] }) => refusedBy(truth, source)),
  rule(/^source_health\.items\[\]\.(accepted|refused)$/, (truth, { data }, number) => {
    const field = number.path.endsWith('accepted') ? 'accepted' : 'refused'
    const total = field === 'accepted' ? acceptedBy(truth, data.source) : refusedBy(truth, data.source)
    const others = data.items.filter((one: Json) => one !== number.owners[0])
    return restOf(
      total,
      others.map((one: Json) => one[field]),
    )
  }),
  rule(/^source_health\.items\[\]\.refusals\[\]\.count$/, (_, __, { owners: [, hour] }) => hour.refused),
  rule(/^source_health\.recent\[\]\.count$/, (truth, { data }, { owners: [request] }) =>
    request.accepted
      ? 1
      : restOf(
          refusedBy(truth, data.source),
          data.recent.filter((one: Json) => one !== request && !one.accepted).map((one: Json) => one.count),
        ),
  ),
  rule(/^read_metric_points\.count$/, truth => truth.metricPoints.length),
  rule(
    /points\[\]\.value$|^read_metric_points\.items\[\]\.value$|\.newest\.value$|\.previous\.value$|^lookup_context\.metrics\.items\[\]\.value$/,
    (truth, _, { owners: [point] }) =>
      truth.metricPoints.find(({ day }) => String(point.occurred_at).startsWith(day))?.value ?? null,
  ),
  rule(/\.cited$/, truth => truth.metricPoints.length),
]
