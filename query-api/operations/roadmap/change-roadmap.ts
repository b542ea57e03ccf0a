import { resolveOne } from '../../../model/references/resolve.ts'
import { placeOf, placeSolution, type RoadmapPosition, removeSolution } from '../../../model/roadmap/roadmap.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { lockSolution, type SolutionRow, storeSolution } from '../../../model/solutions/change-solution.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import { ROADMAP_HORIZONS, reference } from '../../../schemas/domain/vocabulary.ts'
import { recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, type Static, type Transaction, Type, writeOperation } from '../define.ts'
import {
  type ActionFields,
  comment,
  decisionId,
  oneOf,
  requireActionFields,
  requireField,
  version,
} from '../parts/fields.ts'
import { ChangedSolution, changedSolution, solutionId } from '../solutions/solution.ts'
import { position } from '../strategy/element.ts'

const ACTIONS = ['place', 'remove'] as const

const CHANGE = ['comment', 'decision_id', 'version']

const TAKES: Readonly<Record<(typeof ACTIONS)[number], ActionFields>> = {
  place: { needs: ['solution_id', 'horizon'], may: ['position', ...CHANGE] },
  remove: { needs: ['solution_id'], may: CHANGE },
}

const input = Type.Object({
  action: oneOf(ACTIONS, { description: 'place (also moves), remove.' }),
  solution_id: solutionId,
  horizon: Type.Optional(oneOf(ROADMAP_HORIZONS, { description: 'Its horizon.' })),
  position,
  comment,
  decision_id: decisionId,
  version,
})

const place = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  solution: SolutionRow,
  before: RoadmapPosition | null,
  given: Static<typeof input>,
): Promise<RoadmapPosition | null> => {
  const name = reference('solution', solution.number)
  if (solution.state === 'Done' || solution.state === 'Dropped') {
    throw new AssayError(
      'conflict',
      `${name} is ${solution.state}: the roadmap takes Solutions that are still to be done. service_orient mode roadmap shows it; action remove takes one off.`,
      { context: { state: solution.state } },
    )
  }
  const horizon = requireField(given.horizon)
  const after = await placeSolution(transaction, workspaceId, solution.id, { horizon, position: given.position })
  if (before?.horizon === after?.horizon && before?.position === after?.position) {
    throw new AssayError('invalid_input', `Nothing would change. ${name} is number ${after?.position} of ${horizon}.`)
  }
  return after
}

const remove = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  solution: SolutionRow,
  before: RoadmapPosition | null,
): Promise<null> => {
  if (before === null) {
    const name = reference('solution', solution.number)
    throw new AssayError('invalid_input', `Nothing would change. ${name} is not on the roadmap.`)
  }
  await removeSolution(transaction, workspaceId, solution.id, before.horizon)
  return null
}

export const changeRoadmap = writeOperation({
  name: 'change_roadmap',
  title: 'Place a Solution on the roadmap',
  summary:
    'Places a Solution in now, next or later at a position (default last), moves it there, or removes it. Those behind it move up or back. Only after a human Decision: comment or decision_id. version is the Solution’s.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input,
  output: ChangedSolution,
  apply: async (given, transaction, context) => {
    requireActionFields(given, TAKES[given.action])
    const grounds = await requireDecision(transaction, context.caller, given)
    const { workspaceId } = context.caller
    const now = context.services.now()
    const resolved = await resolveOne(transaction, 'solution', given.solution_id)
    await lockWorkspaces(transaction, [workspaceId], 'roadmap')
    const solution = await lockSolution(transaction, resolved.id, given.version)
    const before = await placeOf(transaction, solution.id)
    const after =
      given.action === 'place'
        ? await place(transaction, workspaceId, solution, before, given)
        : await remove(transaction, workspaceId, solution, before)
    // Raises the version, so that a caller who read the earlier place is refused.
    await storeSolution(transaction, solution, {}, now)
    const change = { roadmap: { from: before, to: after } }
    const decision = await recordDecision(transaction, context, grounds, [
      { kind: 'solution', id: solution.id, change },
    ])
    return { data: await changedSolution(transaction, now, solution.id, change, decision) }
  },
})
