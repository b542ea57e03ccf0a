import { Type } from 'typebox'
import type { Transaction } from '../../../infra/postgres/port.ts'
import { explainPriority } from '../../../model/board/explain.ts'
import { boardRow } from '../../../model/board/order.ts'
import { readHandoffs } from '../../../model/handoffs/read-handoffs.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { SOLUTION_MOVES } from '../../../model/solutions/states.ts'
import { CLAIM_KINDS, CLAIM_STATES, reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { type Depth, depth, identifier, instant, nullable, oneOf, uuid } from '../parts/fields.ts'
import { gone } from '../parts/gone.ts'
import { SolutionShape, toSolution } from '../parts/solution-shape.ts'

const CLAIMS_OF_SOLUTION = `
  select claims.id, number, title, kind, state
  from solution_claims join claims on claims.id = claim_id
  where solution_id = $1 order by number`

const DECISIONS_OF_SOLUTION = `
  select decisions.id, number, statement, made_by_name, through, key_label, made_at, change
  from decision_objects join decisions on decisions.id = decision_id
  where object_kind = 'solution' and object_id = $1
  order by decision_objects.id desc
  limit $2`

interface ClaimLink {
  readonly id: string
  readonly number: number
  readonly title: string
  readonly kind: (typeof CLAIM_KINDS)[number]
  readonly state: (typeof CLAIM_STATES)[number]
}

interface DecisionRow {
  readonly id: string
  readonly number: number
  readonly statement: string
  readonly made_by_name: string
  readonly through: 'app' | 'key'
  readonly key_label: string | null
  readonly made_at: Date
  readonly change: Record<string, unknown>
}

const claimsOf = async (transaction: Transaction, solutionId: string) =>
  (await transaction.query<ClaimLink>(CLAIMS_OF_SOLUTION, [solutionId])).map(({ number, ...rest }) => ({
    ...rest,
    reference: reference('claim', number),
  }))

const decisionsOf = async (transaction: Transaction, solutionId: string, limit: number) =>
  (await transaction.query<DecisionRow>(DECISIONS_OF_SOLUTION, [solutionId, limit])).map(
    ({ number, made_at, made_by_name, ...rest }) => ({
      ...rest,
      reference: reference('decision', number),
      made_by: made_by_name,
      made_at: made_at.toISOString(),
    }),
  )

/** How many Decisions and how many actors of the explanation each depth shows. */
const SHOWN: Readonly<Record<Depth, { readonly decisions: number; readonly actors: number }>> = {
  summary: { decisions: 1, actors: 0 },
  standard: { decisions: 5, actors: 5 },
  full: { decisions: 50, actors: 50 },
}

const Explanation = Type.Object({
  actors: Type.Integer({ description: 'All actors; terms holds the heaviest.' }),
  terms: Type.Array(
    Type.Object({
      actor_name: nullable(Type.String()),
      source: nullable(Type.String()),
      weight: Type.Number(),
      term: Type.Number({ description: 'ln(1 + weight): its part of evidence_priority.' }),
      signals: Type.Array(
        Type.Object({
          signal: Type.String(),
          weight: Type.Number(),
          share: Type.Number({ description: '0 to 1, of the whole evidence_priority.' }),
        }),
      ),
    }),
  ),
})

const MAX_HANDOFFS = 20

const Handoff = Type.Object({
  repository: Type.String(),
  number: Type.Integer(),
  title: Type.String(),
  url: nullable(Type.String()),
  branch: Type.String(),
  state: oneOf(['opened', 'reopened', 'merged']),
  signal_id: uuid,
  occurred_at: instant,
})

const handoffsOf = async (transaction: Transaction, solutionId: string) =>
  (await readHandoffs(transaction, solutionId, MAX_HANDOFFS)).map(handoff => ({
    ...handoff,
    occurred_at: handoff.occurred_at.toISOString(),
  }))

const Decision = Type.Object({
  id: uuid,
  reference: Type.String(),
  statement: Type.String(),
  made_by: Type.String(),
  through: oneOf(['app', 'key']),
  key_label: nullable(Type.String()),
  made_at: instant,
  change: Type.Record(Type.String(), Type.Unknown()),
})

export const lookupSolution = readOperation({
  name: 'lookup_solution',
  title: 'A Solution and why it stands where it does',
  summary:
    'Answers one Solution by UUID, reference (SOL-12) or exact title: state and the moves it may make, the claims it answers, the Decisions it hangs on, the pull requests that name it, and from depth standard on the explanation of its evidence_priority, actor by actor with each signal’s share.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth }),
  output: Type.Object({
    ...SolutionShape.properties,
    moves: Type.Array(Type.Object({ to: Type.String(), made_by: Type.String() })),
    answers: Type.Array(
      Type.Object({
        id: uuid,
        reference: Type.String(),
        title: Type.String(),
        kind: oneOf(CLAIM_KINDS),
        state: oneOf(CLAIM_STATES),
      }),
    ),
    decisions: Type.Array(Decision, { description: 'Newest first.' }),
    proposed_handoffs: Type.Array(Handoff, {
      description: 'Pull requests that name the Solution, the latest first. They propose; a Decision moves.',
    }),
    explanation: nullable(Explanation),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      const chosen = input.depth ?? 'standard'
      const now = services.now()
      const { id } = await resolveOne(transaction, 'solution', input.id)
      const row = (await boardRow(transaction, now, id)) ?? gone('Solution')
      const shown = SHOWN[chosen]
      const explained = shown.actors === 0 ? null : await explainPriority(transaction, now, id, shown.actors)
      return {
        data: {
          ...toSolution(row, chosen === 'full'),
          moves: Object.entries(SOLUTION_MOVES[row.state]).map(([to, mover]) => ({ to, made_by: mover })),
          answers: await claimsOf(transaction, id),
          decisions: await decisionsOf(transaction, id, shown.decisions),
          proposed_handoffs: await handoffsOf(transaction, id),
          explanation: explained && {
            actors: explained.actors,
            terms: explained.terms.map(term => ({
              ...term,
              signals: term.signals.map(({ signal_number, ...share }) => ({
                signal: reference('signal', signal_number),
                ...share,
              })),
            })),
          },
        },
      }
    }),
})
