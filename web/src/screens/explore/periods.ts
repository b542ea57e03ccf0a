import { language } from '../../language/language.ts'
import { DAY_MS } from '../../parts/duration.ts'
import type { Granularity } from './vocabulary.ts'

const STEPS_MS = { minute: 60_000, hour: 3_600_000 } as const
/** A chart has no room for more; the periods that there are must do then. */
const MOST = 2000

/** A period’s start on the clocks of its zone, as if it were UTC, in milliseconds. Written as `2026-05-10T00:00:00+0200`. */
const wallOf = (period: string): number => Date.parse(`${period.slice(0, 19)}Z`)

const instantOf = (period: string): number => Date.parse(period.replace(/(\d\d)(\d\d)$/, '$1:$2'))

const stepped = (wall: number, granularity: Exclude<Granularity, 'minute' | 'hour'>, by: number): number => {
  if (granularity === 'day') return wall + by * DAY_MS
  if (granularity === 'week') return wall + by * 7 * DAY_MS
  const date = new Date(wall)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + by, 1)
}

const wallAt = (instant: string, zone: string): number =>
  Date.parse(
    `${new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' }).format(new Date(instant)).replace(' ', 'T')}Z`,
  )

interface Range {
  readonly from: string
  readonly to: string
  readonly time_zone: string
  readonly granularity: Granularity
}

/** Where on an axis a period is: its instant where periods are shorter than a day, else its day. */
export const axisPosition = (period: string, granularity: Granularity): number =>
  granularity === 'minute' || granularity === 'hour' ? instantOf(period) : wallOf(period)

/** The places of every period of a time, those without a row too: a day on which nothing happened is a day. In order. */
export const axisPositions = (
  periods: readonly string[],
  { from, to, time_zone, granularity }: Range,
): readonly number[] => {
  const known = [...new Set(periods.map(period => axisPosition(period, granularity)))].sort((one, other) => one - other)
  const [first] = known
  if (first === undefined) return []
  const isShort = granularity === 'minute' || granularity === 'hour'
  const next = (place: number, by: number): number =>
    isShort ? place + by * STEPS_MS[granularity] : stepped(place, granularity, by)
  const begin = isShort ? Date.parse(from) : wallAt(from, time_zone)
  const end = isShort ? Date.parse(to) : wallAt(to, time_zone)
  let start = first
  for (let steps = 0; steps < MOST && next(start, 0) > begin; steps += 1) start = next(start, -1)
  const places: number[] = []
  for (let place = start; place < end && places.length <= MOST; place = next(place, 1)) places.push(place)
  return places.length > MOST ? known : places
}

const FORMATS: Readonly<Record<Granularity, Intl.DateTimeFormatOptions>> = {
  minute: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  hour: { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hourCycle: 'h23' },
  day: { day: 'numeric', month: 'short', year: 'numeric' },
  week: { day: 'numeric', month: 'short', year: 'numeric' },
  month: { month: 'short', year: 'numeric' },
}

/** A place as people read it, in the zone asked for. */
export const axisLabel = (place: number, granularity: Granularity, zone: string): string => {
  const isShort = granularity === 'minute' || granularity === 'hour'
  const format = new Intl.DateTimeFormat(language, { ...FORMATS[granularity], timeZone: isShort ? zone : 'UTC' })
  return format.format(new Date(place))
}
