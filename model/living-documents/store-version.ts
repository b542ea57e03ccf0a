import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type LivingDocumentId, newId } from '../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../schemas/domain/limits.ts'
import type { DocumentEdit } from '../../schemas/domain/vocabulary.ts'
import { authorValues } from '../author.ts'
import type { Decider } from '../decisions/log-decision.ts'

/** In Unicode code points, as PostgreSQL counts them. */
export const MAX_DOCUMENT_CHARACTERS = MAX_CHARACTERS.document

const SUPERSEDE = `update living_documents set newest = false where solution_id = $1 and newest`

const INSERT = `
  insert into living_documents
    (id, workspace_id, solution_id, version, newest, markdown, edit, section, decision_id, author_id, author_name, key_label, written_at)
  values ($1, $2, $3, $4, true, $5, $6, $7, $8, $9, $10, $11, $12)`

export interface NewVersion {
  readonly solutionId: string
  readonly version: number
  readonly markdown: string
  readonly edit: DocumentEdit
  readonly section: readonly string[]
  readonly decisionId: string
  readonly at: Date
}

/** Stores the next version of a Solution's Living Document; the caller holds the Solution. Those before it stay as they are. */
export const storeVersion = async (transaction: Transaction, by: Decider, written: NewVersion): Promise<void> => {
  const { solutionId, version, markdown, edit, section, decisionId, at } = written
  await transaction.query(SUPERSEDE, [solutionId])
  const id = newId<LivingDocumentId>()
  const what = [version, markdown, edit, section, decisionId]
  await transaction.query(INSERT, [id, by.workspaceId, solutionId, ...what, ...authorValues(by), at])
}

/** Throws `too_large` for a text that is no document. */
export const requireFits = (markdown: string): void => {
  const characters = Array.from(markdown).length
  if (characters <= MAX_DOCUMENT_CHARACTERS) return
  throw new AssayError(
    'too_large',
    `The Living Document would have ${characters} characters; at most ${MAX_DOCUMENT_CHARACTERS} are kept. Nothing was written: shorten or delete a section first.`,
  )
}
