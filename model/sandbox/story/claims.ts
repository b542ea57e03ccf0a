import { SIGNALS, type SignalName } from './signal-data.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface Told {
  readonly title: string
  readonly evidence: readonly SignalName[]
  readonly kind?: 'opportunity'
  readonly state?: 'established' | 'addressed'
}

/** By the names that the rest of the story calls them, the oldest first: CLM-1 and so on. */
export const CLAIMS: Readonly<Record<string, Told>> = {
  dark: {
    title: 'A dark theme for work at night',
    evidence: ['dark', 'dark_again', 'dark_contrast'],
    kind: 'opportunity',
    state: 'established',
  },
  exports: {
    title: 'Large CSV exports time out',
    evidence: ['slow_safari', 'csv_timeout', 'year_timeout', 'month_end', 'export_fails'],
    state: 'established',
  },
  tax: {
    title: 'Invoices abroad show the wrong tax',
    evidence: ['tax_austria', 'tax_denmark', 'tax_swiss', 'tax_reverse'],
    state: 'established',
  },
  columns: {
    title: 'Choose the columns of an export',
    evidence: ['columns'],
    kind: 'opportunity',
    state: 'addressed',
  },
  sso: { title: 'Single sign-on for whole companies', evidence: ['sso'], kind: 'opportunity' },
  hangs: { title: 'Downloads of orders stall before they finish', evidence: ['hangs', 'empty_file'] },
  schedule: { title: 'Exports on a schedule', evidence: ['schedule'], kind: 'opportunity' },
  logged_out: { title: 'People are signed out while they work', evidence: ['logged_out', 'session'] },
  amex: { title: 'Amex payments are declined', evidence: ['amex', 'amex_shop', 'amex_again'], state: 'established' },
  mobile: { title: 'The order list does not fit a phone', evidence: ['mobile'] },
  weekly: { title: 'The weekly sales export by mail', evidence: ['weekly'], kind: 'opportunity' },
  refund: { title: 'Refunds are booked twice', evidence: ['refund', 'refund_twice'] },
  amex_402: { title: 'American Express fails at checkout with error 402', evidence: ['amex_mail'] },
  search: { title: 'Orders cannot be found by phone number', evidence: ['search'] },
  logo: { title: 'Our own logo on invoices', evidence: ['invoice_logo'], kind: 'opportunity' },
  tabs: { title: 'A second tab signs out of the first', evidence: ['tabs'] },
  jumps: { title: 'The order list jumps to the top', evidence: ['order_list'] },
}

/** Pairs that may be one: the claim, the older one, how alike they are, and why they were proposed. */
const PROPOSED = [
  ['hangs', 'exports', 0.71, 'Both say that getting orders out does not finish.'],
  ['weekly', 'schedule', 0.83, 'Both ask for an export by mail each week.'],
  ['amex_402', 'amex', 0.88, 'Both say that American Express is declined.'],
  ['tabs', 'logged_out', 0.69, 'Both say that people are signed out while they work.'],
] as const

/** When a claim began: with the oldest of its evidence. */
const daysOf = ({ evidence }: Told): number => Math.max(...evidence.map(signal => SIGNALS[signal][1]))

export const claimRows = ({ id, ago }: StoryContext): Rows => [
  [
    'claims',
    Object.entries(CLAIMS).map(([name, sample]) => ({
      id: id(`claim ${name}`),
      number: numberOf(CLAIMS, name),
      kind: sample.kind ?? 'problem',
      title: sample.title,
      statement: sample.title,
      state: sample.state ?? 'emerging',
      created_at: ago(daysOf(sample)),
      updated_at: ago(daysOf(sample)),
    })),
  ],
  [
    'claim_evidence',
    Object.entries(CLAIMS).flatMap(([name, { evidence }]) =>
      evidence.map((signal, index) => ({
        claim_id: id(`claim ${name}`),
        signal_id: id(`signal ${signal}`),
        attached_by: index === 0 ? 'cluster' : 'judge',
        actor: index === 0 ? 'cluster 1' : 'sample judge',
        reason: index === 0 ? 'It starts the claim.' : 'It says the same problem in other words.',
        attached_at: ago(SIGNALS[signal][1]),
      })),
    ),
  ],
  [
    'merge_proposals',
    PROPOSED.map(([claim, candidate, similarity, reason]) => ({
      id: id(`proposal of ${claim}`),
      claim_id: id(`claim ${claim}`),
      candidate_claim_id: id(`claim ${candidate}`),
      score: 0.032,
      similarity,
      chance: similarity / 4,
      reason,
      proposed_at: ago(0.05 + daysOf(CLAIMS[claim] ?? { title: '', evidence: ['amex_mail'] }) / 2),
    })),
  ],
]
