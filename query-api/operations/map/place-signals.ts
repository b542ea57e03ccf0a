import { moveToNodes } from '../../../model/map/anchor.ts'
import { MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, actorLabel, Type, writeOperation } from '../define.ts'
import { identifier, uuid, version } from '../parts/fields.ts'
import { lockRequestedSignals } from '../triage/locked-signals.ts'
import { nodeId, readLockedNode } from './node.ts'

export const placeSignals = writeOperation({
  name: 'place_signals',
  title: 'Put Signals at nodes of the map',
  summary:
    'Puts up to 200 Signals each at a node of the map, where they stay, and makes each an example of its node, as move_signal does of one. All of them are placed, or none; one undo takes all back.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({
    places: Type.Array(Type.Object({ signal_id: identifier, node_id: nodeId, version }), {
      minItems: 1,
      maxItems: MAX_TRIAGED,
      description: 'Each Signal once, with its node.',
    }),
  }),
  output: Type.Object({
    placed: Type.Integer({ description: 'Signals that are at the node named now.' }),
    nodes: Type.Array(Type.Object({ id: uuid, name: ownText() })),
  }),
  apply: async ({ places }, transaction, { caller, services }) => {
    const nodes = new Map<string, Awaited<ReturnType<typeof readLockedNode>>>()
    for (const { node_id } of places)
      if (!nodes.has(node_id)) nodes.set(node_id, await readLockedNode(transaction, node_id, undefined))
    const signals = await lockRequestedSignals(transaction, places)
    if (signals.length < places.length) {
      throw new AssayError('invalid_input', 'A Signal is named twice: it is at one node. Nothing was written.')
    }
    const moves = signals.flatMap((signal, at) => {
      const node = nodes.get(places[at]?.node_id ?? '')
      return node === undefined ? [] : [{ signal: signal.id, node: node.id }]
    })
    await moveToNodes(transaction, moves, { by: actorLabel(caller), at: services.now() })
    const named = new Map([...nodes.values()].map(({ id, name }) => [id, { id, name }]))
    return { data: { placed: moves.length, nodes: [...named.values()] }, size: moves.length }
  },
})
