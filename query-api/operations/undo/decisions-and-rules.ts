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

/** A change's rows in the Decision log. */
export interface HangingOn {
  /** Decisions that were logged with the change. */
  readonly made: readonly string[]
  /** Objects that the change recorded under these Decisions or under existing ones. */
  readonly objects: readonly (DecisionObject & { readonly decisionId: string })[]
}

export const hangingOn = (net: readonly NetRow[]): HangingOn => ({
  made: net.flatMap(({ table, key, before }) => (table === 'decisions' && before === null ? String(key.id) : [])),
  objects: net.flatMap(({ table, after }) => {
    if (table !== 'decision_objects' || after === null) return []
    // Only this service writes rows of `decision_objects`.
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

/** The Decision of an undo, for a change that has a Decision; null otherwise. */
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
  // Undoing an undo repeats the first change, so its first objects are recorded again.
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

/** Marks Decisions that were logged with the change as reversed, unless another change depends on them. */
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

/** Done, Dropped and Outcomes, which a workspace may reserve for Decisions in the app. */
const isReserved = ({ table, before }: NetRow): boolean =>
  table === 'outcomes' ||
  (table === 'solutions' && (before === null || before.state === 'Done' || before.state === 'Dropped'))

/**
 * Refuses an undo that would leave a Solution in a state that no direct change allows. Throws `forbidden` or
 * `conflict`.
 */
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
