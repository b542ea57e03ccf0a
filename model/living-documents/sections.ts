import { AssayError } from '../../infra/runtime/errors.ts'
import type { DocumentEdit } from '../../schemas/domain/vocabulary.ts'

/** A part of a Markdown document: a heading with everything up to the next heading of the same or a higher level. */
interface Section {
  /** Headings from the outermost to its own. */
  readonly path: readonly string[]
  /** Line of its heading, from 0. */
  readonly start: number
  /** The line after its own text: its first subsection, or its end. */
  readonly ownEnd: number
  readonly end: number
}

// U+2028 and U+2029 end no line in Markdown.
const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)(.*)$/s
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)/s

/** A heading with `#` (CommonMark, ATX headings); null for any other line. */
const headingOf = (line: string): { readonly level: number; readonly text: string } | null => {
  const match = HEADING.exec(line)
  if (match === null) return null
  const text = (match[2] ?? '').trim().replace(/(^|[ \t])#+$/, '')
  return { level: match[1]?.length ?? 1, text: text.trim() }
}

const startsWithHeading = (markdown: string): boolean =>
  headingOf(markdown.trimStart().split('\n', 1)[0] ?? '') !== null

/** Lines with headings, outside of fenced code. */
const headingsOf = (lines: readonly string[]) => {
  const headings: { readonly line: number; readonly level: number; readonly text: string }[] = []
  let fence: string | null = null
  for (const [line, text] of lines.entries()) {
    const [, mark, rest] = FENCE.exec(text) ?? []
    if (fence !== null) {
      const closes = mark?.startsWith(fence) && rest?.trim() === ''
      if (closes) fence = null
    } else if (mark !== undefined && !(mark.startsWith('`') && rest?.includes('`'))) fence = mark
    else {
      const heading = headingOf(text)
      if (heading !== null) headings.push({ line, ...heading })
    }
  }
  return headings
}

/** Sections of a document in order. Underlined headings count as text. */
export const sectionsOf = (lines: readonly string[]): readonly Section[] => {
  const headings = headingsOf(lines)
  const ends = endsOf(headings, lines.length)
  const above: { readonly level: number; readonly text: string }[] = []
  return headings.map(({ line, level, text }, index) => {
    while ((above.at(-1)?.level ?? 0) >= level) above.pop()
    above.push({ level, text })
    const next = headings[index + 1]?.line ?? lines.length
    return { path: above.map(one => one.text), start: line, ownEnd: next, end: ends[index] ?? next }
  })
}

/** The end of each heading's section, in one pass from the end, because a document may consist of headings. */
const endsOf = (headings: readonly { readonly line: number; readonly level: number }[], last: number): number[] => {
  /** For each level, the line of the nearest following heading of that level or a higher one. */
  const nearest = new Array<number>(7).fill(last)
  return headings
    .toReversed()
    .map(({ line, level }) => {
      const end = nearest[level] ?? last
      nearest.fill(line, level)
      return end
    })
    .reverse()
}

const MAX_CANDIDATES = 20

const folded = (path: readonly string[]): string[] => path.map(heading => heading.trim().toLowerCase())

const endsWith = (path: readonly string[], wantedPath: readonly string[]): boolean =>
  wantedPath.every((heading, place) => path[path.length - wantedPath.length + place] === heading)

/**
 * The section at a path of headings, without letter case: by its whole path, or by an end of the path that no other
 * section has. Throws `not_found` or `ambiguous`, with similar paths.
 */
export const findSection = (sections: readonly Section[], path: readonly string[]): Section => {
  const wantedPath = folded(path)
  const named = sections.filter(section => endsWith(folded(section.path), wantedPath))
  const exactMatches = named.filter(section => section.path.length === wantedPath.length)
  const found = exactMatches.length > 0 ? exactMatches : named
  const [one] = found
  if (one !== undefined && found.length === 1) return one
  const candidates = (found.length > 0 ? found : sections).slice(0, MAX_CANDIDATES).map(section => section.path)
  const name = JSON.stringify(path).slice(0, 200)
  if (found.length > 0) {
    throw new AssayError(
      'ambiguous',
      `${found.length} sections of the Living Document are ${name}; nothing was changed. Give the path from the outermost heading, or edit the section that holds them.`,
      { context: { candidates } },
    )
  }
  const there = sections.length === 0 ? 'It has no sections: leave section out.' : 'Its sections are the candidates.'
  throw new AssayError('not_found', `The Living Document has no section ${name}. ${there}`, { context: { candidates } })
}

export interface Edit {
  readonly edit: DocumentEdit
  /** Headings that lead to the section; undefined for the whole document. */
  readonly section: readonly string[] | undefined
  /** New text; undefined deletes. */
  readonly markdown: string | undefined
}

/**
 * The text after the edit, with one empty line between joined parts. Throws `invalid_input`, `not_found` or
 * `ambiguous`.
 */
export const editDocument = (document: string, { edit, section: path, markdown }: Edit): string => {
  const text = given(edit, path, markdown)
  const lines = document.split('\n')
  const span = (from: number, to: number): string => lines.slice(from, to).join('\n')
  if (path === undefined) {
    if (edit === 'append') return joined(document, text)
    return edit === 'insert' ? joined(text, document) : joined(text)
  }
  const { start, ownEnd, end } = findSection(sectionsOf(lines), path)
  const around = (from: number, to: number, between: string): string =>
    joined(span(0, from), between, span(to, lines.length))
  if (edit === 'delete') return around(start, end, '')
  if (edit === 'insert') return around(end, end, text)
  if (edit === 'append') return startsWithHeading(text) ? around(end, end, text) : around(ownEnd, ownEnd, text)
  return around(start, end, startsWithHeading(text) ? text : joined(lines[start] ?? '', text))
}

const refused = (field: string, message: string): AssayError =>
  new AssayError('invalid_input', message, { violations: [{ pointer: `/${field}`, message }] })

/** Checks that the edit and its text fit together, and answers the text. */
const given = (edit: DocumentEdit, path: readonly string[] | undefined, markdown: string | undefined): string => {
  if (edit === 'delete') {
    if (path === undefined) throw refused('section', 'A delete needs section: the headings that lead to it.')
    if (markdown !== undefined) throw refused('markdown', 'A delete takes no markdown; replace does.')
    return ''
  }
  if (markdown === undefined) throw refused('markdown', `The edit ${edit} needs markdown.`)
  const text = markdown.replaceAll('\r\n', '\n')
  if (edit === 'insert' && path !== undefined && !startsWithHeading(text)) {
    throw refused(
      'markdown',
      'An insert is a section of its own after the one named: it begins with a heading. Use append to add text to a section.',
    )
  }
  return text
}

const isBlank = (line: string | undefined): boolean => line !== undefined && line.trim() === ''

/** The text without empty lines at both ends. */
const trimmed = (text: string): string => {
  const lines = text.split('\n')
  let from = 0
  let to = lines.length
  while (from < to && isBlank(lines[from])) from += 1
  while (to > from && isBlank(lines[to - 1])) to -= 1
  return lines.slice(from, to).join('\n')
}

const joined = (...blocks: readonly string[]): string =>
  blocks
    .map(trimmed)
    .filter(block => block !== '')
    .join('\n\n')
