import { type Explanation, explainTerms, readPriorityTerms } from '../../../model/board/explain.ts'
import { type BoardRow, boardRow } from '../../../model/board/order.ts'
import { decisionsOfObject, decisionsPage, type ObjectDecision } from '../../../model/decisions/read-decisions.ts'
import { connectedHandoffs, proposedHandoffs } from '../../../model/handoffs/handoffs.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { accountsBehind, MAX_LOOKED_AT } from '../../../model/signals/accounts.ts'
import { claimsOfSolution, placementOf } from '../../../model/solutions/brief.ts'
import { readRice } from '../../../model/solutions/change-solution.ts'
import { SOLUTION_TRANSITIONS } from '../../../model/solutions/states.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { CLAIM_KINDS, CLAIM_STATES, ROADMAP_HORIZONS, reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type, throwDeleted } from '../define.ts'
import { Notes, notesOf } from '../knowledge/save-knowledge.ts'
import { createCutLists } from '../parts/cut-lists.ts'
import { shortened } from '../parts/excerpt.ts'
import { cursor, type Depth, depth, identifier, instant, nullable, oneOf, uuid } from '../parts/fields.ts'
import { textPage } from '../parts/lists.ts'
import { ExplanationShape, HandoffShape, SolutionShape, toExplanation, toHandoff, toSolution } from './solution.ts'

/** A Solution's place in the portfolio, beside the board. */
const PlacementShape = Type.Object({
  groups: Type.Array(ownText()),
  roadmap: nullable(Type.Object({ horizon: oneOf(ROADMAP_HORIZONS), position: Type.Integer() })),
  strategy: Type.Array(Type.Object({ id: uuid, layer: Type.String(), title: ownText() })),
})

const figure = nullable(Type.Number())

/** Figures of an earlier way to prioritize. */
const RiceShape = Type.Object(
  { reach: figure, impact: figure, confidence: figure, effort: figure },
  { description: 'Legacy figures, for audit; they never rank. Only with depth full.' },
)

const claimsOf = async (transaction: Transaction, solutionId: string, shown: Shown) =>
  (await claimsOfSolution(transaction, solutionId))
    .toSorted((one, other) => one.number - other.number)
    .map(({ id, number, title, kind, state }) => ({
      id,
      kind,
      state,
      title: shortened(title, shown.title),
      reference: reference('claim', number),
    }))

/** A change may contain whole texts; `service_lookup` mode `decision` shows more of them. */
const withShortTexts = (change: ObjectDecision['change'], characters: number): ObjectDecision['change'] =>
  JSON.parse(
    JSON.stringify(change, (_key, value) => (typeof value === 'string' ? shortened(value, characters) : value)),
  )

const decisionsOf = async (transaction: Transaction, solutionId: string, shown: Shown) =>
  (await decisionsOfObject(transaction, { kind: 'solution', id: solutionId }, shown.decisions)).map(
    ({ number, made_at, statement, change, ...rest }) => ({
      ...rest,
      statement: shortened(statement, shown.statement),
      change: withShortTexts(change, shown.statement),
      reference: reference('decision', number),
      made_at: made_at.toISOString(),
    }),
  )

interface Shown {
  readonly decisions: number
  /** Characters of a Decision's statement, and of a title in a list. */
  readonly statement: number
  readonly title: number
  /** Actors in the explanation. */
  readonly actors: number
  /** Tokens of the Decisions, and of each other list. */
  readonly decisionTokens: number
  readonly listTokens: number
}

const SHOWN: Readonly<Record<Depth, Shown>> = {
  summary: { decisions: 1, statement: 120, title: 60, actors: 0, decisionTokens: 130, listTokens: 100 },
  standard: { decisions: 5, statement: 280, title: 300, actors: 5, decisionTokens: 4000, listTokens: 800 },
  full: { decisions: 50, statement: 2000, title: 300, actors: 50, decisionTokens: 2400, listTokens: 800 },
}

/** Handoffs are counted up to this number. */
const MAX_HANDOFFS = 500

const Handoff = Type.Object({
  repository: untrustedText(),
  number: Type.Integer(),
  title: untrustedText(),
  url: nullable(untrustedText()),
  branch: untrustedText(),
  state: oneOf(['opened', 'reopened', 'merged']),
  signal_id: uuid,
  occurred_at: instant,
})

const handoffsOf = async (transaction: Transaction, solutionId: string) =>
  (await proposedHandoffs(transaction, solutionId, MAX_HANDOFFS)).map(handoff => ({
    ...handoff,
    occurred_at: handoff.occurred_at.toISOString(),
  }))

const pullRequests = (solution: string): string => `service_lookup mode signals, channel code_host, text "${solution}"`

const Decision = Type.Object({
  id: uuid,
  reference: Type.String(),
  statement: ownText(),
  made_by: Type.String(),
  via: oneOf(['app', 'key']),
  key_label: nullable(Type.String()),
  made_at: instant,
  change: Type.Record(Type.String(), Type.Unknown()),
})

const explanationWithin = (
  explained: Explanation,
  take: (terms: ExplanationShape['terms'], count: number) => ExplanationShape['terms'],
): ExplanationShape => {
  const { actors, terms } = toExplanation(explained)
  return { actors, terms: take(terms, actors) }
}

const MAX_ACCOUNTS = 500

/** Tokens of the Solution's own text. */
const TEXT_TOKENS = 4000

/** The summary from the cursor on. */
const summaryPage = (row: BoardRow, from: string | undefined, now: Date) =>
  textPage(row.summary, `solution ${row.id} ${row.version}`, {
    cursor: from,
    now,
    tokens: TEXT_TOKENS,
    rest: `service_lookup mode solution, id ${reference('solution', row.number)}, depth full, cursor meta.next_cursor`,
  })

export const lookupSolution = readOperation({
  name: 'lookup_solution',
  title: 'A Solution and why it stands where it does',
  summary:
    'Answers one Solution by UUID, reference (SOL-12) or exact title: state and the moves it may make, the claims it answers, the Decisions it hangs on, the pull requests that name it, and from depth standard on the explanation of its evidence_priority actor by actor, with depth full each signal’s share.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth, cursor }),
  output: Type.Object({
    ...SolutionShape.properties,
    transitions: Type.Array(Type.Object({ to: Type.String(), made_by: Type.String() })),
    answered_claims: Type.Array(
      Type.Object({
        id: uuid,
        reference: Type.String(),
        title: untrustedText(),
        kind: oneOf(CLAIM_KINDS),
        state: oneOf(CLAIM_STATES),
      }),
    ),
    decisions: Type.Array(Decision, { description: 'Newest first.' }),
    proposed_handoffs: Type.Array(Handoff, {
      description: 'Pull requests that name the Solution, the latest first. They propose; a Decision moves.',
    }),
    handoffs: Type.Array(HandoffShape, {
      description: 'Designs and pull requests that it was handed off with, the last first; none with depth summary.',
    }),
    accounts: Type.Array(Type.Object({ account: untrustedText(), signals: Type.Integer() }), {
      description: `Behind it, as metadata says, by signals and repeats among the newest ${MAX_LOOKED_AT.toLocaleString('en')}; none with depth summary.`,
    }),
    notes: Notes,
    explanation: nullable(ExplanationShape),
    placement: PlacementShape,
    rice: Type.Optional(RiceShape),
  }),
  run: (input, { read, services }) =>
    read(async transaction => {
      // Only the whole summary has a cursor.
      const chosen = input.cursor === undefined ? (input.depth ?? 'standard') : 'full'
      const now = services.now()
      const { id } = await resolveOne(transaction, 'solution', input.id)
      const row = (await boardRow(transaction, now, id)) ?? throwDeleted('Solution')
      const shown = SHOWN[chosen]
      const name = reference('solution', row.number)
      const lists = createCutLists(chosen)
      const listed = <Item>(of: string, items: readonly Item[], rest = 'depth full', count = items.length) =>
        lists.take(of, items, shown.listTokens, { rest, count })
      const explain = chosen === 'full' ? readPriorityTerms : explainTerms
      const explained = shown.actors === 0 ? null : await explain(transaction, now, id, shown.actors)
      const handoffs = await connectedHandoffs(transaction, id, MAX_HANDOFFS)
      const { nextCursor = null, ...summary } = chosen === 'full' ? summaryPage(row, input.cursor, now) : {}
      const data = {
        ...toSolution(row),
        ...summary,
        transitions: Object.entries(SOLUTION_TRANSITIONS[row.state]).map(([to, mover]) => ({ to, made_by: mover })),
        answered_claims: listed(
          'answered_claims',
          await claimsOf(transaction, id, shown),
          'service_analyze mode claims',
        ),
        decisions: lists.take('decisions', await decisionsOf(transaction, id, shown), shown.decisionTokens, {
          count: (await decisionsPage(transaction, { kind: 'solution', id }, { limit: 0, below: 0 })).count,
          rest: `service_lookup mode decision, about ${name}`,
        }),
        proposed_handoffs: listed('proposed_handoffs', await handoffsOf(transaction, id), pullRequests(name)),
        handoffs: listed(
          'handoffs',
          chosen === 'summary' ? [] : handoffs.map(toHandoff),
          `service_lookup mode decision, about ${name}`,
          handoffs.length,
        ),
        accounts:
          chosen === 'summary'
            ? []
            : listed(
                'accounts',
                await accountsBehind(transaction, id, MAX_ACCOUNTS),
                'service_lookup mode signals, claim_id',
              ),
        notes: await notesOf(transaction, { kind: 'solution', id }, chosen, lists),
        explanation:
          explained &&
          explanationWithin(explained, (terms, count) =>
            listed('explanation.terms', terms, `service_lookup mode explain, id ${name}`, count),
          ),
        placement: await placementOf(transaction, id),
        ...(chosen === 'full' ? { rice: await readRice(transaction, id) } : {}),
      }
      return { nextCursor, data, note: lists.note() }
    }),
})
