import { type DecisionObject, type LoggedDecision, storeDecision } from '../../../model/decisions/log-decision.ts'
import { readDecision } from '../../../model/decisions/read-decisions.ts'
import { markReversed } from '../../../model/decisions/reversals.ts'
import { outcomeOf } from '../../../model/outcomes/outcomes.ts'
import { lockSolution } from '../../../model/solutions/change-solution.ts'
import { isUsedByOthers, type NetRow, netRowsOf } from '../../../model/undo/changed-rows.ts'
import type { ChangeRow } from '../../../model/undo/changes.ts'
import { requiresAppDecisions } from '../../../model/workspaces/workspaces.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Caller, type Transaction, type WriteContext } from '../define.ts'

/** What a change recorded of Decisions. */
export interface HangingOn {
  /** The Decisions that were logged with it. */
  readonly made: readonly string[]
  /** What it recorded under these, or under one that was there. */
  readonly objects: readonly (DecisionObject & { readonly decisionId: string })[]
}

export const hangingOn = (net: readonly NetRow[]): HangingOn => ({
  made: net.flatMap(({ table, key, before }) => (table === 'decisions' && before === null ? String(key.id) : [])),
  objects: net.flatMap(({ table, after }) => {
    if (table !== 'decision_objects' || after === null) return []
    // Rows of `decision_objects`, which this service alone writes.
    const { object_kind, object_id, change, decision_id } = after as unknown as ObjectRow
    return { kind: object_kind, id: object_id, change, decisionId: decision_id }
  }),
})

interface ObjectRow {
  readonly object_kind: DecisionObject['kind']
  readonly object_id: string
  readonly change: DecisionObject['change']
  readonly decision_id: string
}

interface Undoing {
  readonly change: ChangeRow
  readonly hanging: HangingOn
  readonly reason: string | undefined
}

/** The Decision by which a change that hangs on one is taken back; null for a change that hangs on none. */
export const decisionOfUndo = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { change, hanging, reason }: Undoing,
): Promise<LoggedDecision | null> => {
  const ids = [...new Set([...hanging.made, ...hanging.objects.map(({ decisionId }) => decisionId)])]
  const [first] = ids
  if (first === undefined) return null
  const row = await readDecision(transaction, first)
  const name = row === undefined ? 'A Decision' : reference('decision', row.number)
  // What is taken back a second time is done again: it is recorded as it was at first.
  const again = change.undoes === null ? null : hangingOn(await netRowsOf(transaction, change.undoes)).objects
  const done = hanging.made.length > 0 ? `${name} is taken back.` : `What was done on ${name} is taken back.`
  return storeDecision(transaction, caller, {
    statement: reason ?? (again === null ? done : `What ${name} had taken back is done again.`),
    at: services.now(),
    objects: again ?? hanging.objects.filter(({ change: made }) => Object.keys(made).length > 0).map(reversed),
  })
}

const reversed = ({ kind, id, change, decisionId }: HangingOn['objects'][number]): DecisionObject => ({
  kind,
  id,
  change: {
    ...Object.fromEntries(
      Object.entries(change).flatMap(([field, made]) =>
        typeof made === 'object' && made !== null && 'from' in made && 'to' in made
          ? [[field, { from: made.to, to: made.from }]]
          : [],
      ),
    ),
    ...(kind === 'solution' && change.created === true && { state: { from: 'Backlog', to: 'Dropped' } }),
    undoes: decisionId,
  },
})

/** The Decisions that were logged with the change stand no more, unless another change hangs on them. */
export const markDecisionsReversed = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  { change, hanging, decision }: Pick<Undoing, 'change' | 'hanging'> & { readonly decision: LoggedDecision },
): Promise<void> => {
  for (const decisionId of hanging.made) {
    if ((await readDecision(transaction, decisionId))?.reversed_by !== null) continue
    if (await isUsedByOthers(transaction, decisionId, change.id)) continue
    await markReversed(transaction, caller.workspaceId, { decisionId, reversalId: decision.id, at: services.now() })
  }
}

/** Done, Dropped and Outcomes, which a workspace may want decided in the app alone. */
const isReserved = ({ table, before }: NetRow): boolean =>
  table === 'outcomes' ||
  (table === 'solutions' && (before === null || before.state === 'Done' || before.state === 'Dropped'))

/** Refuses what would leave a Solution in a state that nobody may bring it into. Throws `forbidden` or `conflict`. */
export const refuseWhatRulesForbid = async (
  transaction: Transaction,
  caller: Caller,
  net: readonly NetRow[],
): Promise<void> => {
  const needsApp = caller.via.kind === 'key' && net.some(isReserved)
  if (needsApp && (await requiresAppDecisions(transaction, caller.workspaceId))) {
    throw new AssayError(
      'forbidden',
      'This workspace requires Decisions made in the app for Done, Dropped and Outcomes; nothing was changed. Ask a person to take it back there.',
    )
  }
  for (const { table, key, before, after } of net) {
    if (table === 'solutions' && after?.state === 'Done' && before !== null) {
      await refuseOutcome(transaction, String(key.id))
    }
    if (table === 'roadmap_items' && after === null) await refuseFinished(transaction, String(key.solution_id))
  }
}

const refuseOutcome = async (transaction: Transaction, id: string): Promise<void> => {
  if (!(await outcomeOf(transaction, id))) return
  const { number } = await lockSolution(transaction, id, undefined)
  const name = reference('solution', number)
  throw new AssayError(
    'conflict',
    `The Outcome of ${name} was recorded, which needs Done; nothing was changed. Take that back first.`,
  )
}

const refuseFinished = async (transaction: Transaction, id: string): Promise<void> => {
  const { number, state } = await lockSolution(transaction, id, undefined)
  if (state !== 'Done' && state !== 'Dropped') return
  const name = reference('solution', number)
  throw new AssayError(
    'conflict',
    `${name} is ${state}, and the roadmap takes what is still to be done; nothing was changed.`,
  )
}
