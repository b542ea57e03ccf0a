import { embedEach } from '../../infra/models/batching-embedder.ts'
import type { Embedder } from '../../infra/models/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { termsOf } from '../../infra/word-index/terms.ts'
import { lockWorkspaces } from '../../model/signals/scope.ts'
import { storeVectors } from '../../model/signals/store-signals.ts'
import { storeTerms } from '../../model/words/stored-terms.ts'
import type { SignalId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { inWorkspace } from './in-workspace.ts'
import { holdUnchanged, removeVectors, type StoredContent, writeContents } from './stored-contents.ts'

interface Rewritten {
  /** Signals that nobody has changed meanwhile. */
  readonly written: ReadonlySet<SignalId>
  /** Reasons why texts have no vector. */
  readonly problems: readonly string[]
}

/**
 * Stores signals with other contents. Signals in `rewritten` have a new text, and get its vector and its words.
 * `alongside` runs in the same transaction, under the locks of the workspace's signals and claims.
 */
export const rewriteContents = async (
  dependencies: { readonly database: Database; readonly embedder: Embedder },
  workspaceId: WorkspaceId,
  changed: readonly StoredContent[],
  rewritten: readonly StoredContent[],
  alongside: (transaction: Transaction, written: ReadonlySet<SignalId>) => Promise<void> = async () => {},
): Promise<Rewritten> => {
  if (changed.length === 0) return { written: new Set(), problems: [] }
  const { embedder } = dependencies
  const { model } = embedder
  const embedded = await embedEach(
    embedder,
    rewritten.map(({ content }) => content.text),
  )
  return inWorkspace(
    dependencies,
    workspaceId,
  )(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await lockWorkspaces(transaction, [workspaceId], 'claims')
    const written = await holdUnchanged(transaction, workspaceId, changed)
    const texts = rewritten
      .map(({ id, content }, index) => ({ id, text: content.text, vector: embedded[index] }))
      .filter(({ id }) => written.has(id))
    const vectors = texts.flatMap(({ id: signalId, vector }) =>
      vector instanceof Float32Array ? [{ signalId, workspaceId, model, vector }] : [],
    )
    const embeddedIds = vectors.map(({ signalId }) => signalId)
    const withoutIds = texts.map(({ id }) => id).filter(id => !embeddedIds.includes(id))
    await writeContents(
      transaction,
      workspaceId,
      changed.filter(({ id }) => written.has(id)),
    )
    await storeVectors(transaction, vectors)
    await storeTerms(
      transaction,
      texts.map(({ id, text }) => ({ workspaceId, signalId: id, id, terms: termsOf(text) })),
    )
    await removeVectors(transaction, workspaceId, embeddedIds, model)
    await removeVectors(transaction, workspaceId, withoutIds, null)
    await alongside(transaction, written)
    return { written, problems: texts.flatMap(({ vector }) => (isAssayError(vector) ? [vector.publicMessage] : [])) }
  })
}
