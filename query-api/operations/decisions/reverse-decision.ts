import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { type DecisionObject, storeDecision } from '../../../model/decisions/log-decision.ts'
import { readDecision } from '../../../model/decisions/read-decisions.ts'
import {
  changesMade,
  decidedSince,
  markReversed,
  planReversal,
  type Reversal,
  rankTaken,
} from '../../../model/decisions/reversals.ts'
import { outcomeOf } from '../../../model/outcomes/outcomes.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { placeOf, placeSolution, type RoadmapPosition, removeSolution } from '../../../model/roadmap/roadmap.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { claimsOfSolution } from '../../../model/solutions/brief.ts'
import {
  changesOf,
  linkClaims,
  lockSolution,
  type SolutionRow,
  storeSolution,
  unlinkClaims,
} from '../../../model/solutions/change-solution.ts'
import { undoElementChange } from '../../../model/strategy/undo-change.ts'
import type { StrategyElementId } from '../../../schemas/domain/ids.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import {
  AssayError,
  type Static,
  type Transaction,
  Type,
  throwDeleted,
  type WriteContext,
  writeOperation,
} from '../define.ts'
import { comment, identifier, uuid } from '../parts/fields.ts'

const ReversedElement = Type.Object({ id: uuid, changed: Type.Record(Type.String(), Type.Unknown()) })

interface ElementPlan {
  /** Changes to undo, last first. */
  readonly changes: readonly { readonly id: StrategyElementId; readonly change: Readonly<Record<string, unknown>> }[]
  readonly obstacles: readonly string[]
}

/** The Decision's changes of the strategy, locked from now on, and later changes that block their reversal. */
const planElements = async (
  transaction: Transaction,
  { caller }: WriteContext,
  decisionId: string,
): Promise<ElementPlan> => {
  const made = await changesMade(transaction, decisionId, 'strategy_element')
  if (made.length === 0) return { changes: [], obstacles: [] }
  await lockWorkspaces(transaction, [caller.workspaceId], 'strategy')
  const obstacles: string[] = []
  for (const id of new Set(made.map(change => change.id))) {
    const since = await decidedSince(transaction, decisionId, { kind: 'strategy_element', id })
    if (since !== null) obstacles.push(`the strategy: ${reference('decision', since)} changed the same element since`)
  }
  // The ids under a Decision, as ids of elements.
  return { changes: made.map(({ id, change }) => ({ id: id as StrategyElementId, change })), obstacles }
}

/** Undoes the planned changes. Answers their effects, also as objects of the reversing Decision. */
const reverseElements = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  changes: ElementPlan['changes'],
) => {
  const at = services.now()
  const broughtBack = changes.filter(({ change }) => change.removed === true).length
  if (broughtBack > 0)
    await requireQuota(transaction, services.quotas, 'strategyElements', caller.workspaceId, broughtBack)
  const elements: Static<typeof ReversedElement>[] = []
  for (const { id, change } of changes) {
    const changed = await undoElementChange({ transaction, workspaceId: caller.workspaceId, id, at }, change)
    elements.push({ id, changed: { ...changed } })
  }
  const objects = elements.map(({ id, changed }): DecisionObject => ({ kind: 'strategy_element', id, change: changed }))
  return { elements, objects }
}

const Reversed = Type.Object({
  id: uuid,
  reference: Type.String(),
  changed: Type.Record(Type.String(), Type.Unknown(), { description: 'Each changed field, from and to.' }),
  not_reversed: Type.Array(Type.String(), { description: 'What the Decision changed too and is not undone this way.' }),
})

interface Planned extends Reversal {
  readonly solution: SolutionRow
}

export const reverseDecision = writeOperation({
  name: 'reverse_decision',
  title: 'Reverse a Decision',
  summary:
    'Undoes what a Decision changed of Solutions (state, title, summary, rank, boost, the claims they answer, handoffs, place on the roadmap) and of the strategy. A Solution that it created is dropped. Refused, with what stands in the way, when something of it was changed since. Logged as a Decision of its own.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({ decision_id: Type.With(identifier, { description: 'DEC-4 or UUID.' }), comment }),
  output: Type.Object({
    decision: Type.Object({ id: uuid, reference: Type.String() }),
    reversed: Type.String(),
    solutions: Type.Array(Reversed),
    elements: Type.Array(ReversedElement, { description: 'What it changed of the strategy, change by change.' }),
  }),
  apply: async (input, transaction, context) => {
    const { caller, services } = context
    const at = services.now()
    await lockWorkspaces(transaction, [caller.workspaceId], 'decisions')
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const { id } = await resolveOne(transaction, 'decision', input.decision_id)
    const { number, reversed_by } = (await readDecision(transaction, id)) ?? throwDeleted('Decision')
    const name = reference('decision', number)
    if (reversed_by !== null) {
      throw new AssayError('conflict', `${name} was reversed by ${reference('decision', reversed_by)} already.`)
    }
    const plans = await plansOf(transaction, context, id)
    const ofStrategy = await planElements(transaction, context, id)
    await refuseObstacles(transaction, name, plans, ofStrategy)

    const solutions: Static<typeof Reversed>[] = []
    const objects: DecisionObject[] = []
    for (const { solution, wanted, link, unlink, place, left } of plans) {
      const added = [...new Set((await lockSurvivors(transaction, link)).values())]
      const changed = {
        ...changesOf(solution, wanted),
        ...(added.length > 0 ? { added_claim_ids: added } : {}),
        ...(unlink.length > 0 ? { removed_claim_ids: unlink } : {}),
        ...(place === undefined ? {} : { roadmap: await putBack(transaction, context, solution, place) }),
      }
      await storeSolution(transaction, solution, wanted, at)
      await linkClaims(transaction, caller.workspaceId, solution.id, added)
      await unlinkClaims(transaction, solution.id, unlink)
      objects.push({ kind: 'solution', id: solution.id, change: { ...changed, reverses: name } })
      solutions.push({
        id: solution.id,
        reference: reference('solution', solution.number),
        changed,
        not_reversed: [...left],
      })
    }
    const { elements, objects: ofElements } = await reverseElements(transaction, context, ofStrategy.changes)
    objects.push(...ofElements.map(one => ({ ...one, change: { ...one.change, reverses: name } })))
    const statement = input.comment ?? `${name} is reversed.`
    const decision = await storeDecision(transaction, caller, { statement, at, objects })
    await markReversed(transaction, caller.workspaceId, { decisionId: id, reversalId: decision.id, at })
    return { data: { decision, reversed: name, solutions, elements } }
  },
})

/**
 * Planned reversals of each Solution, locked from now on; in the order of ids, so that two reversals never wait for
 * each other.
 */
const plansOf = async (transaction: Transaction, { caller }: WriteContext, decisionId: string): Promise<Planned[]> => {
  const changes = await changesMade(transaction, decisionId, 'solution')
  if (changes.some(({ change }) => 'roadmap' in change)) {
    await lockWorkspaces(transaction, [caller.workspaceId], 'roadmap')
  }
  const plans: Planned[] = []
  for (const id of [...new Set(changes.map(change => change.id))].sort()) {
    const solution = await lockSolution(transaction, id, undefined)
    const claims = (await claimsOfSolution(transaction, id)).map(claim => claim.id)
    const since = await decidedSince(transaction, decisionId, { kind: 'solution', id, field: 'roadmap' })
    const placedSince = since === null ? null : reference('decision', since)
    const own = changes.filter(change => change.id === id).map(({ change }) => change)
    plans.push({ solution, ...planReversal({ fields: solution, claims, changes: own, placedSince }) })
  }
  return plans
}

/** Puts a Solution back on the roadmap, or removes it for null. Answers the move. */
const putBack = async (
  transaction: Transaction,
  { caller: { workspaceId } }: WriteContext,
  { id }: SolutionRow,
  place: RoadmapPosition | null,
) => {
  const from = await placeOf(transaction, id)
  if (place !== null) return { from, to: await placeSolution(transaction, workspaceId, id, place) }
  if (from !== null) await removeSolution(transaction, workspaceId, id, from.horizon)
  return { from, to: null }
}

const refuseObstacles = async (
  transaction: Transaction,
  name: string,
  plans: readonly Planned[],
  ofStrategy: ElementPlan,
): Promise<void> => {
  const obstacles = plans.flatMap(({ solution, obstacles }) =>
    obstacles.map(obstacle => `${reference('solution', solution.number)}: ${obstacle}`),
  )
  obstacles.push(...ofStrategy.obstacles)
  for (const { solution, wanted } of plans) {
    if (solution.state === 'Done' && wanted.state !== undefined && (await outcomeOf(transaction, solution.id))) {
      obstacles.push(`${reference('solution', solution.number)}: its Outcome was recorded, which needs Done`)
    }
  }
  const ranks = plans.flatMap(({ wanted }) => wanted.manual_rank ?? [])
  const taken = await rankTaken(
    transaction,
    ranks,
    plans.map(({ solution }) => solution.id),
  )
  if (taken !== undefined)
    obstacles.push(`rank ${taken.manual_rank} is that of ${reference('solution', taken.number)} by now`)
  if (obstacles.length > 0) {
    throw new AssayError('conflict', `${name} is not reversed; nothing was changed. ${obstacles.join('. ')}.`, {
      context: { obstacles },
    })
  }
  const undoes = plans.some(
    ({ wanted, link, unlink, place, withdraws }) =>
      withdraws || place !== undefined || Object.keys(wanted).length + link.length + unlink.length > 0,
  )
  if (undoes || ofStrategy.changes.length > 0) return
  throw new AssayError(
    'conflict',
    `${name} changed nothing of a Solution or the strategy that can be undone here. What was decided in Triage is undone with service_decide mode triage, action undo.`,
  )
}
