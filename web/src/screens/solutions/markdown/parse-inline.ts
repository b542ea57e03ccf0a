/** A piece of a line of Markdown. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'reference'; readonly text: string }
  | { readonly kind: 'strong' | 'emphasis' | 'struck'; readonly children: readonly Inline[] }
  | { readonly kind: 'link'; readonly href: string; readonly children: readonly Inline[] }

const MARKERS = [
  ['**', 'strong'],
  ['__', 'strong'],
  ['~~', 'struck'],
  ['*', 'emphasis'],
  ['_', 'emphasis'],
] as const
const MAX_DEPTH = 6
/**
 * How many closing marks are looked at before what opened counts as text, so that hostile texts take no longer than
 * others.
 */
const MAX_CLOSERS = 8

const ESCAPED = /\\([!-/:-@[-`{-~])/y
const LINK = /!?\[([^[\]]{1,1000})\]\(\s*<?([^\s()<>]{1,2000})>?(?:\s+"[^"]{0,300}")?\s*\)/y
const ADDRESS = /<?(https?:\/\/[^\s<>()[\]"]{1,2000}[^\s<>()[\]".,;:!?'*_~])>?/y
const REFERENCE = /(?:SIG|CLM|SOL|DEC)-\d{1,9}\b/y
const WORD = /[\p{L}\p{N}]/u

/** Where a link may lead: to pages and mail, never to scripts. Anything else stays text. */
const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:|\/app\/)/i.test(href)

/** Reads emphasis, code, links and references out of a text. HTML is text like any other. */
export const parseInline = (text: string, depth = 0): readonly Inline[] => {
  const pieces: Inline[] = []
  let plain = ''
  let at = 0
  const match = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at
    return pattern.exec(text)
  }
  while (at < text.length) {
    const escaped = match(ESCAPED)
    const found = escaped === null ? pieceAt(text, at, depth, match) : null
    if (found === null) {
      plain += escaped?.[1] ?? text[at]
      at += escaped === null ? 1 : 2
      continue
    }
    if (plain !== '') pieces.push({ kind: 'text', text: plain })
    plain = ''
    pieces.push(found.piece)
    at = found.end
  }
  if (plain !== '') pieces.push({ kind: 'text', text: plain })
  return pieces
}

interface Found {
  readonly piece: Inline
  readonly end: number
}

const pieceAt = (
  text: string,
  at: number,
  depth: number,
  match: (pattern: RegExp) => RegExpExecArray | null,
): Found | null => {
  const character = text[at] ?? ''
  if (character === '`') return codeAt(text, at)
  if (character === '[' || character === '!') {
    const [whole, label = '', href = ''] = match(LINK) ?? []
    if (whole === undefined || !isSafe(href)) return null
    return { piece: { kind: 'link', href, children: inner(label, depth) }, end: at + whole.length }
  }
  if (character === 'h' || character === '<') {
    const [whole, href = ''] = match(ADDRESS) ?? []
    if (whole === undefined) return null
    return { piece: { kind: 'link', href, children: [{ kind: 'text', text: href }] }, end: at + whole.length }
  }
  if (/[SCD]/.test(character) && !WORD.test(text[at - 1] ?? ' ')) {
    const [whole] = match(REFERENCE) ?? []
    return whole === undefined ? null : { piece: { kind: 'reference', text: whole }, end: at + whole.length }
  }
  return depth < MAX_DEPTH ? marksAt(text, at, depth) : null
}

const inner = (text: string, depth: number): readonly Inline[] =>
  depth < MAX_DEPTH ? parseInline(text, depth + 1) : [{ kind: 'text', text }]

const codeAt = (text: string, at: number): Found | null => {
  const marks = /^`+/.exec(text.slice(at, at + 10))?.[0] ?? '`'
  const end = text.indexOf(marks, at + marks.length)
  if (end === -1) return null
  return { piece: { kind: 'code', text: text.slice(at + marks.length, end).trim() }, end: end + marks.length }
}

const marksAt = (text: string, at: number, depth: number): Found | null => {
  for (const [marks, kind] of MARKERS) {
    if (!text.startsWith(marks, at) || /^\s?$/.test(text[at + marks.length] ?? '')) continue
    const isUnderscore = marks.startsWith('_')
    if (isUnderscore && WORD.test(text[at - 1] ?? ' ')) continue
    const end = closerOf(text, marks, at + marks.length, isUnderscore)
    if (end === -1) continue
    const children = parseInline(text.slice(at + marks.length, end), depth + 1)
    return { piece: { kind, children }, end: end + marks.length }
  }
  return null
}

/** Where the marks close: not after a space, and underscores not inside of a word. */
const closerOf = (text: string, marks: string, from: number, isUnderscore: boolean): number => {
  let end = from
  for (let tried = 0; tried < MAX_CLOSERS; tried += 1) {
    end = text.indexOf(marks, end + 1)
    if (end === -1) return -1
    const inWord = isUnderscore && WORD.test(text[end + marks.length] ?? ' ')
    const longer = text[end + marks.length] === marks[0] && marks.length === 1
    if (!/\s/.test(text[end - 1] ?? ' ') && !inWord && !longer) return end
    if (longer) end += 1
  }
  return -1
}
