import { resolveOne } from '../../../model/references/resolve.ts'
import { changesOf, lockSolution, shiftRanksFrom, storeSolution } from '../../../model/solutions/change-solution.ts'
import { recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { comment, decisionId, version } from '../parts/fields.ts'
import { ChangedSolution, changedSolution, manualRank, priorityBoost, solutionId } from './solution.ts'

export const prioritizeSolution = writeOperation({
  name: 'prioritize_solution',
  title: 'Rank a Solution or boost it',
  summary:
    'Sets where a Solution stands on the board: manual_rank (before everything without one; those at and behind a rank that is taken move back by one), unranked to take the rank away, or priority_boost. Only after a human Decision: comment or decision_id.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  input: Type.Object({
    solution_id: solutionId,
    manual_rank: Type.Optional(manualRank),
    unranked: Type.Optional(
      Type.Boolean({ description: 'True takes the manual rank away. Evidence orders it again.' }),
    ),
    priority_boost: Type.Optional(priorityBoost),
    comment,
    decision_id: decisionId,
    version,
  }),
  output: ChangedSolution,
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const { manual_rank: rank, unranked = false, priority_boost } = input
    if (rank !== undefined && unranked) {
      throw new AssayError('invalid_input', 'Send either manual_rank or unranked, not both.')
    }
    const now = context.services.now()
    const { id } = await resolveOne(transaction, 'solution', input.solution_id)
    const solution = await lockSolution(transaction, id, input.version)
    const wanted = {
      ...(unranked ? { manual_rank: null } : {}),
      ...(rank === undefined ? {} : { manual_rank: rank }),
      ...(priority_boost === undefined ? {} : { priority_boost }),
    }
    const changed = changesOf(solution, wanted)
    if (Object.keys(changed).length === 0) {
      throw new AssayError(
        'invalid_input',
        'Nothing would change. Send a manual_rank or priority_boost that the Solution does not have, or unranked for one that is ranked.',
      )
    }
    const moved = rank === undefined ? [] : await shiftRanksFrom(transaction, [id], rank, now)
    await storeSolution(transaction, solution, wanted, now)
    const about = { kind: 'solution' as const, id, change: changed }
    const displaced = moved.map(other => ({
      kind: 'solution' as const,
      id: other.id,
      change: { manual_rank: { from: other.manual_rank - 1, to: other.manual_rank } },
    }))
    const decision = await recordDecision(transaction, context, grounds, [about, ...displaced], [about])
    return { data: await changedSolution(transaction, now, id, changed, decision) }
  },
})
