import { embedEach } from '../../../infra/models/batching-embedder.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { CPU_BUDGET_MS, inTimeBoundParts } from '../../../infra/runtime/cpu-budget.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { cosine } from '../../../infra/vectors.ts'
import { termsOf } from '../../../infra/word-index/terms.ts'
import { readCalibrations } from '../../../model/calibrations/calibrations.ts'
import { repeatRuleOf } from '../../../model/duplicates/near-duplicates.ts'
import { takeOut } from '../../../model/duplicates/taken-out.ts'
import { saysTheSameAs } from '../../../model/duplicates/wording/says-the-same.ts'
import { readWording } from '../../../model/duplicates/wording/wording.ts'
import { claimsOf } from '../../../model/erasures/erase-signals.ts'
import { rewriteClaims } from '../../../model/erasures/reworded-claims.ts'
import { CONTENT_VERSION } from '../../../model/signals/content-version.ts'
import { textHash } from '../../../model/signals/normalize.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import {
  type EditedPlace,
  type EditedRow,
  noteEdits,
  type RowContent,
} from '../../../model/transfers/signals/imported-edits.ts'
import { withDomain } from '../../../model/transfers/signals/kept-domain.ts'
import type { ImportedRow } from '../../../model/transfers/signals/known-rows.ts'
import type { Transfer } from '../../../model/transfers/transfers.ts'
import { storeTerms } from '../../../model/words/stored-terms.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Content } from '../../../schemas/events/signal.ts'
import { canonical } from '../../steps/normalize/canonical.ts'
import { readSignalBody } from '../../steps/normalize/normalize.ts'
import { type ScrubDependencies, scrubContent } from '../../steps/scrub/scrub.ts'
import { inWorkspace } from '../in-workspace.ts'
import { rewriteContents } from '../rewrite-contents.ts'
import { readContentsOf, type StoredContent } from '../stored-contents.ts'

export interface EditDependencies extends ScrubDependencies {
  readonly database: Database
  readonly embedder: Embedder
}

/** The new content of a signal or a repeat. */
interface Edited {
  readonly id: SignalId
  readonly content: RowContent
  /** Titles that claims had from this content, by claim. */
  readonly titles?: EditedRow['was']['titles']
}

type Rewriting = Pick<EditDependencies, 'database' | 'embedder'>

/** Stores a note of edits in the transaction that writes them. */
type Noting = (transaction: Transaction, place: EditedPlace, edited: readonly EditedRow[]) => Promise<void>

/**
 * Edits signals and repeats whose row has changed, and answers the rows that it found. A signal keeps its number, kind,
 * place and people's decisions; only the row's own fields change. A later import finds a signal that is still in the
 * pipeline or among the dead letters.
 */
export const editRows = async (
  dependencies: EditDependencies,
  transfer: Pick<Transfer, 'id' | 'workspace_id'>,
  rows: readonly Pick<ImportedRow, 'id' | 'body'>[],
  receivedAt: number,
): Promise<ReadonlySet<SignalId>> => {
  if (rows.length === 0) return new Set()
  const scrubbed = await inTimeBoundParts(rows, CPU_BUDGET_MS, ({ id, body }) => ({
    id,
    content: scrubContent(canonical(readSignalBody(withDomain(body), receivedAt)), new Map(), dependencies),
  }))
  const edited = scrubbed.flatMap(result => (isAssayError(result) ? [] : [result]))
  const contentOf = new Map(edited.map(({ id, content }) => [id, content]))
  return editContents(dependencies, transfer.workspace_id, edited, (transaction, place, written) =>
    noteEdits(
      transaction,
      transfer,
      place,
      written.filter(({ id, was }) => {
        const now = contentOf.get(id)
        return now?.actor_key === was.actor_key && now.actor_name === was.actor_name
      }),
    ),
  )
}

/** Writes new contents of signals and repeats, and answers the ids that it found. */
export const editContents = async (
  dependencies: Rewriting,
  workspaceId: WorkspaceId,
  edited: readonly Edited[],
  note: Noting,
): Promise<ReadonlySet<SignalId>> => {
  const signals = await editSignals(dependencies, workspaceId, edited, note)
  const repeats = await editRepeats(dependencies, workspaceId, edited, note)
  return new Set([...signals, ...repeats])
}

/** The fields that an import row fills. */
const rowContent = (content: RowContent): RowContent => {
  const { text, event, source, source_url, actor_name, actor_email, actor_key, metadata } = content
  return { text, event, source, source_url, actor_name, actor_email, actor_key, metadata }
}

/** Keeps every other field, such as the time and the role, as it came. */
const withWords = (before: Content, content: Edited['content']): Content => ({
  ...before,
  ...rowContent(content),
  text_hash: textHash(content.text),
})

const editSignals = async (
  dependencies: Rewriting,
  workspaceId: WorkspaceId,
  edited: readonly Edited[],
  note: Noting,
): Promise<readonly SignalId[]> => {
  const editOf = new Map(edited.map(one => [one.id, one]))
  const stored = await inWorkspace(
    dependencies,
    workspaceId,
  )(transaction => readContentsOf(transaction, workspaceId, [...editOf.keys()]))
  const changed = stored.flatMap((signal): StoredContent[] => {
    const edit = editOf.get(signal.id)
    return edit === undefined ? [] : [{ ...signal, content: withWords(signal.content, edit.content) }]
  })
  const textOf = new Map(stored.map(({ id, content }) => [id, content.text]))
  const rewritten = changed.filter(({ id, content }) => content.text !== textOf.get(id))
  const reword = async (transaction: Transaction, written: ReadonlySet<SignalId>): Promise<void> => {
    // A new version refuses decisions that were made on the old text.
    await raiseVersions(transaction, [...written])
    const reworded = rewritten.flatMap(({ id, content }) => {
      const before = textOf.get(id)
      const { titles = {} } = editOf.get(id) ?? {}
      return before !== undefined && written.has(id) ? [{ id, before, now: content.text, titles }] : []
    })
    const claims = await claimsOf(
      transaction,
      reworded.map(({ id }) => id),
    )
    const titled = Map.groupBy(await rewriteClaims(transaction, claims, reworded), ({ text }) => text)
    const before = stored.filter(({ id }) => written.has(id))
    await note(
      transaction,
      'signals',
      before.map(({ id, content, version }) => {
        const titles = Object.fromEntries(titled.get(content.text)?.map(claim => [claim.id, claim.title]) ?? [])
        return { id, was: { ...rowContent(content), titles }, version }
      }),
    )
  }
  const { written } = await rewriteContents(dependencies, workspaceId, changed, rewritten, reword)
  return [...written]
}

const RAISE = `update signals set version = version + 1 where id = any ($1::uuid[])`

const raiseVersions = async (transaction: Transaction, ids: readonly SignalId[]): Promise<void> => {
  await transaction.query(RAISE, [ids])
}

const REPEATS = `
  select id, signal_id, text, event, source, source_url, actor_name, actor_email, actor_key, metadata::text as metadata,
    ${CONTENT_VERSION} as version, (select original.text from signals as original where original.id = signal_id) as original
  from occurrences
  where workspace_id = $1 and id = any ($2::uuid[]) and reason <> 'member' and text is not null`

interface RepeatRow extends RowContent {
  readonly id: SignalId
  readonly signal_id: SignalId
  readonly version: string
  readonly original: string
}

const WRITE_REPEATS = `
  update occurrences set
    text = edited.text, event = edited.event, source = edited.source, source_url = edited.source_url,
    actor_name = edited.actor_name, actor_email = edited.actor_email, actor_key = edited.actor_key,
    metadata = edited.metadata::jsonb
  from json_to_recordset($2::json) as edited (
    id uuid, text text, event text, source text, source_url text, actor_name text, actor_email text, actor_key text,
    metadata text)
  where occurrences.workspace_id = $1 and occurrences.id = edited.id
  returning occurrences.id, signal_id`

/** A repeat whose text differs from its original becomes a signal of its own. */
const editRepeats = async (
  dependencies: Rewriting,
  workspaceId: WorkspaceId,
  edited: readonly Edited[],
  note: Noting,
): Promise<readonly SignalId[]> => {
  const contentOf = new Map(edited.map(({ id, content }) => [id, content]))
  const inside = inWorkspace(dependencies, workspaceId)
  const repeats = await inside(transaction =>
    transaction.query<RepeatRow>(REPEATS, [workspaceId, [...contentOf.keys()]]),
  )
  if (repeats.length === 0) return []
  const said = repeats.flatMap(repeat => {
    const content = contentOf.get(repeat.id)
    return content === undefined ? [] : [{ ...repeat, content }]
  })
  const reworded = said.filter(({ text, content }) => textHash(text) !== textHash(content.text))
  const apart = await saySomethingElse(dependencies, workspaceId, reworded)
  return inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    const rows = JSON.stringify(said.map(({ id, content }) => ({ id, ...content })))
    const written = await transaction.query<Pick<RepeatRow, 'id' | 'signal_id'>>(WRITE_REPEATS, [workspaceId, rows])
    await storeTerms(
      transaction,
      written.flatMap(({ id, signal_id: signalId }) => {
        const text = contentOf.get(id)?.text
        return text === undefined ? [] : [{ workspaceId, signalId, id, terms: termsOf(text) }]
      }),
    )
    const ids = new Set(written.map(({ id }) => id))
    await note(
      transaction,
      'occurrences',
      said.flatMap(({ id, version, ...was }) => (ids.has(id) ? [{ id, was: rowContent(was), version }] : [])),
    )
    for (const { id } of written) if (apart.has(id)) await takeOut(transaction, id, new Date())
    return written.map(({ id }) => id)
  })
}

/** Repeats that would not be found as repeats now, by the rule of the step `dedup`. */
const saySomethingElse = async (
  { database, embedder }: Rewriting,
  workspaceId: WorkspaceId,
  reworded: readonly (RepeatRow & { readonly content: RowContent })[],
): Promise<ReadonlySet<SignalId>> => {
  if (reworded.length === 0) return new Set()
  const texts = reworded.flatMap(({ original, content }) => [content.text, original])
  const vectors = await embedEach(embedder, texts)
  const space = { workspaceId, model: embedder.model }
  const calibrationOf = await inWorkspace(
    { database },
    workspaceId,
  )(transaction => readCalibrations(transaction, [space]))
  const { least, comparesWords } = repeatRuleOf(calibrationOf(space))
  const areSame = ({ original, content }: (typeof reworded)[number], place: number): boolean => {
    if (textHash(content.text) === textHash(original)) return true
    const [one, other] = [vectors[2 * place], vectors[2 * place + 1]]
    if (!(one instanceof Float32Array && other instanceof Float32Array) || cosine(one, other) < least) return false
    return !comparesWords(content.text) || saysTheSameAs(readWording(content.text), original)
  }
  return new Set(reworded.flatMap((repeat, place) => (areSame(repeat, place) ? [] : [repeat.id])))
}
