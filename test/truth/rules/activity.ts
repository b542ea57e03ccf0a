import type { FoundNumber, Json } from '../numbers.ts'
import type { Asked, Rule } from '../rules.ts'
import { actorsOf, type Said, type TrueClaim, type Truth } from '../truth.ts'

type Filters = readonly { readonly field: string; readonly op: string; readonly values: readonly string[] }[]

const has = (filters: Filters, field: string, value: string): boolean =>
  filters.some(one => one.field === field && one.values.includes(value))

/** The signals whose events are counted: each has one such event. */
const counted = (filters: Filters, { fate, wasRepeat }: Said): boolean => {
  if (has(filters, 'step', 'insert')) return fate === 'signal'
  // An event stays what it was, though a repeat has taken the place of its original since.
  if (has(filters, 'outcome', 'skip')) return (wasRepeat ?? false) && fate !== 'erased'
  if (has(filters, 'kind', 'signal.dead_letter')) return fate === 'dead letter'
  return fate !== 'erased' && fate !== 'test'
}

const claimsOf = (said: Said, truth: Truth): readonly TrueClaim[] => {
  const own = said.fate === 'repeat' ? said.original : said
  return [...truth.claims.values()].filter(
    ({ evidence }) => own !== null && own.state !== 'dismissed' && evidence.has(own),
  )
}

/** The values that a signal has of a field, as answers name them. */
const valuesOf = (field: string, said: Said, truth: Truth, filters: Filters): readonly string[] => {
  const isStored = said.fate !== 'dead letter'
  const values: Readonly<Record<string, () => readonly string[]>> = {
    source: () => [said.source],
    channel: () => [said.channel],
    signal_origin: () => [said.origin],
    actor_role: () => [said.role],
    actor: () => {
      // Of what died on the way nobody is kept.
      if (!isStored) return ['']
      return [said.actor === null ? `${said.source}\u001f${said.actorName}` : (said.actorName ?? '')]
    },
    // Events say what was known then. Before anything was, the signal says what it is now.
    classification: () => {
      if (!has(filters, 'kind', 'signal.received')) return [said.classifiedAs]
      const own = said.fate === 'repeat' ? said.original : said
      return [isStored && own !== null ? own.classification : '']
    },
    account: () => [(isStored && said.account) || ''],
    node: () => [said.node ?? ''],
    claim: () => {
      const claims = claimsOf(said, truth)
      return claims.length === 0 ? [''] : claims.map(({ reference }) => reference)
    },
  }
  return values[field]?.() ?? []
}

const matches = (filters: Filters, said: Said, truth: Truth): boolean =>
  counted(filters, said) &&
  filters.every(({ field, op, values }) => {
    if (['kind', 'step', 'outcome'].includes(field)) return true
    const own = valuesOf(field, said, truth, filters)
    // What is below a node is at it.
    const all = field === 'node' ? [...own, ...own.flatMap(name => truth.nodes.get(name) ?? [])] : own
    return all.some(value => values.includes(value)) === (op === 'in')
  })

const FORMATS = new Map<string, Intl.DateTimeFormat>()

/** Writes days as ISO 8601 does, by the clocks of a zone. One is dear to make. */
const daysOf = (timeZone: string): Intl.DateTimeFormat => {
  const made = FORMATS.get(timeZone) ?? new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' })
  FORMATS.set(timeZone, made)
  return made
}

/** The first day of the period that a moment is in, by the clocks of a zone. */
const periodOf = (at: number, granularity: string, zone: string): string => {
  const day = daysOf(zone).format(at)
  if (granularity === 'month') return `${day.slice(0, 7)}-01`
  if (granularity === 'day') return day
  const monday = new Date(`${day}T00:00:00Z`)
  monday.setUTCDate(monday.getUTCDate() - ((monday.getUTCDay() + 6) % 7))
  return monday.toISOString().slice(0, 10)
}

const MEASURES: Readonly<Record<string, (said: readonly Said[]) => number>> = {
  count: said => said.length,
  distinct_signals: said => said.filter(({ fate }) => fate === 'signal').length,
  distinct_signals_and_repeats: said => said.filter(({ fate }) => fate === 'signal' || fate === 'repeat').length,
  // Nobody but what was stored is known to have said anything.
  distinct_actors: said => actorsOf(said.filter(({ fate }) => fate === 'signal' || fate === 'repeat')),
}

/** Rows of this time and of the one before, by the answer that they are compared with: each is computed once. */
const ROWS = new WeakMap<object, ReadonlyMap<string, readonly Said[]>[]>()

/** The rows that a question must have, by their period and group. */
const rowsOf = ({ input, truth, data }: Asked, isBefore: boolean): ReadonlyMap<string, readonly Said[]> => {
  const { filters = [], group_by = [], time = {} } = input
  const [from, to] = [Date.parse(data.from), Date.parse(data.to)]
  const span = isBefore ? [Date.parse(data.before.from), Date.parse(data.before.to)] : [from, to]
  const kept = ROWS.get(data)?.[isBefore ? 1 : 0]
  if (kept !== undefined) return kept
  const rows = new Map<string, Said[]>()
  for (const said of truth.said) {
    if (!matches(filters, said, truth)) continue
    const isIn =
      input.clock === 'received' ? !isBefore : said.occurredAt >= (span[0] ?? 0) && said.occurredAt < (span[1] ?? 0)
    if (!isIn) continue
    const period =
      time.granularity === undefined ? '' : periodOf(said.occurredAt, time.granularity, time.time_zone ?? 'UTC')
    const keys = group_by.reduce(
      (all: readonly string[], field: string) =>
        all.flatMap(key => valuesOf(field, said, truth, filters).map(value => `${key}|${value}`)),
      [period],
    )
    for (const key of keys) {
      const row = rows.get(key) ?? []
      row.push(said)
      rows.set(key, row)
    }
  }
  const ofAnswer = ROWS.get(data) ?? []
  ofAnswer[isBefore ? 1 : 0] = rows
  ROWS.set(data, ofAnswer)
  return rows
}

const keyOf = (item: Json, input: Json): string => {
  const named = (field: string): string => {
    const { reference, title } = item.named?.[field] ?? {}
    if (field === 'claim') return reference ?? item.group[field]
    // Whoever has no address is told apart by the source, and may have another's name.
    return item.group[field].includes('\u001f') ? item.group[field] : (title ?? item.group[field])
  }
  return [item.period?.slice(0, 10) ?? '', ...(input.group_by ?? []).map(named)].join('|')
}

const figure =
  (isBefore: boolean) =>
  ({ keys: [metric = ''], owners: [, item] }: FoundNumber, asked: Asked) =>
    MEASURES[metric]?.(rowsOf(asked, isBefore).get(keyOf(item, asked.input)) ?? []) ?? null

const STAGES: Readonly<Record<string, (truth: Truth) => number>> = {
  received: truth => stage(truth, 'accepted') + [...truth.refused.values()].reduce((sum, times) => sum + times, 0),
  accepted: ({ said }) => said.filter(({ fate }) => fate !== 'erased' && fate !== 'test').length,
  deduplicated: ({ said }) => said.filter(({ fate }) => fate === 'signal').length,
  in_claim: truth => evidenceOf([...truth.claims.values()]),
  in_solution: ({ solutions }) => evidenceOf([...solutions.values()].flatMap(({ claims }) => [...claims])),
  done: ({ solutions }) =>
    evidenceOf([...solutions.values()].filter(({ state }) => state === 'Done').flatMap(({ claims }) => [...claims])),
}
const stage = (truth: Truth, name: string): number => STAGES[name]?.(truth) ?? 0
const evidenceOf = (claims: readonly TrueClaim[]): number =>
  new Set(claims.flatMap(claim => [...(claim.mergedInto ?? claim).evidence])).size

const funnelFigure = ({ keys: [metric], owners: [, item] }: FoundNumber, { truth }: Asked): number | null => {
  const names = Object.keys(STAGES)
  const count = stage(truth, item.group.stage)
  if (metric === 'count') return count
  const previous = names[Math.max(0, names.indexOf(item.group.stage) - 1)] ?? 'received'
  return Number((count / stage(truth, metric === 'share_of_received' ? 'received' : previous)).toFixed(4))
}

const sourceFigure = ({ keys: [metric], owners: [, item] }: FoundNumber, { truth }: Asked): number | null => {
  const refused = truth.refused.get(item.group.source_id) ?? 0
  const accepted = truth.said.filter(
    one => one.sourceId === item.group.source_id && one.fate !== 'erased' && one.fate !== 'test',
  ).length
  const others = { metric: truth.metricPoints.length, code_host: truth.codeHostEvents } as Readonly<
    Record<string, number>
  >
  const all = others[item.group.source_kind] ?? accepted
  if (metric === 'accepted') return all
  return metric === 'refused' ? refused : Number((all / (all + refused)).toFixed(4))
}

/** Figures of the activity, computed anew from what was said. */
export const ACTIVITY_RULES: readonly Rule[] = [
  {
    numbers: /^analyze_activity\.items\[\]\.metrics\.\*$/,
    expected: (number, asked) => {
      if (number.keys[0] === 'minutes_since_last') return number.value
      if (asked.input.question === 'funnel') return funnelFigure(number, asked)
      if (asked.input.question === 'sources') return sourceFigure(number, asked)
      return figure(false)(number, asked)
    },
  },
  { numbers: /^analyze_activity\.items\[\]\.before\.\*$/, expected: figure(true) },
  {
    numbers: /^analyze_activity\.count$/,
    expected: (_, asked) => {
      if (asked.input.question === 'funnel') return Object.keys(STAGES).length
      if (asked.input.question === 'sources') return asked.truth.sourceNames.size
      const keys = new Set([...rowsOf(asked, false).keys(), ...(asked.input.compare ? rowsOf(asked, true).keys() : [])])
      return asked.input.group_by === undefined && asked.input.time?.granularity === undefined ? 1 : keys.size
    },
  },
]
