import { isAssayError } from '../../../infra/runtime/errors.ts'
import { blockersOf } from '../../../model/undo/blockers.ts'
import { type NetRow, netRowsOf, objectsOfChanges } from '../../../model/undo/changed-rows.ts'
import { type ChangeRow, lockChange, markUndone } from '../../../model/undo/changes.ts'
import { takeBack } from '../../../model/undo/take-back.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import {
  AssayError,
  actorLabel,
  type Caller,
  type Transaction,
  Type,
  type WriteContext,
  writeOperation,
} from '../define.ts'
import { comment, nullable, uuid } from '../parts/fields.ts'
import { undo } from '../triage/undo.ts'
import {
  decisionOfUndo,
  type HangingOn,
  hangingOn,
  markDecisionsReversed,
  refuseWhatRulesForbid,
} from './decisions-and-rules.ts'
import { lockFor, writeDependentRows } from './dependent-rows.ts'
import { ChangeShape, nameOfChange, toChange } from './list-my-changes.ts'

export const undoChange = writeOperation({
  name: 'undo_change',
  title: 'Take back a change',
  summary:
    'Takes back what one call changed, by the meta.change_id of its answer, whichever key or member made it: everything of it, or nothing. Refused, with the change that has to be taken back first, when something newer stands on it. What hung on a Decision is taken back by a Decision of its own; taking that undo back does the change again. service_orient mode my_changes lists the ids.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({ change_id: Type.With(uuid, { description: 'meta.change_id of the answer.' }), comment }),
  output: Type.Object({
    undone: ChangeShape,
    is_changed: Type.Boolean({ description: 'False when it was taken back already: nothing was written.' }),
    message: ownText(),
    decision: nullable(Type.Object({ id: uuid, reference: Type.String() })),
  }),
  apply: async (input, transaction, context) => {
    const change = await findChange(transaction, input.change_id)
    const shown = toChange(change, (await objectsOfChanges(transaction, [change.id])).get(change.id) ?? [])
    if (change.undone_by !== null) {
      const message = `It was taken back already, by the change ${change.undone_by}; nothing was changed. Taking that one back does it again.`
      return { data: { undone: shown, is_changed: false, message, decision: null } }
    }
    requirePerson(context.caller, change)
    const net = await netRowsOf(transaction, change.id)
    if (change.undoes !== null && isOnItsWay(net)) throw takenBack()
    await lockFor(transaction, context, net)
    await refuseBlocked(transaction, change)
    const decision = isOnItsWay(net)
      ? await takeBackRepeat(transaction, context, net, input.comment)
      : await takeRowsBack(transaction, context, change, net, input.comment)
    const stands = await markUndone(transaction, change.id, context.changeId)
    const message = stands ? 'What had been taken back is done again.' : 'It is as it was before.'
    const size = Math.ceil(net.length / ROWS_A_PART)
    return { data: { undone: shown, is_changed: true, message, decision }, undoes: change.id, size }
  },
})

/** Rows that cost as much as a change of one row. */
const ROWS_A_PART = 50

const findChange = async (transaction: Transaction, id: string): Promise<ChangeRow> => {
  const change = isUuid(id) ? await lockChange(transaction, id) : undefined
  if (change !== undefined) return change
  throw new AssayError(
    'not_found',
    `No change of this workspace is "${id}", or it is older than 90 days. service_orient mode my_changes lists yours.`,
  )
}

/** A key cannot undo a change that keys cannot make. */
const requirePerson = ({ via: through }: Caller, change: ChangeRow): void => {
  if (!change.for_people || through.kind === 'app') return
  throw new AssayError(
    'forbidden',
    `${nameOfChange(change)} is for signed-in people in the app, and so is taking it back; nothing was changed.`,
  )
}

const refuseBlocked = async (transaction: Transaction, { id }: ChangeRow): Promise<void> => {
  const blocking = (await blockersOf(transaction, [id])).get(id)
  if (blocking === undefined) return
  throw new AssayError(
    'conflict',
    `Something newer depends on it: ${nameOfChange(blocking)}, the change ${blocking.id}. Nothing was changed. Take that one back first.`,
    { context: { blocked_by: blocking.id, operation: blocking.operation } },
  )
}

/** A taken-out repeat goes through the pipeline, so the undo depends on how far it has come. */
const isOnItsWay = (net: readonly NetRow[]): boolean => net.some(({ table }) => table === 'taken_out_repeats')

const takenBack = (): AssayError =>
  new AssayError(
    'conflict',
    'It had a repeat counted with its original again; nothing was changed. Take the repeat out again with service_decide mode triage, action not_a_repeat.',
  )

const takeBackRepeat = async (
  transaction: Transaction,
  context: WriteContext,
  net: readonly NetRow[],
  reason: string | undefined,
) => {
  const [made = ''] = hangingOn(net).made
  const given = { action: 'undo' as const, decision_id: made, ...(reason === undefined ? {} : { comment: reason }) }
  return (await undo(transaction, context, given)).decision
}

const takeRowsBack = async (
  transaction: Transaction,
  context: WriteContext,
  change: ChangeRow,
  net: readonly NetRow[],
  reason: string | undefined,
) => {
  const { caller, services } = context
  await refuseWhatRulesForbid(transaction, caller, net)
  const at = services.now()
  const hanging: HangingOn = hangingOn(net)
  const decision = await decisionOfUndo(transaction, context, { change, hanging, reason })
  const obstacle = await takeBack(transaction, net, { at, by: actorLabel(caller) }).catch(throwTaken)
  if (obstacle !== undefined) {
    throw new AssayError(
      'conflict',
      'What it changed is not as it left it: the pipeline, a job or a change before changes were kept has been there since. Nothing was changed. Read it, and change back what is still to be changed.',
      { context: { kind: obstacle.table, key: obstacle.key } },
    )
  }
  if (decision !== null) await markDecisionsReversed(transaction, context, { change, hanging, decision })
  await writeDependentRows(transaction, context, change, net, decision)
  return decision
}

/** A unique name, pair or place has been taken meanwhile. */
const throwTaken = (error: unknown): never => {
  if (!isAssayError(error) || error.code !== 'conflict') throw error
  throw new AssayError(
    'conflict',
    'Something newer has the name or the place of what would come back, or hangs on what would go. Nothing was changed. Rename or remove that first.',
    { cause: error },
  )
}
