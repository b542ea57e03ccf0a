import type { WorkspaceCounts } from '../../../model/workspaces/overview.ts'
import type { NextCall } from '../parts/next-call.ts'

interface Recommendation extends NextCall {
  readonly when: (counts: WorkspaceCounts) => boolean
}

/** In the order of what holds a workspace up the most. */
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

/** The calls that the workspace's state makes worth while, the most pressing first. */
export const recommend = (counts: WorkspaceCounts): NextCall[] =>
  RECOMMENDATIONS.filter(({ when }) => when(counts))
    .slice(0, MAX_RECOMMENDED)
    .map(({ tool, mode, reason }) => ({ tool, mode, reason }))
