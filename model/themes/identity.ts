/** A theme as it is found now. */
interface Found {
  readonly signals: readonly string[]
  /** The one of before that it is, where people confirmed signals of it. */
  readonly id?: string
}

/** A theme as it was found before. */
interface Former extends Found {
  readonly id: string
  /** Whether a person named it or said where it stands. */
  readonly is_settled: boolean
}

export interface Identity {
  /** For each theme of now, the one of before that it is; null for one that is new. */
  readonly goesOn: readonly (string | null)[]
  /** For each that is new, the one of before that most of its signals were in and that goes on elsewhere. */
  readonly splitFrom: readonly (string | null)[]
  /** Of those that end, the place of the theme of now that most of their signals are in. */
  readonly became: ReadonlyMap<string, number>
}

/** So much of a theme's signals is most of them. */
const MOST = 0.5

/**
 * Which theme is which: one of now is the one of before with which it shares most, if that is half of either. The
 * greatest shares are given first, so of two that one theme has become, the larger one goes on as it. Themes that
 * people named or moved come before all others: of two that were joined, such a one goes on.
 */
export const identify = (before: readonly Former[], now: readonly Found[]): Identity => {
  const placeOf = new Map(now.flatMap(({ signals }, at) => signals.map(signal => [signal, at] as const)))
  const shared = before.flatMap(({ id, is_settled, signals }) =>
    [...counted(signals.flatMap(signal => placeOf.get(signal) ?? []))].map(([at, count]) => ({
      id,
      at,
      count,
      is_settled,
      ofBefore: count / signals.length,
      ofNow: count / (now[at]?.signals.length ?? count),
    })),
  )
  const goesOn: (string | null)[] = now.map(({ id = null }) => id)
  const ending = new Set(before.map(({ id }) => id).filter(id => !goesOn.includes(id)))
  for (const { id, at, ofBefore, ofNow } of shared.toSorted(
    (one, other) => Number(other.is_settled) - Number(one.is_settled) || other.count - one.count || one.at - other.at,
  )) {
    if (!ending.has(id) || goesOn[at] !== null || Math.max(ofBefore, ofNow) < MOST) continue
    goesOn[at] = id
    ending.delete(id)
  }
  const most = shared.toSorted((one, other) => other.count - one.count)
  const splitFrom = now.map((_, at) => {
    if (goesOn[at] !== null) return null
    const from = most.find(one => one.at === at)
    return from === undefined || from.ofNow < MOST || ending.has(from.id) ? null : from.id
  })
  const became = new Map(
    [...ending].flatMap(id => {
      const into = most.find(one => one.id === id)
      return into === undefined || into.ofBefore < MOST ? [] : [[id, into.at] as const]
    }),
  )
  return { goesOn, splitFrom, became }
}

const counted = (places: readonly number[]): ReadonlyMap<number, number> => {
  const counts = new Map<number, number>()
  for (const place of places) counts.set(place, (counts.get(place) ?? 0) + 1)
  return counts
}
