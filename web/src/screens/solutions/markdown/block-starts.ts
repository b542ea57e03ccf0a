import { type Line, trimBlank, trimBlankEnd } from './line.ts'

/** What a line of Markdown begins. Each function looks at a line whose indent is less than that of code. */

/** A line that is indented by so many columns is code. */
export const CODE_INDENT = 4

export interface Fence {
  readonly mark: string
  readonly length: number
  readonly indent: number
}

export const fenceOf = ({ words, indent }: Line): Fence | null => {
  const marks = /^(?:`{3,}|~{3,})/.exec(words)?.[0]
  if (marks === undefined || (marks.startsWith('`') && words.includes('`', marks.length))) return null
  return { mark: marks[0] ?? '', length: marks.length, indent }
}

export const closesFence = ({ words, indent }: Line, { mark, length }: Fence): boolean => {
  const marks = indent < CODE_INDENT ? trimBlankEnd(words) : ''
  return marks.length >= length && marks === mark.repeat(marks.length)
}

/** A heading that is written with `#`, and its level from 1 to 6. */
export const headingOf = ({ words }: Line): { readonly level: number; readonly text: string } | null => {
  const level = /^#{1,6}(?=[ \t]|$)/.exec(words)?.[0].length
  if (level === undefined) return null
  const text = trimBlank(words.slice(level))
  let end = text.length
  while (text[end - 1] === '#') end -= 1
  const isClosed = end === 0 || text[end - 1] === ' ' || text[end - 1] === '\t'
  return { level, text: isClosed ? trimBlankEnd(text.slice(0, end)) : text }
}

/** The level of the heading that a line makes of the paragraph above it. */
export const underlineOf = ({ words }: Line): 1 | 2 | null => {
  const marks = trimBlankEnd(words)
  if (marks === '' || marks !== (marks[0] ?? '').repeat(marks.length)) return null
  return marks.startsWith('=') ? 1 : marks.startsWith('-') ? 2 : null
}

export const isRule = ({ words }: Line): boolean => /^(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/.test(words)

export interface ItemMark {
  /** `-`, `*` and `+` of a plain list, `.` and `)` of a numbered one: a list has items of one mark alone. */
  readonly mark: string
  readonly length: number
  /** Of a numbered list. */
  readonly start: number | null
}

export const itemOf = ({ words }: Line): ItemMark | null => {
  const [whole, plain, number = '', mark = ''] = /^(?:([-*+])|(\d{1,9})([.)]))(?=[ \t]|$)/.exec(words) ?? []
  if (whole === undefined) return null
  return { mark: plain ?? mark, length: whole.length, start: plain === undefined ? Number(number) : null }
}

/** In the middle of a paragraph a year with a dot is no item, and neither is a lone dash. */
export const mayInterrupt = ({ length, start }: ItemMark, { words }: Line): boolean =>
  (start === null || start === 1) && trimBlankEnd(words).length > length

/** Takes the mark of a quote away; false where the line begins with none. */
export const takeQuoteMark = (line: Line): boolean => {
  if (line.indent >= CODE_INDENT || !line.words.startsWith('>')) return false
  line.skipWords(1)
  line.skipColumns(1)
  return true
}

/** The cells of a row of a table. A bar behind a backslash is a part of its cell. */
export const cellsOf = (row: string): readonly string[] => {
  const cells: string[] = []
  const text = trimBlank(row)
  let cell = ''
  for (let at = text.startsWith('|') ? 1 : 0; at < text.length; at += 1) {
    if (text[at] === '\\' && text[at + 1] === '|') {
      cell += '|'
      at += 1
    } else if (text[at] === '|') {
      cells.push(trimBlank(cell))
      cell = ''
    } else cell += text[at]
  }
  if (trimBlank(cell) !== '') cells.push(trimBlank(cell))
  return cells
}

/** How many columns a table has at most, since each row has a cell for each of them. */
const MAX_COLUMNS = 50

/** Whether a line, below a row of so many cells, makes it the head of a table. */
export const isDelimiterRow = (row: string, columns?: number): boolean => {
  if (!row.includes('|') || /[^-:| \t]/.test(row)) return false
  const cells = cellsOf(row)
  const isOfColumns = columns === undefined || columns === cells.length
  return isOfColumns && cells.length > 0 && cells.length <= MAX_COLUMNS && cells.every(cell => /^:?-+:?$/.test(cell))
}
