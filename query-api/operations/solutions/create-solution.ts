import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { insertSolution } from '../../../model/solutions/change-solution.ts'
import { resolveClaims } from '../claims/claim.ts'
import { recordDecision, requireDecision } from '../decisions/decision.ts'
import { Type, writeOperation } from '../define.ts'
import { comment, decisionId } from '../parts/fields.ts'
import { ChangedSolution, changedSolution, claimIds, priorityBoost, summary, title } from './solution.ts'

export const createSolution = writeOperation({
  name: 'create_solution',
  title: 'Create a Solution',
  summary:
    'Puts a Solution on the Backlog, answering the claims named. Only after a human Decision: a comment that states it, or the decision_id of one logged before.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    title,
    summary: Type.Optional(summary),
    priority_boost: Type.Optional(priorityBoost),
    claim_ids: claimIds('Its claims. UUIDs, references or exact titles.'),
    comment,
    decision_id: decisionId,
  }),
  output: ChangedSolution,
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const { caller, services } = context
    await requireQuota(transaction, services.quotas, 'solutions', caller.workspaceId)
    const now = services.now()
    if (input.claim_ids !== undefined) await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const claims = await resolveClaims(transaction, input.claim_ids)
    const { id } = await insertSolution(transaction, caller.workspaceId, {
      title: input.title.trim(),
      summary: input.summary ?? '',
      priorityBoost: input.priority_boost ?? 1,
      claimIds: claims,
      at: now,
    })
    const change = { created: true, title: input.title.trim(), claim_ids: claims }
    const decision = await recordDecision(transaction, context, grounds, [{ kind: 'solution', id, change }])
    return { data: await changedSolution(transaction, now, id, change, decision) }
  },
})
