import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { LockedSignal } from '../../../model/triage/triage.ts'
import { type Transaction, Type, type WriteContext, writeOperation } from '../define.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { lineOf } from '../parts/lists.ts'
import { SignalShape } from '../parts/signal-shape.ts'
import {
  type BatchChange,
  type BatchTriageInput,
  batchTriageInput,
  requestedSignals,
  requireBatchFields,
} from './batch-triage.ts'
import { lockRequestedSignals, shownSignals } from './locked-signals.ts'
import { promoteSignals } from './promote.ts'
import { markDuplicates, setSignalStates } from './signal-states.ts'
import { snoozeSignals } from './snooze-signals.ts'

/** So many an agent reads whole, and of more a line each. */
const MOST_WHOLE = 10
const LINE = ['reference', 'state', 'classification', 'version'] as const

const changeOf = (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  switch (given.action) {
    case 'promote':
      return promoteSignals(transaction, context, signals, given)
    case 'duplicate':
      return markDuplicates(transaction, signals, given)
    case 'snooze':
    case 'wake':
      return snoozeSignals(transaction, context, signals, given)
    default:
      return setSignalStates(transaction, context, signals, given)
  }
}

export const triageSignals = writeOperation({
  name: 'triage_signals',
  title: 'Decide on several Signals as one',
  summary:
    'Accepts, dismisses, reclassifies, promotes, snoozes or wakes up to 200 Signals, or says what they repeat: as one Decision, which undo takes back as a whole. When any has changed since the version that is sent with it, nothing is written.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  unlisted: ['signals'],
  input: batchTriageInput,
  output: Type.Object({
    signals: Type.Unsafe<SignalShape[]>(
      Type.Array(Type.Union([SignalShape, Type.Pick(SignalShape, LINE)]), {
        description: `The Signals as they are by this Decision, in the order given; for agents a line each where there are more than ${MOST_WHOLE}.`,
      }),
    ),
    claim: nullable(
      Type.Object(
        { id: uuid, reference: Type.String(), is_new: Type.Boolean({ description: 'Whether the claim is new.' }) },
        { description: 'promote: the claim that they became evidence of.' },
      ),
    ),
    decision: nullable(Type.Object({ id: uuid, reference: Type.String() })),
    unchanged: nullable(Type.String({ description: 'Why nothing was changed and no Decision logged.' })),
  }),
  apply: async (given, transaction, context) => {
    requireBatchFields(given)
    const { caller } = context
    // What repeats another is no Signal of its own: that changes which there are.
    if (given.action === 'duplicate') await lockWorkspaces(transaction, [caller.workspaceId], 'signals')
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const signals = await lockRequestedSignals(transaction, requestedSignals(given))
    const change = await changeOf(transaction, context, signals, given)
    const decision = change.changes.length === 0 ? null : await logChange(transaction, context, given.comment, change)
    const all = await shownSignals(
      transaction,
      signals.map(({ id }) => id),
    )
    const isShort = caller.via.kind === 'key' && all.length > MOST_WHOLE
    const unchanged = decision === null ? change.statement : null
    return {
      data: { signals: isShort ? all.map(inALine) : all, claim: change.claim ?? null, decision, unchanged },
      size: signals.length,
    }
  },
})

// Programs that ask for as many read lines.
const inALine = (signal: SignalShape): SignalShape => lineOf(signal, LINE) as SignalShape

const logChange = (
  transaction: Transaction,
  { caller, services }: WriteContext,
  comment: string | undefined,
  { statement, changes, objects = [] }: BatchChange,
) =>
  storeDecision(transaction, caller, {
    statement: comment ?? statement,
    at: services.now(),
    objects: [...changes.map(({ id, change }) => ({ kind: 'signal' as const, id, change: { ...change } })), ...objects],
  })
