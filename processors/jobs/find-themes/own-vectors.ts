import type { Embedder } from '../../../infra/models/port.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { storeVectors } from '../../../model/signals/store-signals.ts'
import { type LookedAt, vectorsOf } from '../../../model/themes/looked-at.ts'
import { type OwnText, ownTextOf } from '../../../model/themes/own-text.ts'
import { READ_CHARACTERS } from '../../../model/themes/passages.ts'
import type { SignalId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { InWorkspace } from '../in-workspace.ts'

/** A signal with the part of its text that is its own. */
export interface OwnPart {
  readonly signal: LookedAt
  readonly text: string
}

interface OwnVector {
  readonly vector: Float32Array
  /** True when it is made of a part of the text. */
  readonly isCut: boolean
}

interface Made {
  readonly signal: LookedAt
  readonly own: OwnText
  readonly vector: Float32Array
}

/**
 * Vectors of the signals' own texts. Those that were made of another part of the text are made anew and stored. Signals
 * without a vector of the model are missing.
 */
export const ownVectorsOf = async (
  inside: InWorkspace,
  { workspaceId, embedder }: { readonly workspaceId: WorkspaceId; readonly embedder: Embedder },
  parts: readonly OwnPart[],
): Promise<ReadonlyMap<SignalId, OwnVector>> => {
  const ids = parts.map(({ signal }) => signal.id)
  const stored = await inside(transaction => vectorsOf(transaction, ids, embedder.model))
  const wanted = parts.flatMap(({ signal, text }) => {
    const known = stored.get(signal.id)
    return known === undefined ? [] : [{ signal, own: ownTextOf(signal.text, text), known }]
  })
  const others = wanted.filter(({ own, known }) => own.hash !== known.ownText)
  const embedded = others.length === 0 ? [] : await embedder.embed(others.map(({ own }) => own.text))
  const made = others.flatMap(({ signal, own }, at) => {
    const vector = embedded[at]
    return vector === undefined ? [] : [{ signal, own, vector }]
  })
  if (made.length > 0) await storeMade(inside, { workspaceId, model: embedder.model }, made)
  const anew = new Map(made.map(({ signal, vector }) => [signal.id, vector]))
  return new Map(
    wanted.map(({ signal: { id }, own, known }) => [
      id,
      { vector: anew.get(id) ?? known.vector, isCut: own.hash !== 0 },
    ]),
  )
}

const UNCHANGED = `
  select signals.id from unnest($2::uuid[], $3::text[]) as read (id, text) join signals on signals.id = read.id
  where signals.workspace_id = $1 and left(signals.text, ${READ_CHARACTERS}) = read.text`

/** Stores vectors of signals whose texts nobody has changed since they were read. */
const storeMade = (
  inside: InWorkspace,
  { workspaceId, model }: { readonly workspaceId: WorkspaceId; readonly model: string },
  made: readonly Made[],
): Promise<void> =>
  inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    const values = [workspaceId, made.map(({ signal }) => signal.id), made.map(({ signal }) => signal.text)]
    const rows = await transaction.query<{ id: SignalId }>(UNCHANGED, values)
    const unchanged = new Set(rows.map(({ id }) => id))
    await storeVectors(
      transaction,
      made
        .filter(({ signal }) => unchanged.has(signal.id))
        .map(({ signal, own, vector }) => ({ signalId: signal.id, workspaceId, model, vector, ownText: own.hash })),
    )
  })
