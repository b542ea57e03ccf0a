import { moveToNodes, nodeTexts, storeNodeVectors, vectorsByNode } from '../../../model/map/anchor.ts'
import { changeMap, findSibling, insertNode } from '../../../model/map/nodes.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { sureMembers } from '../../../model/themes/sure-members.ts'
import type { NodeId, SignalId } from '../../../schemas/domain/ids.ts'
import { MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, actorLabel, type Static, type Transaction, Type, writeOperation } from '../define.ts'
import { identifier, uuid } from '../parts/fields.ts'
import { lockRequestedSignals } from '../triage/locked-signals.ts'
import { nodeTextFields, parentId, ReAnchoring, reAnchoring, resolveParent } from './node.ts'

const MAX_NODES = 50

const NewNode = Type.Object({
  name: nodeTextFields.name,
  theme_id: Type.Optional(
    Type.With(identifier, {
      description: 'The theme that it is made of: the Signals that surely belong to it go to the node.',
    }),
  ),
  signal_ids: Type.Optional(
    Type.Array(identifier, {
      minItems: 1,
      maxItems: MAX_TRIAGED,
      uniqueItems: true,
      description: 'The Signals that go to the node, instead of those of the theme.',
    }),
  ),
})
type NewNode = Static<typeof NewNode>

export const addMapNodes = writeOperation({
  name: 'add_map_nodes',
  title: 'Add several nodes to the product map',
  summary:
    'Adds up to 50 nodes below one parent or as roots, by their names: a list, or themes. The Signals of a theme go to its node, stay there and are examples of it. A name that a node there has already is left as it is, and takes the Signals. One undo takes all of it back.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({
    nodes: Type.Array(NewNode, { minItems: 1, maxItems: MAX_NODES }),
    parent_id: Type.Optional(parentId),
  }),
  output: Type.Object({
    added: Type.Array(Type.Object({ id: uuid, name: ownText() })),
    there_already: Type.Array(Type.Object({ id: uuid, name: ownText() })),
    placed: Type.Integer({ description: 'Signals that went to these nodes.' }),
    re_anchoring: ReAnchoring,
  }),
  prepare: async ({ nodes }, { services: { embedder } }) => {
    const texts = nodes.map(({ name }) => ({ name: name.trim(), description: '', examples: [] }))
    const vectors = vectorsByNode(texts, await embedder.embed(texts.flatMap(nodeTexts)))
    return { texts, model: embedder.model, vectors }
  },
  apply: async ({ nodes, parent_id }, transaction, { caller, services }, { texts, model, vectors }) => {
    const { workspaceId } = caller
    const jobId = await changeMap(transaction, workspaceId, caller.userName)
    const parentId = await resolveParent(transaction, parent_id ?? null)
    const at = services.now()
    const added: { id: NodeId; name: string }[] = []
    const there: { id: NodeId; name: string }[] = []
    const moves = new Map<SignalId, NodeId>()
    for (const [place, text] of texts.entries()) {
      const { name } = text
      const known = await findSibling(transaction, { name, parentId, id: null })
      if (known === undefined) await requireQuota(transaction, services.quotas, 'mapNodes', workspaceId)
      const id = known ?? (await insertNode(transaction, workspaceId, { ...text, parentId, at }))
      if (known === undefined) await storeNodeVectors(transaction, workspaceId, id, model, vectors[place] ?? [])
      const list = known === undefined ? added : there
      if (![...added, ...there].some(node => node.id === id)) list.push({ id, name })
      for (const signal of await signalsFor(transaction, nodes[place] ?? { name })) moves.set(signal, id)
    }
    if (added.length + moves.size === 0) throw nothingNew(there)
    const signals = await lockRequestedSignals(
      transaction,
      [...moves.keys()].map(signal_id => ({ signal_id })),
    )
    const placed = signals.map(({ id }) => ({ signal: id, node: moves.get(id) as NodeId }))
    if (placed.length > 0) await moveToNodes(transaction, placed, { by: actorLabel(caller), at })
    return {
      data: { added, there_already: there, placed: placed.length, re_anchoring: reAnchoring(jobId) },
      size: nodes.length,
    }
  },
})

/** Signals for a new node: the named ones, else those of its theme. */
const signalsFor = async (
  transaction: Transaction,
  { theme_id, signal_ids }: NewNode,
): Promise<readonly SignalId[]> => {
  const theme = theme_id === undefined ? null : await resolveOne(transaction, 'theme', theme_id)
  if (signal_ids !== undefined) {
    const named = await lockRequestedSignals(
      transaction,
      signal_ids.map(signal_id => ({ signal_id })),
    )
    return named.map(({ id }) => id)
  }
  return theme === null ? [] : sureMembers(transaction, theme.id, MAX_TRIAGED)
}

const nothingNew = (there: readonly { readonly name: string }[]): AssayError =>
  new AssayError(
    'invalid_input',
    `Nothing would change: the map has ${there.map(({ name }) => `"${name}"`).join(', ')} there already. Give other names, or another parent_id.`,
  )
