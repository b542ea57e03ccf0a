import { AssayError } from '../../infra/runtime/errors.ts'
import type { Section } from './sections.ts'

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
