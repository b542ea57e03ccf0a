/** A theme of the present computation. */
interface Found {
  readonly signals: readonly string[]
  /** Id of its earlier theme, when people confirmed signals for it. */
  readonly id?: string
}

/** A theme of the earlier computation. */
interface Former extends Found {
  readonly id: string
  /** True when a person named it or set its standing. */
  readonly is_settled: boolean
  /** True when a person joined other themes to it. */
  readonly has_parts?: boolean
}

export interface Identity {
  /** The earlier theme that each present theme continues; null for a new one. */
  readonly continuedIds: readonly (string | null)[]
  /** For each new theme, the earlier theme that most of its signals were in and that another one continues. */
  readonly splitFrom: readonly (string | null)[]
  /** For each ended theme, the index of the present theme with most of its signals. */
  readonly became: ReadonlyMap<string, number>
  /** For each ended theme, the number of its signals in each present theme, by index. */
  readonly successors: ReadonlyMap<string, ReadonlyMap<number, number>>
}

/** Part of a theme's signals that counts as most of them. */
const MAJORITY = 0.5

/**
 * Matches present themes with earlier ones: a theme continues the earlier one with which it shares the most signals,
 * when that is half of either. The largest shares come first, so that the larger part of a split theme continues it.
 * Themes that people named or set come before others, so that they continue when two were merged. Themes with joined
 * ones come before all, so that one of two joined themes continues both.
 */
export const identify = (before: readonly Former[], now: readonly Found[]): Identity => {
  const placeOf = new Map(now.flatMap(({ signals }, at) => signals.map(signal => [signal, at] as const)))
  const shared = before.flatMap(({ id, is_settled, has_parts = false, signals }) =>
    [...counted(signals.flatMap(signal => placeOf.get(signal) ?? []))].map(([at, count]) => ({
      id,
      at,
      count,
      rank: Number(is_settled) + 2 * Number(has_parts),
      ofBefore: count / signals.length,
      ofNow: count / (now[at]?.signals.length ?? count),
    })),
  )
  const continuedIds: (string | null)[] = now.map(({ id = null }) => id)
  const ending = new Set(before.map(({ id }) => id).filter(id => !continuedIds.includes(id)))
  for (const { id, at, ofBefore, ofNow } of shared.toSorted(
    (one, other) => other.rank - one.rank || other.count - one.count || one.at - other.at,
  )) {
    if (!ending.has(id) || continuedIds[at] !== null || Math.max(ofBefore, ofNow) < MAJORITY) continue
    continuedIds[at] = id
    ending.delete(id)
  }
  const most = shared.toSorted((one, other) => other.count - one.count)
  const splitFrom = now.map((_, at) => {
    if (continuedIds[at] !== null) return null
    const from = most.find(one => one.at === at)
    return from === undefined || from.ofNow < MAJORITY || ending.has(from.id) ? null : from.id
  })
  const became = new Map(
    [...ending].flatMap(id => {
      const into = most.find(one => one.id === id)
      return into === undefined || into.ofBefore < MAJORITY ? [] : [[id, into.at] as const]
    }),
  )
  const taken = Map.groupBy(shared, ({ id }) => id)
  const successors = new Map(
    [...ending].map(id => [id, new Map((taken.get(id) ?? []).map(({ at, count }) => [at, count]))] as const),
  )
  return { continuedIds, splitFrom, became, successors }
}

const counted = (places: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}
