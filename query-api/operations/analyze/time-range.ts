import { type Static, Type } from 'typebox'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { oneOf } from '../parts/fields.ts'
import { GRANULARITY_NAMES } from './activity-vocabulary.ts'

/** The time that a question is about. */
export const Time = Type.Object(
  {
    from: Type.Optional(Type.String({ description: 'ISO 8601; included. Default 30 days before to.' })),
    to: Type.Optional(Type.String({ description: 'ISO 8601; not included. Default now.' })),
    granularity: Type.Optional(oneOf(GRANULARITY_NAMES, { description: 'One row a period. Default one for all.' })),
    time_zone: Type.Optional(Type.String({ description: 'IANA name such as Europe/Berlin. Default UTC.' })),
  },
  { description: 'The time to look at.' },
)

const DEFAULT_RANGE_MS = 30 * 86_400_000

const refused = (field: string, message: string): AssayError =>
  new AssayError('invalid_input', `time.${field} ${message}.`, { violations: [{ pointer: `/time/${field}`, message }] })

const instantOf = (field: string, text: string): Date => {
  const at = new Date(text)
  if (Number.isNaN(at.getTime())) throw refused(field, 'must be ISO 8601, such as 2026-01-31T09:30:00Z')
  return at
}

const zoneOf = (name: string): string => {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    throw refused('time_zone', 'must be an IANA time zone, such as Europe/Berlin')
  }
}

/** The range that is meant, defaults filled in. Throws `invalid_input` with the field that is wrong. */
export const timeRange = (time: Static<typeof Time> | undefined, now: Date) => {
  const to = time?.to === undefined ? now : instantOf('to', time.to)
  const from = time?.from === undefined ? new Date(to.getTime() - DEFAULT_RANGE_MS) : instantOf('from', time.from)
  if (from >= to) throw refused('from', 'must be before to')
  return { from, to, granularity: time?.granularity ?? null, timeZone: zoneOf(time?.time_zone ?? 'UTC') }
}
