import { ATTACH_AT } from '../../../model/map/fit.ts'
import { findSibling, type MapNode, readNode, subtreeOf, type WantedName } from '../../../model/map/nodes.ts'
import { type NodeRow, nodeRows } from '../../../model/map/read-map.ts'
import { type MetricBinding, readBindings } from '../../../model/metrics/bindings.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import type { JobId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS, MAX_NODE_EXAMPLES } from '../../../schemas/domain/limits.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, type Static, type Transaction, Type, throwDeleted } from '../define.ts'
import { MetricShape, metricShape } from '../metrics/metric.ts'
import { cut, excerpt } from '../parts/excerpt.ts'
import { identifier, nullable, uuid } from '../parts/fields.ts'

export const NodeShape = Type.Object({
  id: uuid,
  parent_id: nullable(uuid),
  path: Type.Array(ownText(), { description: 'Names from the root to the node itself.' }),
  name: ownText(),
  description: ownText(),
  description_truncation: cut,
  examples: Type.Array(ownText(), { description: 'Texts as senders write them, that belong here.' }),
  examples_truncation: cut,
  children: Type.Integer(),
  subtree_nodes: Type.Integer(),
  signals: Type.Integer({ description: 'Signals anchored to the node itself.' }),
  subtree_signals: Type.Integer({ description: 'Signals anchored to the node or to one below it.' }),
  metrics: Type.Array(MetricShape, { description: 'The metrics bound to it, each with its newest point.' }),
  version: Type.Integer(),
})
export type NodeShape = Static<typeof NodeShape>

/** Lengths of a node's texts beside others. */
interface Shown {
  readonly description: number
  readonly examples: number
  /** Characters of each example. */
  readonly example: number
}

export const STANDARD: Shown = { description: 280, examples: 3, example: 120 }
export const FULL: Shown = { description: 1500, examples: 8, example: 150 }

export const toNode = (row: NodeRow, bindings: readonly MetricBinding[], shown: Shown): NodeShape => {
  const rest = `service_lookup mode node, id ${row.id}, list texts`
  const { text: description, text_truncation: description_truncation } = excerpt(
    row.description,
    shown.description,
    rest,
  )
  const examples = row.examples.slice(0, shown.examples).map(example => excerpt(example, shown.example, rest).text)
  const [totalCharacters, shownCharacters] = [row.examples.join('').length, examples.join('').length]
  return {
    ...row,
    description,
    description_truncation,
    examples,
    examples_truncation:
      totalCharacters === shownCharacters
        ? null
        : { shown_characters: shownCharacters, total_characters: totalCharacters, full_text_call: rest },
    metrics: bindings.filter(({ node_id }) => node_id === row.id).map(metricShape),
  }
}

/** The present node, complete except for very long texts. */
export const nodeShape = async (transaction: Transaction, id: string): Promise<NodeShape> => {
  const [row] = await nodeRows(transaction, { root: id, levels: 1, limit: 1, offset: 0 })
  if (row === undefined) return throwDeleted('map node')
  return toNode(row, await readBindings(transaction, [id]), FULL)
}

/** Texts that people write about a node. */
export const nodeTextFields = {
  name: Type.String({
    minLength: 1,
    maxLength: MAX_CHARACTERS.name,
    pattern: '\\S',
    description: 'The name. Unique among its siblings.',
  }),
  description: Type.Optional(
    Type.String({
      maxLength: MAX_CHARACTERS.nodeDescription,
      description: 'What belongs here. Signals are anchored by its meaning.',
    }),
  ),
  examples: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: MAX_CHARACTERS.nodeExample, pattern: '\\S' }), {
      maxItems: MAX_NODE_EXAMPLES,
      description: 'Texts as senders write them, that belong here. A node is as near as its texts are.',
    }),
  ),
}

/** A node: UUID, name, or names from a root. */
export const nodeId = Type.With(identifier, {
  description: 'The node: name or path (Billing / Invoices). Or its UUID.',
})

export const parentId = Type.With(nullable(Type.String({ minLength: 1, maxLength: 300 })), {
  description: 'Null for none. The node above. A UUID, name or path.',
})

/** Throws `conflict` when a sibling has the name. */
export const requireFreeName = async (transaction: Transaction, wanted: WantedName): Promise<void> => {
  const sibling = await findSibling(transaction, wanted)
  if (sibling === undefined) return
  throw new AssayError(
    'conflict',
    `Another node here is named "${wanted.name}". Choose another name, or change that node with service_map mode update_node.`,
    { context: { id: sibling } },
  )
}

/**
 * The node of an identifier. Throws `not_found`, `ambiguous`, and `conflict` with the present node when the caller read
 * another version. The node stays unchanged while the transaction holds the map's lock.
 */
export const readLockedNode = async (
  transaction: Transaction,
  identified: string,
  readVersion: number | undefined,
): Promise<MapNode> => {
  const { id } = await resolveOne(transaction, 'node', identified)
  const node = await readNode(transaction, id)
  if (node === undefined) return throwDeleted('map node')
  if (readVersion !== undefined && readVersion !== node.version) throw staleNode(node, readVersion)
  return node
}

export const staleNode = ({ id, parent_id, name, version, description }: MapNode, readVersion: number): AssayError =>
  new AssayError(
    'conflict',
    `The node "${name}" has changed: you read version ${readVersion}, it is at ${version}. Nothing was written. Decide again on what it is now; service_map mode read with its id shows all of it.`,
    { context: { current: { id, parent_id, name, description: description.slice(0, 280), version } } },
  )

/** The parent of an identifier; null for none. Throws `not_found` or `ambiguous`. */
export const resolveParent = async (transaction: Transaction, identified: string | null): Promise<string | null> =>
  identified === null ? null : (await resolveOne(transaction, 'node', identified)).id

/** Throws `conflict` for a place within the moved node. */
export const requireOutside = async (
  transaction: Transaction,
  node: { readonly id: string; readonly name: string },
  parentId: string | null,
): Promise<void> => {
  if (parentId === null || !(await subtreeOf(transaction, node.id)).some(id => id === parentId)) return
  throw new AssayError(
    'conflict',
    `"${node.name}" cannot be below itself: the parent asked for is the node or lies below it. Nothing was moved. Move that one out first, with service_map mode move_node.`,
  )
}

/** Effects of a map change on existing signals. */
export const ReAnchoring = Type.Object({
  job_id: nullable(uuid),
  message: ownText(),
})
type ReAnchoring = Static<typeof ReAnchoring>

export const reAnchoring = (jobId: JobId | null): ReAnchoring => ({
  job_id: jobId,
  message: `In the background a Signal moves to the node that it fits best, if at ${ATTACH_AT} or more and clearly better than the node that it is at; the others stay where they are. service_support mode jobs shows how far the job is. Signals received from now on meet the new map.`,
})

/** For changes that keep every vector. */
export const NOTHING_RE_ANCHORED: ReAnchoring = {
  job_id: null,
  message: 'No text changed, so no vector did: Signals stay anchored as they are.',
}

/** For a new name alone. */
export const RENAMED: ReAnchoring = {
  job_id: null,
  message: 'A new name moves no Signal. Signals received from now on meet the new name.',
}

/** A node after a change of the map. */
export const ChangedNode = Type.Object({ ...NodeShape.properties, re_anchoring: ReAnchoring })
