import { type Static, Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { lockSurvivors } from '../../../model/claims/survivors.ts'
import { type DecisionObject, logDecision } from '../../../model/decisions/log-decision.ts'
import { planReversal, type Reversal } from '../../../model/decisions/plan-reversal.ts'
import { readDecision } from '../../../model/decisions/read-decisions.ts'
import { markReversed, rankTaken, solutionChanges } from '../../../model/decisions/reversals.ts'
import { outcomeOf } from '../../../model/outcomes/read-outcomes.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { answeredClaims } from '../../../model/solutions/brief.ts'
import { linkClaims, unlinkClaims } from '../../../model/solutions/create-solution.ts'
import { changesOf, lockSolution, type SolutionRow, updateSolution } from '../../../model/solutions/update-solution.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { writeOperation } from '../define.ts'
import { comment, identifier, uuid } from '../parts/fields.ts'
import { gone } from '../parts/gone.ts'

const Reversed = Type.Object({
  id: uuid,
  reference: Type.String(),
  changed: Type.Record(Type.String(), Type.Unknown(), { description: 'Each changed field, from and to.' }),
  left: Type.Array(Type.String(), { description: 'What the Decision changed too and is not undone this way.' }),
})

interface Planned extends Reversal {
  readonly solution: SolutionRow
}

export const reverseDecision = writeOperation({
  name: 'reverse_decision',
  title: 'Reverse a Decision',
  summary:
    'Undoes what a Decision changed of Solutions: state, title, summary, rank, boost, the claims they answer, handoffs. A Solution that it created is dropped. Refused, with what stands in the way, when something of it was changed since. Logged as a Decision of its own.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'people',
  input: Type.Object({ decision_id: Type.With(identifier, { description: 'DEC-4 or UUID.' }), comment }),
  output: Type.Object({
    decision: Type.Object({ id: uuid, reference: Type.String() }),
    reversed: Type.String(),
    solutions: Type.Array(Reversed),
  }),
  apply: async (input, transaction, { caller, services }) => {
    const at = services.now()
    const { id } = await resolveOne(transaction, 'decision', input.decision_id)
    const { number, reversed_by } = (await readDecision(transaction, id)) ?? gone('Decision')
    const name = reference('decision', number)
    if (reversed_by !== null) {
      throw new AssayError('conflict', `${name} was reversed by ${reference('decision', reversed_by)} already.`)
    }
    const plans = await plansOf(transaction, id)
    await refuseObstacles(transaction, name, plans)

    const solutions: Static<typeof Reversed>[] = []
    const objects: DecisionObject[] = []
    for (const { solution, wanted, link, unlink, left } of plans) {
      const added = [...new Set((await lockSurvivors(transaction, link)).values())]
      const changed = {
        ...changesOf(solution, wanted),
        ...(added.length > 0 ? { added_claim_ids: added } : {}),
        ...(unlink.length > 0 ? { removed_claim_ids: unlink } : {}),
      }
      await updateSolution(transaction, solution, wanted, at)
      await linkClaims(transaction, caller.workspaceId, solution.id, added)
      await unlinkClaims(transaction, solution.id, unlink)
      objects.push({ kind: 'solution', id: solution.id, change: { ...changed, reverses: name } })
      solutions.push({ id: solution.id, reference: reference('solution', solution.number), changed, left: [...left] })
    }
    const statement = input.comment ?? `${name} is reversed.`
    const decision = await logDecision(transaction, caller, { statement, at, objects })
    await markReversed(transaction, caller.workspaceId, { decisionId: id, reversalId: decision.id, at })
    return { data: { decision, reversed: name, solutions } }
  },
})

/** What is to be done to each Solution, which is held from now on; in the order of ids, so that two reversals never wait for each other. */
const plansOf = async (transaction: Transaction, decisionId: string): Promise<Planned[]> => {
  const changes = await solutionChanges(transaction, decisionId)
  const plans: Planned[] = []
  for (const id of [...new Set(changes.map(({ solution_id }) => solution_id))].sort()) {
    const solution = await lockSolution(transaction, id, undefined)
    const claims = (await answeredClaims(transaction, id)).map(claim => claim.id)
    const own = changes.filter(({ solution_id }) => solution_id === id).map(({ change }) => change)
    plans.push({ solution, ...planReversal({ fields: solution, claims, changes: own }) })
  }
  return plans
}

const refuseObstacles = async (transaction: Transaction, name: string, plans: readonly Planned[]): Promise<void> => {
  const obstacles = plans.flatMap(({ solution, obstacles }) =>
    obstacles.map(obstacle => `${reference('solution', solution.number)}: ${obstacle}`),
  )
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
    ({ wanted, link, unlink, withdraws }) => withdraws || Object.keys(wanted).length + link.length + unlink.length > 0,
  )
  if (undoes) return
  throw new AssayError(
    'conflict',
    `${name} changed nothing of a Solution that can be undone here. What was decided in Triage is undone with service_decide mode triage, action undo.`,
  )
}
