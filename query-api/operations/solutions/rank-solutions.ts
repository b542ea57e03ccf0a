import { resolveOne } from '../../../model/references/resolve.ts'
import {
  changesOf,
  lockSolution,
  type SolutionRow,
  shiftRanksFrom,
  storeSolution,
} from '../../../model/solutions/change-solution.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { DecisionBasis, recordDecision, requireDecision } from '../decisions/decision.ts'
import { AssayError, Type, writeOperation } from '../define.ts'
import { comment, decisionId, uuid, version } from '../parts/fields.ts'
import { manualRank, solutionId } from './solution.ts'

const MAX_SOLUTIONS = 100

export const rankSolutions = writeOperation({
  name: 'rank_solutions',
  title: 'Rank several Solutions in a row',
  summary:
    'Gives Solutions the manual ranks that follow each other, from manual_rank on, in the order in which they are named: what dragging one among those without a rank means, where the ones above it keep their place only with ranks of their own. Others at these ranks and behind move back. One Decision.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['solutions'],
  input: Type.Object({
    solution_ids: Type.Optional(
      Type.Array(solutionId, {
        minItems: 1,
        maxItems: MAX_SOLUTIONS,
        uniqueItems: true,
        description: 'The Solutions. The first gets manual_rank, each further one the next rank.',
      }),
    ),
    solutions: Type.Optional(
      Type.Array(Type.Object({ solution_id: solutionId, version }), {
        minItems: 1,
        maxItems: MAX_SOLUTIONS,
        description: 'The same with the version of each that was read, instead of solution_ids.',
      }),
    ),
    manual_rank: manualRank,
    comment,
    decision_id: decisionId,
  }),
  output: Type.Object({
    items: Type.Array(Type.Object({ id: uuid, reference: Type.String(), manual_rank: Type.Integer() })),
    decision: DecisionBasis,
  }),
  apply: async (input, transaction, context) => {
    const grounds = await requireDecision(transaction, context.caller, input)
    const now = context.services.now()
    const named = new Map<string, number | undefined>()
    const requestedRanks = ranksOf(input)
    for (const each of requestedRanks) {
      named.set((await resolveOne(transaction, 'solution', each.solution_id)).id, each.version)
    }
    if (named.size < requestedRanks.length) {
      throw new AssayError('invalid_input', 'A Solution is named twice. Name each once, in the order of their ranks.')
    }
    const locked = new Map<string, SolutionRow>()
    // In the order of ids, so that two callers who rank the same Solutions never wait for each other.
    for (const [id, read] of [...named].sort(([one], [other]) => (one < other ? -1 : 1))) {
      locked.set(id, await lockSolution(transaction, id, read))
    }
    const ranked = [...named.keys()].flatMap((id, place) => {
      const solution = locked.get(id)
      return solution === undefined ? [] : [{ solution, manual_rank: input.manual_rank + place }]
    })
    const changes = ranked
      .map(({ solution, manual_rank }) => ({ solution, change: changesOf(solution, { manual_rank }), manual_rank }))
      .filter(({ change }) => Object.keys(change).length > 0)
    if (changes.length === 0) {
      throw new AssayError('invalid_input', 'Nothing would change: the Solutions have these ranks.')
    }
    const moved = await shiftRanksFrom(transaction, [...named.keys()], input.manual_rank, now)
    for (const { solution, manual_rank } of changes) await storeSolution(transaction, solution, { manual_rank }, now)
    const ranks = changes.map(({ solution, change }) => ({ kind: 'solution' as const, id: solution.id, change }))
    const displaced = moved.map(other => ({
      kind: 'solution' as const,
      id: other.id,
      change: { manual_rank: { from: other.manual_rank - named.size, to: other.manual_rank } },
    }))
    const decision = await recordDecision(transaction, context, grounds, [...ranks, ...displaced], ranks)
    const items = ranked.map(({ solution: { id, number }, manual_rank }) => ({
      id,
      reference: reference('solution', number),
      manual_rank,
    }))
    return { data: { items, decision }, size: items.length }
  },
})

interface RankInput {
  readonly solution_ids?: readonly string[]
  readonly solutions?: readonly { readonly solution_id: string; readonly version?: number }[]
}

const ranksOf = ({ solution_ids: ids, solutions }: RankInput): readonly { solution_id: string; version?: number }[] => {
  if (solutions !== undefined && ids === undefined) return solutions
  if (ids !== undefined && solutions === undefined) return ids.map(solution_id => ({ solution_id }))
  throw new AssayError('invalid_input', 'Send solution_ids, or solutions with the version of each: one of the two.', {
    violations: ['solution_ids', 'solutions'].map(field => ({
      pointer: `/${field}`,
      message: 'exactly one of the two',
    })),
  })
}
