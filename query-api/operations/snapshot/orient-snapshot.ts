import { Type } from 'typebox'
import { claimsPage } from '../../../model/board/claims.ts'
import { boardPage } from '../../../model/board/order.ts'
import { newestSignals } from '../../../model/signals/read-signals.ts'
import { countEverything, readOwnWorkspace } from '../../../model/workspaces/overview.ts'
import { CLAIM_KINDS, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { readOperation } from '../define.ts'
import { ClaimShape, toClaim } from '../parts/claim-shape.ts'
import { limit, uuid } from '../parts/fields.ts'
import { NextCall } from '../parts/next-call.ts'
import { SignalShape, toSignal } from '../parts/signal-shape.ts'
import { SolutionShape, toSolution } from '../parts/solution-shape.ts'
import { ANSWER_TOKENS, takeWithinBudget } from '../parts/token-budget.ts'
import { recommend } from './recommend.ts'

/** Few enough that a snapshot of a full workspace stays a short read. */
const SHOWN = 5

const OPEN = SOLUTION_STATES.filter(state => state !== 'Done' && state !== 'Dropped')
const STANDING = { states: ['emerging', 'established'], kinds: CLAIM_KINDS, order: 'evidence_priority' } as const

/** The counts and the calls beside the three lists take far less than a list may. */
const A_LIST = ANSWER_TOKENS / 4

const Workspace = Type.Object({ id: uuid, name: Type.String(), slug: Type.String(), sandbox: Type.Boolean() })

/** How much there is of everything, and how much waits for somebody. */
const Counts = Type.Object({
  sources: Type.Integer(),
  signals: Type.Integer(),
  signals_in_triage: Type.Integer(),
  triage_by_classification: Type.Record(Type.String(), Type.Integer()),
  claims: Type.Integer(),
  waiting_proposals: Type.Integer(),
  solutions: Type.Integer(),
  map_nodes: Type.Integer(),
  waiting_dead_letters: Type.Integer(),
})

export const orientSnapshot = readOperation({
  name: 'orient_snapshot',
  title: 'Where the workspace stands',
  summary:
    'Start here. Answers the claims with the most evidence, the Solutions in board order, what waits in Triage, the newest Signals, and which calls are worth making next.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ limit }),
  output: Type.Object({
    workspace: Workspace,
    counts: Counts,
    top_claims: Type.Array(ClaimShape, { description: 'Open claims, the most evidence first.' }),
    solutions: Type.Array(SolutionShape, { description: 'Open Solutions in board order.' }),
    recent_signals: Type.Array(SignalShape, { description: 'Newest first.' }),
    recommended_next_tools: Type.Array(NextCall, { description: 'The most pressing first.' }),
  }),
  run: async (input, { read, services }) => {
    const now = services.now()
    const shown = input.limit ?? SHOWN
    // At the same time: the board takes about as long as all the rest.
    const [board, { workspace, counts, claims, signals }] = await Promise.all([
      read(transaction => boardPage(transaction, now, { states: OPEN, limit: shown, offset: 0 })),
      read(async transaction => ({
        workspace: await readOwnWorkspace(transaction),
        counts: await countEverything(transaction, now),
        claims: await claimsPage(transaction, now, { ...STANDING, limit: shown, offset: 0 }),
        signals: await newestSignals(transaction, shown),
      })),
    ])
    return {
      data: {
        workspace,
        counts,
        top_claims: takeWithinBudget(
          claims.map(row => toClaim(row)),
          A_LIST,
        ),
        solutions: takeWithinBudget(
          board.map(row => toSolution(row)),
          A_LIST,
        ),
        recent_signals: takeWithinBudget(
          signals.map(row => toSignal(row, 'summary')),
          A_LIST,
        ),
        recommended_next_tools: recommend(counts),
      },
    }
  },
})
