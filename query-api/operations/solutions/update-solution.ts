import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { claimsOfSolution } from '../../../model/solutions/brief.ts'
import {
  changesOf,
  linkClaims,
  lockSolution,
  setRice,
  storeSolution,
  unlinkClaims,
} from '../../../model/solutions/change-solution.ts'
import { requireTransition } from '../../../model/solutions/states.ts'
import { SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { resolveClaims } from '../claims/claim.ts'
import { recordDecision, requireAppDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { comment, decisionId, oneOf, version } from '../parts/fields.ts'
import {
  ChangedSolution,
  changedSolution,
  claimIds,
  priorityBoost,
  rice,
  solutionId,
  summary,
  title,
} from './solution.ts'

export const updateSolution = writeOperation({
  name: 'update_solution',
  title: 'Change a Solution',
  summary:
    'Changes a Solution’s title, summary, state, priority_boost or the claims it answers. Only after a human Decision: a comment that states it, or the decision_id of one logged before. A move that its state does not allow answers with those that are. Send the version you read so that nobody else’s change is lost.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['rice'],
  input: Type.Object({
    solution_id: solutionId,
    title: Type.Optional(title),
    summary: Type.Optional(summary),
    state: Type.Optional(oneOf(SOLUTION_STATES, { description: 'The new state.' })),
    priority_boost: Type.Optional(priorityBoost),
    add_claim_ids: claimIds('The claims to add.'),
    remove_claim_ids: claimIds('The claims to remove.'),
    rice: Type.Optional(rice),
    comment,
    decision_id: decisionId,
    version,
  }),
  output: ChangedSolution,
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const { caller, services } = context
    const now = services.now()
    // The claims' evidence is counted in the same transaction, so the lock keeps it unchanged.
    if (input.add_claim_ids !== undefined || input.remove_claim_ids !== undefined)
      await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const { id } = await resolveOne(transaction, 'solution', input.solution_id)
    const solution = await lockSolution(transaction, id, input.version)
    if (input.state !== undefined) requireTransition(solution.state, input.state, 'update_solution')
    if (input.state === 'Done' || input.state === 'Dropped') {
      await requireAppDecision(transaction, caller, grounds, { what: input.state, solution })
    }

    const { title, summary, state, priority_boost } = input
    const wanted = Object.fromEntries(
      Object.entries({ title: title?.trim(), summary, state, priority_boost }).filter(
        ([, value]) => value !== undefined,
      ),
    )
    const toAdd = await resolveClaims(transaction, input.add_claim_ids)
    const toRemove = await resolveClaims(transaction, input.remove_claim_ids)
    const answered = new Set((await claimsOfSolution(transaction, id)).map(claim => claim.id))
    const added = toAdd.filter(claim => !answered.has(claim))
    const removed = toRemove.filter(claim => answered.has(claim))
    const figures = input.rice === undefined ? null : await setRice(transaction, id, input.rice)
    const changed = {
      ...changesOf(solution, wanted),
      ...(figures === null ? {} : { rice: figures }),
      ...(added.length > 0 ? { added_claim_ids: added } : {}),
      ...(removed.length > 0 ? { removed_claim_ids: removed } : {}),
    }
    if (Object.keys(changed).length === 0) {
      throw new AssayError(
        'invalid_input',
        'Nothing would change. Send a title, summary, state, priority_boost, add_claim_ids, remove_claim_ids or rice that differs from what the Solution has.',
      )
    }
    await storeSolution(transaction, solution, wanted, now)
    await linkClaims(transaction, caller.workspaceId, id, added)
    await unlinkClaims(transaction, id, removed)
    const decision = await recordDecision(
      transaction,
      context,
      grounds,
      [{ kind: 'solution', id, change: changed }],
      [{ kind: 'solution', id, claimIds: removed }],
    )
    return { data: await changedSolution(transaction, now, id, changed, decision) }
  },
})
