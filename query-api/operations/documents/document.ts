import { sectionsOf } from '../../../model/living-documents/sections.ts'
import type { DocumentVersion } from '../../../model/living-documents/versions.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { DOCUMENT_EDITS, reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, Type } from '../define.ts'
import { estimateTokens } from '../parts/excerpt.ts'
import { instant, oneOf } from '../parts/fields.ts'
import { authorFields } from '../parts/people.ts'

/** The headings that lead to a section of a Living Document. */
export const section = Type.Optional(
  Type.Array(Type.String({ minLength: 1, maxLength: 300 }), {
    minItems: 1,
    maxItems: 6,
    description: 'Headings that lead to it, outermost first.',
  }),
)

/** The sections of a document, as far as they fit. */
export const Outline = Type.Object({
  count: Type.Integer(),
  items: Type.Array(Type.Array(ownText()), { description: 'The path of headings of each; the first that fit.' }),
})
type Outline = Static<typeof Outline>

const TOKENS = 600

export const outlineOf = (markdown: string, tokens = TOKENS): Outline => {
  const sections = sectionsOf(markdown.split('\n'))
  let left = tokens
  const end = sections.findIndex(({ path }) => {
    left -= estimateTokens(path)
    return left < 0
  })
  const shown = sections.slice(0, end === -1 ? sections.length : end)
  return { count: sections.length, items: shown.map(({ path }) => [...path]) }
}

/** A version of a Living Document: author, way and Decision. */
export const DocumentVersionShape = Type.Object({
  version: Type.Integer(),
  edit: oneOf(DOCUMENT_EDITS),
  section: Type.Array(Type.String(), { description: 'The section that was edited; empty for the whole.' }),
  characters: Type.Integer(),
  decision: Type.String(),
  ...authorFields,
  written_at: instant,
})
type DocumentVersionShape = Static<typeof DocumentVersionShape>

export const toDocumentVersion = (row: DocumentVersion): DocumentVersionShape => {
  const { version, edit, section, characters, author_name, key_label } = row
  return {
    version,
    edit,
    section: [...section],
    characters,
    decision: reference('decision', row.decision),
    author_name,
    key_label,
    written_at: row.written_at.toISOString(),
  }
}

/** The present version, for a caller who read another one. */
interface Current {
  /** For example `The Outcome of SOL-12`. */
  readonly what: string
  /** 0 without a version. */
  readonly version: number
  /** The call that reads it. */
  readonly read: string
  readonly context: Readonly<Record<string, unknown>>
}

/**
 * Throws `conflict` with the present state when the caller has not read the present version. An existing text can be
 * overwritten only by naming its version.
 */
export const requireVersion = ({ what, version, read, context }: Current, readVersion: number | undefined): void => {
  if ((readVersion ?? 0) === version) return
  const why =
    readVersion === undefined
      ? `${what} exists, at version ${version}: send the version that you read.`
      : version === 0
        ? `${what} does not exist yet: leave version out to begin it.`
        : `${what} has changed: you read version ${readVersion}, it is at ${version}.`
  throw new AssayError('conflict', `${why} Nothing was written. ${read} shows it.`, {
    context: { current: { version, ...context } },
  })
}
