import { type LabelName, readLabel } from './labels.ts'
import { unquote } from './lines.ts'

/** Headers as a mail program writes them above a forwarded or quoted mail. */
export interface HeaderBlock {
  readonly values: Readonly<Partial<Record<LabelName, string>>>
  /** The index of the line behind it. */
  readonly end: number
}

interface ReadLine {
  readonly text: string
  readonly label: ReturnType<typeof readLabel>
}

/** Each line is read once, however many blocks might begin above it. */
const READ_LINES = new WeakMap<readonly string[], ReadLine[]>()

const readLine = (lines: readonly string[], index: number): ReadLine => {
  const read = READ_LINES.get(lines) ?? []
  if (read.length === 0) READ_LINES.set(lines, read)
  const known = read[index]
  if (known !== undefined) return known
  const text = unquote(lines[index] ?? '').trim()
  read[index] = { text, label: readLabel(text) }
  return read[index]
}

/** A long list of recipients may go on over this many lines. */
const MAX_LINES = 30

/**
 * The block that begins at a line; null when none does: it names its author and at least two of date, subject and recipient, with nothing
 * in between but a value's further lines.
 */
export const readHeaderBlock = (lines: readonly string[], start: number): HeaderBlock | null => {
  const values: Partial<Record<LabelName, string>> = {}
  let last: LabelName | null = null
  let end = start
  for (; end < lines.length && end < start + MAX_LINES; end++) {
    const { text: line, label } = readLine(lines, end)
    if (label !== null) {
      values[label.name] ??= label.value
      last = label.name
    } else if (line === '') {
      // Some programs put an empty line between the headers that they write.
      if (readLine(lines, end + 1).label === null || end === start) break
    } else if (last === null || !continues(last, values[last] ?? '', line)) break
    else values[last] = `${values[last]} ${line}`.trim()
  }
  const { from, date, subject, to } = values
  const others = [date, subject, to].filter(value => value !== undefined).length
  return from !== undefined && others >= 2 ? { values, end } : null
}

/** Recipients may be wrapped after a comma, and any value may begin on the line below its label. */
const continues = (label: LabelName, value: string, line: string): boolean =>
  value === '' ||
  ((label === 'to' || label === 'other') && (value.endsWith(',') || value.endsWith(';'))) ||
  (label === 'from' && /^[<[(]\S+@/.test(line))
