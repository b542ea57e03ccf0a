import { type Static, Type } from 'typebox'
import type { DocumentVersion } from '../../../model/living-documents/versions.ts'
import { DOCUMENT_EDITS, reference } from '../../../schemas/domain/vocabulary.ts'
import { instant, oneOf } from './fields.ts'
import { authorFields } from './handoff-shape.ts'

/** A version of a Living Document: who wrote it, how, and on which Decision. */
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
