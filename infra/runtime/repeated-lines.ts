import { makeRoom } from './make-room.ts'

/** One line is written for each cause in a window of so many milliseconds. */
const WINDOW_MS = 60_000
/** Causes that are remembered; one that is forgotten is written again. */
const MAX_CAUSES = 1000
/** What the code says of a failure besides its message; the rest of the fields says whom it met. */
const CAUSE_FIELDS = ['reason', 'cause', 'message', 'errorClass', 'code'] as const

interface Cause {
  readonly until: number
  repeated: number
}

const firstPlace = (stack: string | undefined): string => /^ {4}at .*$/m.exec(stack ?? '')?.[0] ?? ''

const errorIn = (fields: object): unknown => (fields instanceof Error ? fields : Reflect.get(fields, 'err'))

/** What went wrong, without whom it met, and without figures such as how long something took. */
const causeOf = (level: number, message: string, fields: object): string => {
  const error = errorIn(fields)
  const [thrown, place] = error instanceof Error ? [[error.name, error.message], firstPlace(error.stack)] : [[], '']
  const said = CAUSE_FIELDS.map(name => Reflect.get(fields, name)).filter(value => typeof value === 'string')
  return `${level} ${place} ${[message, ...said, ...thrown].join('\n').replaceAll(/\d+/g, '#')}`
}

/**
 * Tells lines that repeat another one: a full disk fails every part and every request for the same reason, and would
 * fill the rest of the disk with saying so. Answers null for a line that is not to be written, else how many of its
 * cause were not written since the last one.
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
