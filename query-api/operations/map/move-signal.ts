import { countNodeLessons, moveToNodes, takeLessonBack } from '../../../model/map/anchor.ts'
import { ATTACH_AT } from '../../../model/map/fit.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { AssayError, actorLabel, Type, writeOperation } from '../define.ts'
import { identifier, version } from '../parts/fields.ts'
import { SignalShape } from '../parts/signal-shape.ts'
import { lockSignal, shownSignal } from '../triage/locked-signals.ts'
import { readLockedNode } from './node.ts'

export const moveSignal = writeOperation({
  name: 'move_signal',
  title: 'Move a Signal to another node of the map',
  summary:
    'Puts a Signal at a node of the map, where it stays, and makes it an example of the node: Signals received from now on that are near to it are anchored there. Without node_id the Signal goes back to where the map had anchored it, and is no example any more.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    signal_id: identifier,
    node_id: Type.Optional(Type.With(identifier, { description: 'Default back.' })),
    version,
  }),
  output: Type.Object({
    signal: SignalShape,
    examples: Type.Integer({ description: 'Signals that people moved to the node.' }),
    message: ownText(),
  }),
  apply: async ({ signal_id, node_id, version: read }, transaction, { caller, services }) => {
    const signal = await lockSignal(transaction, signal_id, read)
    if (node_id === undefined) {
      if (await takeLessonBack(transaction, signal.id))
        return { data: { signal: await shownSignal(transaction, signal.id), examples: 0, message: TAKEN_BACK } }
      throw new AssayError('conflict', `Nobody moved ${signal.reference} to a node; nothing was changed.`)
    }
    const node = await readLockedNode(transaction, node_id, undefined)
    await moveToNodes(transaction, [{ signal: signal.id, node: node.id }], {
      by: actorLabel(caller),
      at: services.now(),
    })
    const examples = await countNodeLessons(transaction, node.id)
    return { data: { signal: await shownSignal(transaction, signal.id), examples, message: MOVED } }
  },
})

const MOVED = `It stays there, and the node learns from it: Signals received from now on that fit it at ${ATTACH_AT} or more are anchored there, if no other fits better. service_support mode start_job, job_kind re_anchor, has those follow that are here already.`
const TAKEN_BACK =
  'It is where the map had anchored it, and follows the map again. service_support mode start_job, job_kind re_anchor, has the Signals follow that it drew to the node.'
