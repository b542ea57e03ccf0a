import { claimsPage } from '../../../model/board/claims.ts'
import { boardPage } from '../../../model/board/order.ts'
import { newestSignals } from '../../../model/signals/read-signals.ts'
import { readSharedPassages } from '../../../model/themes/shared-passages.ts'
import { countEverything, readOwnWorkspace, type WorkspaceCounts } from '../../../model/workspaces/overview.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { CLAIM_KINDS, SOLUTION_STATES } from '../../../schemas/domain/vocabulary.ts'
import { ClaimShape, toClaim } from '../claims/claim.ts'
import { readOperation, Type } from '../define.ts'
import { erasingNote } from '../parts/erasing.ts'
import { ANSWER_TOKENS, takeWithinBudget } from '../parts/excerpt.ts'
import { limit, NextCall, uuid } from '../parts/fields.ts'
import { ownExcerpt, SignalShape, toSignal } from '../parts/signal-shape.ts'
import { SolutionShape, toSolution } from '../solutions/solution.ts'

/** Keeps the snapshot of a full workspace a short read. */
const SHOWN = 5

const OPEN = SOLUTION_STATES.filter(state => state !== 'Done' && state !== 'Dropped')
const STANDING = { states: ['emerging', 'established'], kinds: CLAIM_KINDS, order: 'evidence_priority' } as const

/** The counts and calls beside the three lists take far less than a list may. */
const A_LIST = ANSWER_TOKENS / 4

const Workspace = Type.Object({ id: uuid, name: ownText(), slug: Type.String(), sandbox: Type.Boolean() })

/** Counts of everything, and of waiting work. */
const Counts = Type.Object({
  sources: Type.Integer(),
  signals: Type.Integer(),
  signals_in_triage: Type.Integer(),
  triage_by_classification: Type.Record(Type.String(), Type.Integer()),
  claims: Type.Integer(),
  open_claims: Type.Integer({ description: 'Of which top_claims are the first.' }),
  waiting_proposals: Type.Integer(),
  solutions: Type.Integer(),
  open_solutions: Type.Integer({ description: 'Of which solutions are the first.' }),
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
  run: async (input, { caller, read, services }) => {
    const now = services.now()
    const shown = input.limit ?? SHOWN
    // In parallel: the board takes about as long as all other reads.
    const [board, { erasing, workspace, counts, claims, signals, shared }] = await Promise.all([
      read(transaction => boardPage(transaction, now, { states: OPEN, limit: shown, offset: 0 })),
      read(async transaction => ({
        erasing: await erasingNote(transaction),
        workspace: await readOwnWorkspace(transaction),
        counts: await countEverything(transaction, now),
        claims: await claimsPage(transaction, now, { ...STANDING, limit: shown, offset: 0 }),
        signals: await newestSignals(transaction, shown),
        shared: await readSharedPassages(transaction, caller.workspaceId),
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
          signals.map(row => toSignal(row, 'summary', ownExcerpt(row, 'summary', shared))),
          A_LIST,
        ),
        recommended_next_tools: recommend(counts),
      },
      note: erasing,
    }
  },
})

interface Recommendation extends NextCall {
  readonly when: (counts: WorkspaceCounts) => boolean
}

/** In the order of how much each holds up the workspace. */
const RECOMMENDATIONS: readonly Recommendation[] = [
  {
    tool: 'service_support',
    mode: 'diagnose',
    reason: 'No source is connected, so no evidence arrives by itself.',
    when: counts => counts.sources === 0,
  },
  {
    tool: 'service_support',
    mode: 'pipeline',
    reason: 'Signals died in the pipeline and wait for somebody.',
    when: counts => counts.waiting_dead_letters > 0,
  },
  {
    tool: 'service_lookup',
    mode: 'merge_groups',
    reason: 'Pairs of claims may be the same problem; a human decides. With depth summary each is a line.',
    when: counts => counts.waiting_proposals > 0,
  },
  {
    tool: 'service_lookup',
    mode: 'triage',
    reason: 'Signals wait in Triage to be accepted, dismissed or reclassified.',
    when: counts => counts.signals_in_triage > 0,
  },
  {
    tool: 'service_lookup',
    mode: 'claim',
    reason: 'The top claims have evidence; read it before proposing a Solution.',
    when: counts => counts.claims > 0,
  },
  {
    tool: 'service_decide',
    mode: 'create_solution',
    reason: 'There are claims and no Solution answers them; create one after a human Decision.',
    when: counts => counts.claims > 0 && counts.solutions === 0,
  },
  {
    tool: 'service_map',
    mode: 'add_node',
    reason: 'The product map is empty, so signals cannot be anchored to a part of the product.',
    when: counts => counts.map_nodes === 0,
  },
  {
    tool: 'service_capture',
    mode: 'signal',
    reason: 'There is no evidence yet; capture what you were told.',
    when: counts => counts.signals === 0,
  },
]

const MAX_RECOMMENDED = 5

/** Useful next calls in the workspace's state, most urgent first. */
export const recommend = (counts: WorkspaceCounts): NextCall[] =>
  RECOMMENDATIONS.filter(({ when }) => when(counts))
    .slice(0, MAX_RECOMMENDED)
    .map(({ tool, mode, reason }) => ({ tool, mode, reason }))
