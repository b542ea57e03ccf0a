import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type LivingDocumentId, newId } from '../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../schemas/domain/limits.ts'
import type { DocumentEdit } from '../../schemas/domain/vocabulary.ts'
import { type Author, authorValues, type Decider } from '../decisions/log-decision.ts'

/** A version of a Living Document without its text. */
export interface DocumentVersion extends Author {
  readonly version: number
  readonly edit: DocumentEdit
  readonly section: readonly string[]
  readonly characters: number
  /** Number of its Decision. */
  readonly decision: number
  readonly written_at: Date
}

export interface LivingDocument extends DocumentVersion {
  readonly markdown: string
  /** Newest version of the same document. */
  readonly newest_version: number
}

const COLUMNS = `
  version, edit, section, length(markdown) as characters, author_name, key_label, written_at,
  (select number from decisions where decisions.id = decision_id) as decision`

const VERSION = `
  select ${COLUMNS}, markdown,
    (select version from living_documents newest where newest.solution_id = $1 and newest) as newest_version
  from living_documents
  where solution_id = $1 and case when $2::integer is null then newest else version = $2 end`

/** A version of a Solution's Living Document, by default the newest; undefined without one. */
export const readVersion = async (
  transaction: Transaction,
  solutionId: string,
  version?: number,
): Promise<LivingDocument | undefined> =>
  (await transaction.query<LivingDocument>(VERSION, [solutionId, version ?? null]))[0]

const PAGE = `
  select ${COLUMNS} from living_documents
  where solution_id = $1
  order by version desc limit $2 offset $3`

/** Versions of a Living Document, newest first. */
export const versionsPage = (
  transaction: Transaction,
  solutionId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<DocumentVersion[]> => transaction.query<DocumentVersion>(PAGE, [solutionId, page.limit, page.offset])

/** Unicode code points, as PostgreSQL counts. */
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

/** Stores the next version of a Solution's Living Document. The caller holds the Solution. Earlier versions stay. */
export const storeVersion = async (transaction: Transaction, by: Decider, written: NewVersion): Promise<void> => {
  const { solutionId, version, markdown, edit, section, decisionId, at } = written
  await transaction.query(SUPERSEDE, [solutionId])
  const id = newId<LivingDocumentId>()
  const what = [version, markdown, edit, section, decisionId]
  await transaction.query(INSERT, [id, by.workspaceId, solutionId, ...what, ...authorValues(by), at])
}

/** Throws `too_large` for a text that is too long. */
export const requireFits = (markdown: string): void => {
  const characters = Array.from(markdown).length
  if (characters <= MAX_DOCUMENT_CHARACTERS) return
  throw new AssayError(
    'too_large',
    `The Living Document would have ${characters} characters; at most ${MAX_DOCUMENT_CHARACTERS} are kept. Nothing was written: shorten or delete a section first.`,
  )
}
