import { instantAt } from '../../../model/activity/activity-question.ts'
import { GRANULARITY_NAMES, type TimeRange } from '../../../model/activity/activity-vocabulary.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { readWritten } from '../../../schemas/http/time.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { oneOf } from './fields.ts'

/** The time that a question is about. */
export const Time = Type.Object(
  {
    from: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Included; default 30 days before to.' })),
    to: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Not included; default now.' })),
    granularity: Type.Optional(oneOf(GRANULARITY_NAMES, { description: 'One row a period. Default one for all.' })),
    time_zone: Type.Optional(Type.String({ maxLength: 100, description: 'A time zone. Its IANA name; default UTC.' })),
  },
  { description: 'The time to look at.' },
)

/** What ClickHouse's DateTime holds without wrapping, and the rollups have. */
const EARLIEST = Date.UTC(1970, 0, 3)
const LATEST = Date.UTC(2099, 11, 30)

const refused = (field: string, message: string): AssayError =>
  new AssayError('invalid_input', `time.${field} ${message}.`, { violations: [{ pointer: `/time/${field}`, message }] })

/** A time without an offset is one of the zone's clocks. */
const instantOf = (field: 'from' | 'to', text: string, zone: string): Date => {
  const written = readWritten(text)
  const at = new Date(
    written === null ? Number.NaN : `${written.day}${written.clock ?? 'T00:00'}${written.offset ?? 'Z'}`,
  )
  if (written === null || Number.isNaN(at.getTime())) {
    throw refused(field, 'must be ISO 8601, such as 2026-01-31 or 2026-01-31T09:30:00Z')
  }
  const instant = written.offset === null ? new Date(instantAt(zone, at.getTime())) : at
  if (instant.getTime() < EARLIEST || instant.getTime() > LATEST) throw refused(field, 'must lie between 1971 and 2099')
  return instant
}

/** Offsets such as +02:00, which JavaScript takes for zones, are none to ClickHouse. */
const zoneOf = (name: string): string => {
  try {
    if (/^[A-Za-z]/.test(name)) return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    // Refused below, like what is not even spelled like one.
  }
  throw refused('time_zone', 'must be an IANA time zone, such as Europe/Berlin')
}

/** The range that is meant, defaults filled in. Throws `invalid_input` with the field that is wrong. */
export const timeRange = (time: Static<typeof Time> | undefined, now: Date, defaultDays = 30): TimeRange => {
  const timeZone = zoneOf(time?.time_zone ?? 'UTC')
  const to = time?.to === undefined ? now : instantOf('to', time.to, timeZone)
  const from =
    time?.from === undefined ? new Date(to.getTime() - defaultDays * DAY_MS) : instantOf('from', time.from, timeZone)
  if (from >= to) throw refused('from', 'must be before to')
  return { from, to, granularity: time?.granularity ?? null, timeZone }
}
