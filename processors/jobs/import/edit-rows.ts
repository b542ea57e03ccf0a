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
import { saysTheSame } from '../../../model/duplicates/wording/says-the-same.ts'
import { readWording } from '../../../model/duplicates/wording/wording.ts'
import { claimsOf, rewriteClaims } from '../../../model/erasures/erase-signals.ts'
import { textHash } from '../../../model/signals/normalize.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { ImportedRow } from '../../../model/transfers/signals/known-rows.ts'
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

interface Edited {
  readonly id: SignalId
  readonly content: Content
}

/**
 * Edits the signals and repeats of rows that say something else by now, and answers which rows it found. A signal keeps
 * its number, its kind, its place and what people made of it; only what the row says of itself changes. One that is
 * still on its way, or died on it, is found by a later import.
 */
export const editRows = async (
  dependencies: EditDependencies,
  workspaceId: WorkspaceId,
  rows: readonly Pick<ImportedRow, 'id' | 'body'>[],
  receivedAt: number,
): Promise<ReadonlySet<SignalId>> => {
  if (rows.length === 0) return new Set()
  const scrubbed = await inTimeBoundParts(rows, CPU_BUDGET_MS, ({ id, body }) => ({
    id,
    content: scrubContent(canonical(readSignalBody(body, receivedAt)), new Map(), dependencies),
  }))
  const edited = scrubbed.flatMap(result => (isAssayError(result) ? [] : [result]))
  const signals = await editSignals(dependencies, workspaceId, edited)
  const repeats = await editRepeats(dependencies, workspaceId, edited)
  return new Set([...signals, ...repeats])
}

/** What a row says of itself. When it happened, and whose voice it is, stays as it came. */
const withWords = (
  before: Content,
  { text, text_hash, event, source, source_url, actor_name, actor_email, actor_key, metadata }: Content,
): Content => ({
  ...before,
  ...{ text, text_hash, event, source, source_url, actor_name, actor_email, actor_key, metadata },
})

const editSignals = async (
  dependencies: EditDependencies,
  workspaceId: WorkspaceId,
  edited: readonly Edited[],
): Promise<readonly SignalId[]> => {
  const contentOf = new Map(edited.map(({ id, content }) => [id, content]))
  const stored = await inWorkspace(
    dependencies,
    workspaceId,
  )(transaction => readContentsOf(transaction, workspaceId, [...contentOf.keys()]))
  const changed = stored.flatMap((signal): StoredContent[] => {
    const content = contentOf.get(signal.id)
    return content === undefined ? [] : [{ ...signal, content: withWords(signal.content, content) }]
  })
  const textOf = new Map(stored.map(({ id, content }) => [id, content.text]))
  const rewritten = changed.filter(({ id, content }) => content.text !== textOf.get(id))
  const reword = async (transaction: Transaction, written: ReadonlySet<SignalId>): Promise<void> => {
    const ids = rewritten.map(({ id }) => id).filter(id => written.has(id))
    if (ids.length === 0) return
    const before = ids.flatMap(id => textOf.get(id) ?? [])
    await rewriteClaims(transaction, await claimsOf(transaction, ids), before)
  }
  const { written } = await rewriteContents(dependencies, workspaceId, changed, rewritten, reword)
  return [...written]
}

const REPEATS = `
  select occurrences.id, occurrences.signal_id, occurrences.text, signals.text as original
  from occurrences join signals on signals.id = occurrences.signal_id
  where occurrences.workspace_id = $1 and occurrences.id = any ($2::uuid[]) and reason <> 'member'
    and occurrences.text is not null`

interface RepeatRow {
  readonly id: SignalId
  readonly signal_id: SignalId
  readonly text: string
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

/** A repeat that does not say the same as its original any more becomes a signal of its own. */
const editRepeats = async (
  dependencies: EditDependencies,
  workspaceId: WorkspaceId,
  edited: readonly Edited[],
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
  const reworded = said.filter(({ text, content }) => textHash(text) !== content.text_hash)
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
    for (const { id } of written) if (apart.has(id)) await takeOut(transaction, id, new Date())
    return written.map(({ id }) => id)
  })
}

/** Which repeats are none, by the rule by which they would be found. */
const saySomethingElse = async (
  { database, embedder }: EditDependencies,
  workspaceId: WorkspaceId,
  reworded: readonly (RepeatRow & { readonly content: Content })[],
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
    if (content.text_hash === textHash(original)) return true
    const [one, other] = [vectors[2 * place], vectors[2 * place + 1]]
    if (!(one instanceof Float32Array && other instanceof Float32Array) || cosine(one, other) < least) return false
    return !comparesWords || saysTheSame(readWording(content.text), readWording(original))
  }
  return new Set(reworded.flatMap((repeat, place) => (areSame(repeat, place) ? [] : [repeat.id])))
}
