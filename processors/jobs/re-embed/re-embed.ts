import { type Static, Type } from 'typebox'
import { embedEach } from '../../../infra/models/batching-embedder.ts'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { termsOf } from '../../../infra/word-index/terms.ts'
import { nodeTexts, storeNodeVectors } from '../../../model/map/anchor.ts'
import { changeMap, lockMap } from '../../../model/map/nodes.ts'
import { newestNumber } from '../../../model/signals/read-signals.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { removeOtherModels, storeVectors } from '../../../model/signals/store-signals.ts'
import { textToEmbed } from '../../../model/themes/own-text.ts'
import { readSharedPassagesOf } from '../../../model/themes/shared-passages.ts'
import { storeTermsIfMissing } from '../../../model/words/stored-terms.ts'
import type { NodeId, WorkspaceId } from '../../../schemas/domain/ids.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'
import {
  countNodes,
  type NodeToEmbed,
  readNodes,
  readSignals,
  type SignalToEmbed,
  stillMissing,
  unchangedNodes,
} from './missing-vectors.ts'

const NODES_A_SLICE = 20
const SIGNALS_A_SLICE = { signals: 200, characters: 200_000 }
const CLEARED_A_SLICE = 1000

/** Parts in their order: nodes by id, signals by number, then the removal of other models' vectors. */
const Cursor = Type.Object({
  /** Model of the vectors. The job starts over when the processors have another model. */
  model: Type.String(),
  part: Type.Union([Type.Literal('nodes'), Type.Literal('signals'), Type.Literal('other_models')]),
  after_node: Type.Union([Type.String(), Type.Null()]),
  after_number: Type.Integer(),
  /** Number of the last signal to look at. Later signals have vectors already. */
  through_number: Type.Integer(),
  /** Nodes and signals that were looked at, also before a new beginning. */
  worked: Type.Integer(),
  /** True when signals must be anchored again. */
  changed: Type.Boolean(),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

export interface ReEmbedDependencies {
  readonly database: Database
  readonly embedder: Embedder
}

/**
 * Embeds every text of a workspace that lacks a vector of the embedder's model, then removes vectors of other models.
 */
export const createReEmbedJob = (dependencies: ReEmbedDependencies): JobDefinition => ({
  kind: 're_embed',
  slice: async slice => {
    const cursor = beginning(slice, dependencies.embedder.model)
    const { workspaceId } = slice
    if (cursor.part === 'other_models') return clear(dependencies, workspaceId, cursor)
    if (cursor.part === 'nodes') {
      const nodes = await inside(dependencies, workspaceId, reading => nodesFrom(reading, workspaceId, cursor))
      return embedPart(dependencies, workspaceId, cursor, nodes)
    }
    const signals = await inside(dependencies, workspaceId, reading => signalsFrom(reading, workspaceId, cursor))
    return embedPart(dependencies, workspaceId, cursor, signals)
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

/** How nodes or signals are read and stored. */
interface Part<Item> {
  readonly items: readonly Item[]
  readonly total: number
  /** Cursor behind the last item of the page; `behindAll` is used when the page is empty. */
  readonly behind: (last: Item) => Partial<Cursor>
  readonly behindAll: Partial<Cursor>
  readonly isDone: (item: Item) => boolean
  readonly textsOf: (item: Item) => readonly string[]
  /** True when an item that cannot be embedded is stored without a vector. */
  readonly storesFailed: boolean
  readonly store: (transaction: Transaction, embedded: readonly Embedded<Item>[]) => Promise<void>
}

interface Embedded<Item> {
  readonly item: Item
  /** Vectors of the item's texts, in order; none when one text cannot be embedded. */
  readonly vectors: readonly Float32Array[]
}

const embedPart = async <Item>(
  dependencies: ReEmbedDependencies,
  workspaceId: WorkspaceId,
  cursor: Cursor,
  part: Part<Item>,
): Promise<SliceResult> => {
  const { items, total } = part
  const last = items.at(-1)
  if (last === undefined) return { cursor: { ...cursor, ...part.behindAll }, done: 0, failed: 0, total }

  const missing = items.filter(item => !part.isDone(item))
  const embedded = await embedEach(dependencies.embedder, missing.flatMap(part.textsOf))
  let from = 0
  const outcomes = missing.map(item => {
    const parts = embedded.slice(from, from + part.textsOf(item).length)
    from += parts.length
    const error = parts.find(isAssayError)
    return { item, error, vectors: error === undefined ? parts.filter(one => one instanceof Float32Array) : [] }
  })
  const storable = outcomes.filter(({ error }) => part.storesFailed || error === undefined)
  if (storable.length > 0) {
    await inside(dependencies, workspaceId, transaction => part.store(transaction, storable))
  }
  const errors = outcomes.flatMap(({ error }) => error ?? [])
  const message = errors.at(-1)?.publicMessage
  return {
    cursor: {
      ...cursor,
      ...part.behind(last),
      worked: cursor.worked + items.length,
      changed: cursor.changed || storable.length > 0,
    },
    done: items.length,
    total,
    failed: errors.length,
    ...(message === undefined ? {} : { message }),
  }
}

const nodesFrom = async (transaction: Transaction, workspaceId: WorkspaceId, cursor: Cursor) => {
  const { model, worked } = cursor
  // This job wrote the id of a node.
  const after = cursor.after_node as NodeId | null
  const items = await readNodes(transaction, { workspaceId, after, model }, NODES_A_SLICE)
  const left = (await countNodes(transaction, workspaceId, after)) + (await newestNumber(transaction, workspaceId))
  const part: Part<NodeToEmbed> = {
    items,
    total: worked + left,
    behind: ({ id }) => ({ after_node: id }),
    behindAll: { part: 'signals' },
    isDone: node => node.has_vectors,
    textsOf: nodeTexts,
    // A node that cannot be embedded loses its vectors of other models: nothing is compared with it.
    storesFailed: true,
    store: async (writing, embedded) => {
      await lockMap(writing, workspaceId)
      const nodes = embedded.map(({ item }) => item)
      const unchanged = await unchangedNodes(writing, workspaceId, nodes)
      for (const { item, vectors } of embedded) {
        if (unchanged.has(item.id)) await storeNodeVectors(writing, workspaceId, item.id, model, vectors)
      }
    },
  }
  return part
}

const signalsFrom = async (transaction: Transaction, workspaceId: WorkspaceId, cursor: Cursor) => {
  const { model, worked, after_number: after } = cursor
  const items = await readSignals(transaction, { workspaceId, after, model }, SIGNALS_A_SLICE)
  const shared = (await readSharedPassagesOf(transaction, [workspaceId])).get(workspaceId)
  const own = new Map(items.map(({ id, text }) => [id, textToEmbed(text, shared)]))
  const part: Part<SignalToEmbed> = {
    items,
    total: worked + (await newestNumber(transaction, workspaceId)) - after,
    behind: ({ number }) => ({ after_number: number }),
    behindAll: { part: 'other_models', after_number: 0, through_number: after },
    isDone: signal => signal.has_vector,
    textsOf: ({ id, text }) => [own.get(id)?.text ?? text],
    storesFailed: false,
    store: async (writing, embedded) => {
      await lockWorkspaces(writing, [workspaceId], 'signals')
      const signals = embedded.map(({ item }) => item)
      const wanted = await stillMissing(writing, workspaceId, model, signals)
      const rows = embedded.flatMap(({ item: { id }, vectors }) =>
        wanted.has(id)
          ? vectors.map(vector => ({ signalId: id, workspaceId, model, vector, ownText: own.get(id)?.hash ?? 0 }))
          : [],
      )
      await storeVectors(writing, rows)
      // Imported signals lack stored words too.
      await storeTermsIfMissing(
        writing,
        signals.flatMap(({ id, text }) =>
          wanted.has(id) ? [{ workspaceId, signalId: id, id, terms: termsOf(text) }] : [],
        ),
      )
    },
  }
  return part
}

/**
 * A text that cannot be embedded also loses its vectors of other models: nothing is compared with it, and nothing tries
 * it again by itself.
 */
const clear = (dependencies: ReEmbedDependencies, workspaceId: WorkspaceId, cursor: Cursor): Promise<SliceResult> =>
  inside(dependencies, workspaceId, async transaction => {
    const { after_number: after, through_number: end, model, changed } = cursor
    const through = Math.min(after + CLEARED_A_SLICE, end)
    await removeOtherModels(transaction, { workspaceId, model, after, through })
    if (through < end) return { cursor: { ...cursor, after_number: through }, done: 0, failed: 0 }
    if (changed) await changeMap(transaction, workspaceId, 'the end of re_embed')
    return { cursor: null, done: 0, failed: 0 }
  })
