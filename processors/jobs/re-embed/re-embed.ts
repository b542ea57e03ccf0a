import { type Static, Type } from 'typebox'
import { embedEach } from '../../../infra/models/embed-each.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { nodeTexts, storeNodeVectors } from '../../../model/map/node-vectors.ts'
import { changeMap, lockMap } from '../../../model/map/revision.ts'
import { lockWorkspaces } from '../../../model/signals/lock-workspaces.ts'
import { newestNumber } from '../../../model/signals/newest-number.ts'
import { removeOtherModels } from '../../../model/signals/remove-other-models.ts'
import { storeVectors } from '../../../model/signals/store-vectors.ts'
import type { NodeId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { cursorReader } from '../cursor.ts'
import type { JobDefinition, JobSlice, SliceResult } from '../job-kind.ts'
import { countNodes, readNodes, readSignals, stillMissing, unchangedNodes } from './missing-vectors.ts'

const NODES_A_SLICE = 20
const SIGNALS_A_SLICE = { signals: 200, characters: 200_000 }
const CLEARED_A_SLICE = 1000

/** First the nodes by id, then the signals by number; then the vectors of other models go. */
const Cursor = Type.Object({
  /** What the vectors are of: the job begins anew when the processors come back with another model. */
  model: Type.String(),
  part: Type.Union([Type.Literal('nodes'), Type.Literal('signals'), Type.Literal('other_models')]),
  after_node: Type.Union([Type.String(), Type.Null()]),
  after_number: Type.Integer(),
  /** The last signal that was looked at: what came later is left alone. */
  through_number: Type.Integer(),
  /** Nodes and signals that were looked at, in earlier beginnings too. */
  worked: Type.Integer(),
  /** Whether there is anything that the signals should be anchored again for. */
  changed: Type.Boolean(),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

export interface ReEmbedDependencies {
  readonly database: Database
  readonly embedder: Embedder
}

/** Gives every text of a workspace that has no vector of the embedder's model one, and removes those of other models at the end. */
export const createReEmbedJob = (dependencies: ReEmbedDependencies): JobDefinition => ({
  kind: 're_embed',
  slice: slice => {
    const cursor = beginning(slice, dependencies.embedder.model)
    if (cursor.part === 'nodes') return embedNodes(dependencies, slice.workspaceId, cursor)
    if (cursor.part === 'signals') return embedSignals(dependencies, slice.workspaceId, cursor)
    return clear(dependencies, slice.workspaceId, cursor)
  },
})

const beginning = (slice: JobSlice, model: string): Cursor => {
  const cursor = readCursor(slice.cursor)
  if (cursor?.model === model) return cursor
  const { worked = 0, changed = false } = cursor ?? {}
  return { model, part: 'nodes', after_node: null, after_number: 0, through_number: 0, worked, changed }
}

const inside = <Result>(
  { database }: ReEmbedDependencies,
  workspaceId: WorkspaceId,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, work)

const embedNodes = async (
  dependencies: ReEmbedDependencies,
  workspaceId: WorkspaceId,
  cursor: Cursor,
): Promise<SliceResult> => {
  const { model } = cursor
  // Written by this job, from a node's id.
  const after = cursor.after_node as NodeId | null
  const { nodes, total } = await inside(dependencies, workspaceId, async transaction => ({
    nodes: await readNodes(transaction, { workspaceId, after, model }, NODES_A_SLICE),
    total:
      cursor.worked +
      (await countNodes(transaction, workspaceId, after)) +
      (await newestNumber(transaction, workspaceId)),
  }))
  const last = nodes.at(-1)
  if (last === undefined) return { cursor: { ...cursor, part: 'signals' }, done: 0, failed: 0, total }

  const missing = nodes.filter(({ has_vectors }) => !has_vectors)
  const embedded = await embedEach(dependencies.embedder, missing.flatMap(nodeTexts))
  let from = 0
  const outcomes = missing.map(node => {
    const parts = embedded.slice(from, from + nodeTexts(node).length)
    from += parts.length
    const error = parts.find(isAssayError)
    return { node, error, vectors: parts.filter(part => part instanceof Float32Array) }
  })
  if (missing.length > 0) {
    await inside(dependencies, workspaceId, async transaction => {
      await lockMap(transaction, workspaceId)
      const unchanged = await unchangedNodes(transaction, workspaceId, missing)
      for (const { node, error, vectors } of outcomes) {
        // One that cannot be embedded keeps no vector of another model: nothing is compared with it.
        if (unchanged.has(node.id))
          await storeNodeVectors(transaction, workspaceId, node.id, model, error === undefined ? vectors : [])
      }
    })
  }
  const errors = outcomes.flatMap(({ error }) => error ?? [])
  return {
    cursor: {
      ...cursor,
      after_node: last.id,
      worked: cursor.worked + nodes.length,
      changed: cursor.changed || missing.length > 0,
    },
    done: nodes.length,
    total,
    ...failures(errors),
  }
}

const embedSignals = async (
  dependencies: ReEmbedDependencies,
  workspaceId: WorkspaceId,
  cursor: Cursor,
): Promise<SliceResult> => {
  const { model, after_number: after } = cursor
  const { signals, newest } = await inside(dependencies, workspaceId, async transaction => ({
    signals: await readSignals(transaction, { workspaceId, after, model }, SIGNALS_A_SLICE),
    newest: await newestNumber(transaction, workspaceId),
  }))
  const total = cursor.worked + newest - after
  const last = signals.at(-1)
  if (last === undefined) {
    const next = { ...cursor, part: 'other_models', after_number: 0, through_number: after }
    return { cursor: next, done: 0, failed: 0, total }
  }

  const missing = signals.filter(({ has_vector }) => !has_vector)
  const embedded = await embedEach(
    dependencies.embedder,
    missing.map(({ text }) => text),
  )
  const vectors = missing.flatMap((signal, index) => {
    const vector = embedded[index]
    return vector instanceof Float32Array ? [{ signal, vector }] : []
  })
  if (vectors.length > 0) {
    await inside(dependencies, workspaceId, async transaction => {
      await lockWorkspaces(transaction, [workspaceId], 'signals')
      const wanted = await stillMissing(
        transaction,
        workspaceId,
        model,
        vectors.map(({ signal }) => signal),
      )
      await storeVectors(
        transaction,
        vectors
          .filter(({ signal }) => wanted.has(signal.id))
          .map(({ signal, vector }) => ({ signalId: signal.id, workspaceId, model, vector })),
      )
    })
  }
  return {
    cursor: {
      ...cursor,
      after_number: last.number,
      worked: cursor.worked + signals.length,
      changed: cursor.changed || vectors.length > 0,
    },
    done: signals.length,
    total,
    ...failures(embedded.filter(isAssayError)),
  }
}

const failures = (errors: readonly { readonly publicMessage: string }[]): Pick<SliceResult, 'failed' | 'message'> => {
  const message = errors.at(-1)?.publicMessage
  return message === undefined ? { failed: 0 } : { failed: errors.length, message }
}

/** A text that could not be embedded loses its vector of another model too: nothing is compared with that, and nobody tries it again by itself. */
const clear = (dependencies: ReEmbedDependencies, workspaceId: WorkspaceId, cursor: Cursor): Promise<SliceResult> =>
  inside(dependencies, workspaceId, async transaction => {
    const { after_number: after, through_number: end, model, changed } = cursor
    const through = Math.min(after + CLEARED_A_SLICE, end)
    await removeOtherModels(transaction, { workspaceId, model, after, through })
    if (through < end) return { cursor: { ...cursor, after_number: through }, done: 0, failed: 0 }
    if (changed) await changeMap(transaction, workspaceId, 'the end of re_embed')
    return { cursor: null, done: 0, failed: 0 }
  })
