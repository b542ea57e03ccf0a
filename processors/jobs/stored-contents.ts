import type { Transaction } from '../../infra/postgres/port.ts'
import { CONTENT_VERSION } from '../../model/signals/content-version.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Content } from '../../schemas/events/signal.ts'

const COLUMNS = `
  id, number, text, encode(text_hash, 'hex') as text_hash, event, source, source_url, actor_name, actor_email, actor_key,
  signal_origin, actor_role, metadata::text as metadata, cut_signature, cut_quoted, cut_footer, cut_omitted,
  ${CONTENT_VERSION} as version`

// A page ends where its texts get long, but has at least one signal.
const READ = `
  with page as materialized (
    select ${COLUMNS} from signals where workspace_id = $1 and number > $2 order by number limit $3
  ), measured as (
    select *, sum(length(concat(text, metadata, cut_signature, cut_quoted, cut_footer))) over (order by number) as characters from page
  )
  select * from measured where characters <= $4 or number = (select min(number) from page) order by number`

interface Row extends Omit<Content, 'occurred_at'> {
  readonly id: SignalId
  readonly number: number
  readonly version: string
}

export interface StoredContent {
  readonly id: SignalId
  readonly number: number
  readonly version: string
  readonly content: Content
}

/** The next signals behind a number, limited by their number and by the length of their contents. */
export const readContents = async (
  transaction: Transaction,
  range: { readonly workspaceId: WorkspaceId; readonly after: number },
  most: { readonly signals: number; readonly characters: number },
): Promise<readonly StoredContent[]> => {
  const rows = await transaction.query<Row>(READ, [range.workspaceId, range.after, most.signals, most.characters])
  return rows.map(toStored)
}

const BY_ID = `select ${COLUMNS} from signals where workspace_id = $1 and id = any ($2::uuid[])`

/** Contents of these signals, where they are stored. */
export const readContentsOf = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  ids: readonly SignalId[],
): Promise<readonly StoredContent[]> => (await transaction.query<Row>(BY_ID, [workspaceId, ids])).map(toStored)

const toStored = ({ id, number, version, metadata, ...written }: Row): StoredContent => ({
  id,
  number,
  version,
  content: {
    text: written.text,
    text_hash: written.text_hash,
    event: written.event,
    source: written.source,
    source_url: written.source_url,
    actor_name: written.actor_name,
    actor_email: written.actor_email,
    actor_key: written.actor_key,
    signal_origin: written.signal_origin,
    actor_role: written.actor_role,
    // No text, so the stored time stays.
    occurred_at: null,
    metadata: JSON.stringify(JSON.parse(metadata)),
    cut_signature: written.cut_signature,
    cut_quoted: written.cut_quoted,
    cut_footer: written.cut_footer,
    cut_omitted: written.cut_omitted,
  },
})

const UNCHANGED = `
  select id from signals
  where workspace_id = $1 and (id, ${CONTENT_VERSION}) in (select * from unnest($2::uuid[], $3::text[])) order by id for update`

/** Signals that nobody has changed since they were read. Locks them until the transaction ends. */
export const holdUnchanged = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  signals: readonly StoredContent[],
): Promise<ReadonlySet<SignalId>> => {
  const ids = signals.map(({ id }) => id)
  const versions = signals.map(({ version }) => version)
  const rows = await transaction.query<{ id: SignalId }>(UNCHANGED, [workspaceId, ids, versions])
  return new Set(rows.map(({ id }) => id))
}

const WRITE = `
  update signals set
    text = clean.text, text_hash = decode(clean.text_hash, 'hex'), event = clean.event, source = clean.source,
    source_url = clean.source_url, actor_name = clean.actor_name, actor_email = clean.actor_email, actor_key = clean.actor_key,
    metadata = clean.metadata, cut_signature = clean.cut_signature, cut_quoted = clean.cut_quoted,
    cut_footer = clean.cut_footer
  from json_to_recordset($2::json) as clean (
    id uuid, text text, text_hash text, event text, source text, source_url text, actor_name text, actor_email text, actor_key text,
    metadata jsonb, cut_signature text, cut_quoted text, cut_footer text)
  where signals.workspace_id = $1 and signals.id = clean.id`

/** Stores contents of signals. Needs the lock of the workspace, because repeats are found by their text. */
export const writeContents = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  signals: readonly StoredContent[],
): Promise<void> => {
  const rows = signals.map(({ id, content }) => ({ id, ...content, metadata: JSON.parse(content.metadata) }))
  await transaction.query(WRITE, [workspaceId, JSON.stringify(rows)])
}

const REMOVE_VECTORS = `
  delete from signal_vectors where workspace_id = $1 and signal_id = any ($2::uuid[]) and ($3::text is null or model <> $3)`

/** Removes the signals' vectors, except those of the model if one is named. */
export const removeVectors = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  signalIds: readonly SignalId[],
  butOf: string | null,
): Promise<void> => {
  await transaction.query(REMOVE_VECTORS, [workspaceId, signalIds, butOf])
}
