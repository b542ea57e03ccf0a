import type { Transaction } from '../../infra/postgres/port.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { textHash } from '../signals/normalize.ts'
import { ERASED } from './words.ts'

interface Said {
  readonly id: SignalId
  readonly number: number
  readonly text: string
  readonly event: string | null
  readonly source_url: string | null
  readonly metadata: string
}

const FIND = `
  select id, number, text, event, source_url, metadata::text as metadata from signals
  where workspace_id = $1 and number > $2
    and (text ~* $3 or event ~* $3 or source_url ~* $3 or metadata::text ~* $3)
  order by number limit $4`

/** The next signals of others in which the words stand. */
export const findSaidByOthers = (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  after: string | null,
  pattern: string,
  most: number,
): Promise<Said[]> => transaction.query<Said>(FIND, [workspaceId, after ?? '0', pattern, most])

/** The same without the words. */
export const withoutWords = (said: Said, pattern: RegExp): Said => ({
  ...said,
  text: said.text.replace(pattern, ERASED),
  event: said.event?.replace(pattern, ERASED) ?? null,
  source_url: said.source_url?.replace(pattern, ERASED) ?? null,
  metadata: said.metadata.replace(pattern, ERASED),
})

const WRITE = `
  update signals set text = clean.text, text_hash = decode(clean.text_hash, 'hex'), event = clean.event, source_url = clean.source_url,
    metadata = clean.metadata::jsonb
  from json_to_recordset($2::json) as clean (id uuid, text text, text_hash text, event text, source_url text, metadata text)
  where signals.workspace_id = $1 and signals.id = clean.id`

export const writeSaid = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  said: readonly Said[],
): Promise<void> => {
  const rows = said.map(one => ({ ...one, text_hash: textHash(one.text) }))
  await transaction.query(WRITE, [workspaceId, JSON.stringify(rows)])
}
