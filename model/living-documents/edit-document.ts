import { AssayError } from '../../infra/runtime/errors.ts'
import type { DocumentEdit } from '../../schemas/domain/vocabulary.ts'
import { findSection, sectionsOf, startsWithHeading } from './sections.ts'

export interface Edit {
  readonly edit: DocumentEdit
  /** The headings that lead to the section; undefined for the whole document. */
  readonly section: readonly string[] | undefined
  /** The new text; undefined to delete. */
  readonly markdown: string | undefined
}

/** What the text is after the edit, with one empty line between what was joined. Throws `invalid_input`, `not_found` or `ambiguous`. */
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

/** The text of an edit, checked to go with what is edited. */
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

/** Without the empty lines at both ends. */
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
