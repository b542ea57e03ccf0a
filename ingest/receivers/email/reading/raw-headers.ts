import type { LabelledLines } from './notes-block.ts'
import { unquote } from './quoted-lines.ts'

const HEADER = /^(?<name>[A-Za-z][A-Za-z0-9-]{1,40}):(?:[ \t](?<value>.{0,900}))?$/
const CONTINUES = /^[ \t]+\S/
/** The line that begins a mail in an mbox file. */
const FROM_LINE = /^From \S{1,200} .{0,80}$/
const MAX_LINES = 100
const NAMES = ['from', 'date', 'subject', 'to'] as const

/**
 * The original headers of a forwarded mail, where a program copied all of them: up to an empty line, with an author and
 * a date or subject. Null when there are none.
 */
export const readRawHeaders = (lines: readonly string[], start: number): LabelledLines | null => {
  const values: { -readonly [Name in keyof LabelledLines['values']]: LabelledLines['values'][Name] } = {}
  let index = FROM_LINE.test(unquote(lines[start] ?? '')) ? start + 1 : start
  for (; index < Math.min(lines.length, start + MAX_LINES); index++) {
    const line = unquote(lines[index] ?? '').slice(0, 1_000)
    if (line.trim() === '') break
    const { name, value = '' } = HEADER.exec(line.trimEnd())?.groups ?? {}
    if (name === undefined && !CONTINUES.test(line)) return null
    const known = NAMES.find(each => each === name?.toLowerCase())
    if (known !== undefined) values[known] ??= value.trim()
  }
  const isMail = values.from !== undefined && (values.date !== undefined || values.subject !== undefined)
  return isMail ? { values, end: index } : null
}
