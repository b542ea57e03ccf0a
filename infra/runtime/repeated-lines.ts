import { makeRoom } from './make-room.ts'

/** One line for each cause is written in this time. */
const WINDOW_MS = 60_000
/** Remembered causes; a forgotten cause is written again. */
const MAX_CAUSES = 1000
/** Fields that describe the failure. The remaining fields say what it affected, and do not distinguish causes. */
const CAUSE_FIELDS = ['reason', 'cause', 'message', 'errorClass', 'code'] as const

interface Cause {
  readonly until: number
  repeated: number
}

const firstPlace = (stack: string | undefined): string => /^ {4}at .*$/m.exec(stack ?? '')?.[0] ?? ''

const errorIn = (fields: object): unknown => (fields instanceof Error ? fields : Reflect.get(fields, 'err'))

/** The failure without what it affected, and without figures such as durations. */
const causeOf = (level: number, message: string, fields: object): string => {
  const error = errorIn(fields)
  const [thrown, place] = error instanceof Error ? [[error.name, error.message], firstPlace(error.stack)] : [[], '']
  const said = CAUSE_FIELDS.map(name => Reflect.get(fields, name)).filter(value => typeof value === 'string')
  return `${level} ${place} ${[message, ...said, ...thrown].join('\n').replaceAll(/\d+/g, '#')}`
}

/**
 * Recognises lines that repeat another line: a full disk fails every part and request for the same reason, and the log
 * would fill the rest of the disk. Returns null for a line not to be written, else the number of lines of its cause
 * that were left out since the last.
 */
export const createRepeatedLines = (now = () => performance.now()) => {
  const causes = new Map<string, Cause>()
  return (level: number, message: string, fields: object): number | null => {
    const cause = causeOf(level, message, fields)
    const known = causes.get(cause)
    const at = now()
    if (known !== undefined && at < known.until) {
      known.repeated += 1
      return null
    }
    causes.delete(cause)
    makeRoom(causes, MAX_CAUSES)
    causes.set(cause, { until: at + WINDOW_MS, repeated: 0 })
    return known?.repeated ?? 0
  }
}
