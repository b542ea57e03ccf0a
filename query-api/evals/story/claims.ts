import { SIGNALS } from './signals.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface StoryClaim {
  readonly title: string
  readonly evidence: readonly string[]
  readonly kind?: 'opportunity'
  readonly state?: 'established'
  readonly mergedInto?: string
}

/** Claims by reference; emerging problems by default. */
const CLAIMS: Readonly<Record<string, StoryClaim>> = {
  'CLM-1': {
    title: 'Large CSV exports time out',
    evidence: ['SIG-5', 'SIG-6', 'SIG-8', 'SIG-2'],
    state: 'established',
  },
  'CLM-2': { title: 'Order downloads stall before they finish', evidence: ['SIG-9'] },
  'CLM-3': { title: 'Invoices show the wrong tax', evidence: ['SIG-3', 'SIG-4'], state: 'established' },
  'CLM-4': { title: 'A dark theme', evidence: ['SIG-1'], kind: 'opportunity' },
  'CLM-5': { title: 'Exports on a schedule', evidence: ['SIG-11'], kind: 'opportunity' },
  'CLM-6': { title: 'Amex payments are declined', evidence: ['SIG-14', 'SIG-15'] },
  'CLM-7': { title: 'Exports are slow', evidence: [], mergedInto: 'CLM-1' },
  'CLM-8': { title: 'Downloads of all orders stay empty', evidence: ['SIG-10'] },
}

const DAYS = Object.fromEntries(SIGNALS.map(([reference, , , days]) => [reference, days]))

/** Evidence that came to its claim when CLM-7 was merged into the claim. */
const MERGED_EVIDENCE = 'SIG-2'

/** Claims that may be the same as CLM-1. */
const PROPOSED = ['CLM-2', 'CLM-8']

/** The claims with their evidence, the merge by DEC-5, and the pairs that wait. */
export const claimRows = ({ id, ago, owner }: StoryContext): Rows => [
  [
    'claims',
    Object.entries(CLAIMS).map(([reference, { title, kind, state, mergedInto }]) => ({
      id: id(reference),
      number: numberOf(reference),
      kind: kind ?? 'problem',
      title,
      statement: title,
      state: state ?? 'emerging',
      merged_into: mergedInto === undefined ? null : id(mergedInto),
      created_at: ago(60 - 7 * numberOf(reference)),
      updated_at: ago(60 - 7 * numberOf(reference)),
    })),
  ],
  [
    'claim_evidence',
    Object.entries(CLAIMS).flatMap(([reference, { evidence }]) =>
      evidence.map(signal => ({
        claim_id: id(reference),
        signal_id: id(signal),
        attached_by: 'cluster',
        actor: 'cluster 1',
        reason: 'It says the same.',
        attached_at: ago(DAYS[signal] ?? 0),
        origins: signal === MERGED_EVIDENCE ? [id('CLM-7')] : [],
      })),
    ),
  ],
  [
    'merge_proposals',
    PROPOSED.map(claim => ({
      id: id(`proposal of ${claim}`),
      claim_id: id(claim),
      candidate_claim_id: id('CLM-1'),
      score: 0.03,
      similarity: 0.7,
      reason: 'They share words.',
      proposed_at: ago(2),
    })),
  ],
  [
    'merges',
    [
      {
        id: id('merge of CLM-7'),
        merged_claim_id: id('CLM-7'),
        survivor_claim_id: id('CLM-1'),
        merged_by: 'member',
        actor: owner.name,
        reason: 'Slow exports are those that time out.',
        decision_id: id('DEC-5'),
        merged_at: ago(5),
      },
    ],
  ],
]
