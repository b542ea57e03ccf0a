import type { Transaction } from '../../infra/postgres/port.ts'
import type { DocumentEdit } from '../../schemas/domain/vocabulary.ts'
import type { Author } from '../author.ts'

/** One version of a Living Document without its text. */
export interface DocumentVersion extends Author {
  readonly version: number
  readonly edit: DocumentEdit
  readonly section: readonly string[]
  readonly characters: number
  /** The number of the Decision that it hangs on. */
  readonly decision: number
  readonly written_at: Date
}

export interface LivingDocument extends DocumentVersion {
  readonly markdown: string
  /** The newest version of the same document. */
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

/** A version of a Solution's Living Document, without `version` the newest; undefined when there is none. */
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

/** The versions of a Living Document, the newest first. */
export const versionsPage = (
  transaction: Transaction,
  solutionId: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<DocumentVersion[]> => transaction.query<DocumentVersion>(PAGE, [solutionId, page.limit, page.offset])
