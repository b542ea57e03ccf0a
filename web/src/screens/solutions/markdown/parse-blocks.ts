/** A block of a Markdown document. Texts in it are for `parseInline`. */
export type Block =
  | { readonly kind: 'heading'; readonly level: number; readonly text: string }
  | { readonly kind: 'paragraph' | 'code'; readonly text: string }
  | { readonly kind: 'quote'; readonly blocks: readonly Block[] }
  | { readonly kind: 'list'; readonly start: number | null; readonly items: readonly ListItem[] }
  | { readonly kind: 'table'; readonly head: readonly string[]; readonly rows: readonly (readonly string[])[] }
  | { readonly kind: 'rule' }

export interface ListItem {
  /** Of a task; null for any other item. */
  readonly done: boolean | null
  /** Of the document, from 0. */
  readonly line: number
  readonly blocks: readonly Block[]
}

const HEADING = /^ {0,3}(#{1,6})(?:[ \t](.*))?$/s
const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/
const QUOTE = /^ {0,3}> ?/
const ITEM = /^( {0,3})([-*+]|\d{1,9}[.)])( {1,4})(?=\S)/
const TASK = /^\[([ xX])\] /
export const DELIMITERS = /^ {0,3}\|?[ \t]*:?-{1,100}:?[ \t]*(?:\|[ \t]*:?-{1,100}:?[ \t]*){0,50}(?:\|[ \t]*)?$/
const MAX_DEPTH = 8

/**
 * Reads the common part of CommonMark, with tables and tasks. Anything else, HTML first of all, is a paragraph’s text.
 */
export const parseBlocks = (markdown: string): readonly Block[] => blocksOf(markdown.split('\n'), 0, 0)

const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

const begins = (line: string): boolean =>
  HEADING.test(line) || FENCE.test(line) || RULE.test(line) || QUOTE.test(line) || ITEM.test(line)

/** `first` is where in the document the first of the lines is. */
const blocksOf = (lines: readonly string[], depth: number, first: number): readonly Block[] => {
  if (depth > MAX_DEPTH) return [{ kind: 'paragraph', text: lines.join('\n') }]
  const blocks: Block[] = []
  let at = 0
  while (at < lines.length) {
    if (isBlank(lines[at])) {
      at += 1
      continue
    }
    const { block, end } = blockAt(lines, at, depth, first)
    blocks.push(block)
    at = end
  }
  return blocks
}

interface Read {
  readonly block: Block
  /** The line after it. */
  readonly end: number
}

const blockAt = (lines: readonly string[], at: number, depth: number, first: number): Read => {
  const line = lines[at] ?? ''
  const [, fence] = FENCE.exec(line) ?? []
  if (fence !== undefined) return codeAt(lines, at, fence)
  const heading = HEADING.exec(line)
  if (heading !== null) {
    return {
      block: { kind: 'heading', level: heading[1]?.length ?? 1, text: withoutMarks(heading[2] ?? '') },
      end: at + 1,
    }
  }
  if (RULE.test(line)) return { block: { kind: 'rule' }, end: at + 1 }
  if (QUOTE.test(line)) {
    const end = endOf(lines, at, each => QUOTE.test(each))
    const inside = lines.slice(at, end).map(each => each.replace(QUOTE, ''))
    return { block: { kind: 'quote', blocks: blocksOf(inside, depth + 1, first + at) }, end }
  }
  if (ITEM.test(line)) return listAt(lines, at, depth, first)
  if (line.includes('|') && DELIMITERS.test(lines[at + 1] ?? '')) return tableAt(lines, at)
  const end = endOf(lines, at + 1, each => !isBlank(each) && !begins(each))
  return { block: { kind: 'paragraph', text: lines.slice(at, end).join('\n').trim() }, end }
}

/** A heading may end with `#` too. */
const withoutMarks = (text: string): string =>
  text
    .trim()
    .replace(/(?:^|[ \t])#+$/, '')
    .trim()

const endOf = (lines: readonly string[], from: number, goesOn: (line: string) => boolean): number => {
  let end = from
  while (end < lines.length && goesOn(lines[end] ?? '')) end += 1
  return end
}

const codeAt = (lines: readonly string[], at: number, fence: string): Read => {
  const end = endOf(
    lines,
    at + 1,
    line => !(line.trim().startsWith(fence) && line.trim().replaceAll(fence[0] ?? '', '') === ''),
  )
  return { block: { kind: 'code', text: lines.slice(at + 1, end).join('\n') }, end: end + 1 }
}

const listAt = (lines: readonly string[], at: number, depth: number, firstLine: number): Read => {
  const ordered = (mark: string | undefined): boolean => /\d/.test(mark ?? '')
  const first = ITEM.exec(lines[at] ?? '')?.[2]
  const items: ListItem[] = []
  let end = at
  while (end < lines.length) {
    const [whole, , mark] = ITEM.exec(lines[end] ?? '') ?? []
    if (whole === undefined || ordered(mark) !== ordered(first)) break
    const from = end
    end = endOfItem(lines, from, whole.length)
    const inside = lines
      .slice(from, end)
      .map((line, place) =>
        place === 0 ? line.slice(whole.length) : line.replace(/^ +/, indent => indent.slice(whole.length)),
      )
    const task = TASK.exec(inside[0] ?? '')
    const rest = task === null ? inside : inside.with(0, (inside[0] ?? '').slice(task[0].length))
    const line = firstLine + from
    items.push({ done: task === null ? null : task[1] !== ' ', line, blocks: blocksOf(rest, depth + 1, line) })
    while (isBlank(lines[end]) && ITEM.test(lines[end + 1] ?? '')) end += 1
  }
  const start = ordered(first) ? Number.parseInt(first ?? '1', 10) : null
  return { block: { kind: 'list', start, items }, end }
}

/** The document with the box of the task on a line, from 0, ticked or unticked. */
export const toggleTask = (markdown: string, line: number): string => {
  const lines = markdown.split('\n')
  const toggled = (lines[line] ?? '').replace(/\[([ xX])\] /, (_, mark) => (mark === ' ' ? '[x] ' : '[ ] '))
  return lines.with(line, toggled).join('\n')
}

/** An item goes on with what is indented as far as its text, and with lines that begin nothing else right after it. */
const endOfItem = (lines: readonly string[], from: number, indent: number): number => {
  let end = from + 1
  while (end < lines.length) {
    const line = lines[end] ?? ''
    const isInside = line.startsWith(' '.repeat(indent)) && !isBlank(line)
    const goesOn = isBlank(line)
      ? (lines[end + 1] ?? '').startsWith(' '.repeat(indent)) && !isBlank(lines[end + 1])
      : isInside || (!isBlank(lines[end - 1]) && !begins(line))
    if (!goesOn) break
    end += 1
  }
  return end
}

const tableAt = (lines: readonly string[], at: number): Read => {
  const end = endOf(lines, at + 2, line => line.includes('|') && !isBlank(line))
  const [head = [], , ...rows] = lines.slice(at, end).map(cellsOf)
  return { block: { kind: 'table', head, rows: rows.map(row => head.map((_, column) => row[column] ?? '')) }, end }
}

const cellsOf = (line: string): readonly string[] =>
  line
    .trim()
    .replace(/^\|/, '')
    .replace(/\|$/, '')
    .split('|')
    .map(cell => cell.trim())
