import { AssayError } from '../../infra/runtime/errors.ts'

/** A part of a Markdown document: its heading and everything up to the next heading of the same or a higher level. */
export interface Section {
  /** The headings from the outermost to its own. */
  readonly path: readonly string[]
  /** The line of its heading, from 0. */
  readonly start: number
  /** The line after its own text: its first subsection, or its end. */
  readonly ownEnd: number
  readonly end: number
}

const HEADING = /^ {0,3}(#{1,6})(?=[ \t]|$)(.*)$/
const FENCE = /^ {0,3}(`{3,}|~{3,})(.*)$/

/** A heading that is written with `#` (CommonMark, ATX headings); null for any other line. */
const headingOf = (line: string): { readonly level: number; readonly text: string } | null => {
  const match = HEADING.exec(line)
  if (match === null) return null
  const text = (match[2] ?? '').trim().replace(/(^|[ \t])#+$/, '')
  return { level: match[1]?.length ?? 1, text: text.trim() }
}

export const startsWithHeading = (markdown: string): boolean =>
  headingOf(markdown.trimStart().split('\n', 1)[0] ?? '') !== null

/** The lines that are headings: none inside of fenced code. */
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

/** The sections of a document in their order. Underlined headings are text: only those written with `#` begin a section. */
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

/** The line after each heading's section. One pass from the end: a document may be all headings. */
const endsOf = (headings: readonly { readonly line: number; readonly level: number }[], last: number): number[] => {
  /** By level, the line of the nearest heading below of that level or a higher one. */
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
 * The section that a path of headings names, letter case aside: its whole path, or as much of its end as no other section has. Throws `not_found` or
 * `ambiguous`, with paths that may have been meant.
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
