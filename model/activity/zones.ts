const HOUR_MS = 3_600_000
const WEEK_MS = 7 * 24 * HOUR_MS

const formats = new Map<string, Intl.DateTimeFormat>()

const formatOf = (zone: string): Intl.DateTimeFormat => {
  const known = formats.get(zone)
  if (known) return known
  const made = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset', year: 'numeric' })
  formats.set(zone, made)
  return made
}

/** How far the clocks of an IANA zone are ahead of UTC at an instant (milliseconds since the epoch), in milliseconds. */
export const offsetAt = (zone: string, at: number): number => {
  const formatter = formatOf(zone)
    .formatToParts(at)
    .find(part => part.type === 'timeZoneName')?.value
  const [, sign = '+', hours = 0, minutes = 0, seconds = 0] =
    /GMT([+-])(\d+):?(\d+)?:?(\d+)?/.exec(formatter ?? '') ?? []
  const offset = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return sign === '-' ? -offset : offset
}

/** The instant at which the zone's clocks show `local`, a time written as if it were UTC. Where a change of clocks leaves it out or shows it twice, one beside it. */
export const instantAt = (zone: string, local: number): number => {
  const near = local - offsetAt(zone, local)
  return local - offsetAt(zone, near)
}

/**
 * Whether all clocks of the zone are a whole number of `unitMs` ahead of UTC from one instant to another, so that its periods are made
 * of whole units of UTC. Looks once a week: no zone changes its clocks for less.
 */
export const offsetsAreWhole = (zone: string, from: number, to: number, unitMs: number): boolean => {
  for (let at = from; at < to; at += WEEK_MS) if (offsetAt(zone, at) % unitMs !== 0) return false
  return offsetAt(zone, to) % unitMs === 0
}
