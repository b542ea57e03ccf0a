import { DECISIONS } from './decisions.ts'
import { SIGNALS, type SignalName } from './signals.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface SampleClaim {
  readonly title: string
  readonly evidence: readonly SignalName[]
  readonly kind?: 'opportunity'
  readonly state?: 'established' | 'addressed'
}

/** By the names that the rest of the story calls them, the oldest first: CLM-1 and so on. */
export const CLAIMS: Readonly<Record<string, SampleClaim>> = {
  list: {
    title: 'The order list takes long to open',
    evidence: ['list_slow', 'list_ages', 'list_large', 'list_minute', 'list_filter', 'list_still'],
    state: 'addressed',
  },
  labels: {
    title: 'Print the labels of many orders at once',
    evidence: [
      ...(['labels_all', 'labels_de', 'labels_hour', 'labels_carriers'] as const),
      ...(['labels_ja', 'labels_fr', 'labels_scan'] as const),
    ],
    kind: 'opportunity',
    state: 'established',
  },
  factor: {
    title: 'A second factor at sign-in',
    evidence: ['factor_audit', 'factor_app', 'factor_staff'],
    kind: 'opportunity',
    state: 'addressed',
  },
  spam: {
    title: 'Order mails land in the spam folder',
    evidence: ['spam_confirmations', 'spam_de', 'spam_signature'],
    state: 'addressed',
  },
  stock: {
    title: 'Stock counts are wrong after an import',
    evidence: [
      ...(['stock_double', 'stock_units', 'stock_minus', 'stock_zero', 'stock_again'] as const),
      ...(['stock_two_units', 'stock_bundles', 'stock_packs'] as const),
    ],
    state: 'established',
  },
  hooks: {
    title: 'Webhooks for stock and orders',
    evidence: ['hooks_stock', 'hooks_cancelled', 'hooks_pt', 'hooks_retry'],
    kind: 'opportunity',
    state: 'established',
  },
  spam_dutch: { title: 'Bevestigingsmails in de ongewenste post', evidence: ['spam_nl'] },
  currency: {
    title: 'Prices in a second currency',
    evidence: ['currency_pt', 'currency_canada', 'currency_mexico'],
    kind: 'opportunity',
    state: 'established',
  },
  returns: { title: 'A part of an order cannot be returned', evidence: ['return_part', 'return_es'] },
  vat: {
    title: 'Valid VAT numbers are refused',
    evidence: ['vat_ireland', 'vat_fr', 'vat_letter'],
    state: 'established',
  },
  addresses: { title: 'Japanese addresses are printed wrong', evidence: ['address_ja', 'address_prefecture'] },
  address_order: { title: 'Hungarian addresses begin with the house number', evidence: ['address_hu'] },
  full_refund: { title: 'A partial return is refunded in full', evidence: ['return_refund'] },
  dark: {
    title: 'A dark theme for work at night',
    evidence: ['dark', 'dark_again', 'dark_contrast'],
    kind: 'opportunity',
    state: 'established',
  },
  exports: {
    title: 'Large CSV exports time out',
    evidence: [
      ...(['slow_safari', 'export_de', 'csv_timeout', 'year_timeout', 'export_es', 'month_end'] as const),
      'export_fails',
    ],
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
  naira: { title: 'Naira beside euro', evidence: ['currency_late'], kind: 'opportunity' },
  sso: { title: 'Single sign-on for whole companies', evidence: ['sso'], kind: 'opportunity' },
  phone: { title: '注文一覧がスマートフォンに収まらない', evidence: ['mobile_ja'] },
  hangs: { title: 'Downloads of orders stall before they finish', evidence: ['hangs', 'empty_file'] },
  schedule: { title: 'Exports on a schedule', evidence: ['schedule'], kind: 'opportunity' },
  day_labels: { title: 'Stampare insieme le etichette del giorno', evidence: ['labels_it'], kind: 'opportunity' },
  logged_out: { title: 'People are signed out while they work', evidence: ['logged_out', 'session'] },
  year_export: { title: 'L’export de l’année n’aboutit jamais', evidence: ['export_fr'] },
  amex: {
    title: 'Amex payments are declined',
    evidence: ['amex', 'amex_shop', 'amex_es', 'amex_de', 'amex_owen', 'amex_again'],
    state: 'established',
  },
  mobile: { title: 'The order list does not fit a phone', evidence: ['mobile', 'mobile_tablet'] },
  weekly: { title: 'The weekly sales export by mail', evidence: ['weekly'], kind: 'opportunity' },
  refund: { title: 'Refunds are booked twice', evidence: ['refund', 'refund_twice'] },
  amex_402: { title: 'American Express fails at checkout with error 402', evidence: ['amex_mail'] },
  search: { title: 'Orders cannot be found by phone number', evidence: ['search'] },
  logo: { title: 'Our own logo on invoices', evidence: ['invoice_logo'], kind: 'opportunity' },
  tabs: { title: 'A second tab signs out of the first', evidence: ['tabs'] },
  jumps: { title: 'The order list jumps to the top', evidence: ['order_list'] },
}

/** When a claim began: with the oldest of its evidence. */
const beganDaysAgo = ({ evidence }: SampleClaim): number => Math.max(...evidence.map(signal => SIGNALS[signal][1]))

export const claimRows = ({ id, ago, owner }: StoryContext): Rows => [
  [
    'claims',
    Object.entries(CLAIMS).map(([name, sample]) => ({
      id: id(`claim ${name}`),
      number: numberOf(CLAIMS, name),
      kind: sample.kind ?? 'problem',
      title: sample.title,
      statement: sample.title,
      state: sample.state ?? 'emerging',
      created_at: ago(beganDaysAgo(sample)),
      updated_at: ago(beganDaysAgo(sample)),
    })),
  ],
  [
    'claim_evidence',
    Object.entries(CLAIMS).flatMap(([name, { evidence }]) =>
      evidence.map((signal, index) => ({
        claim_id: id(`claim ${name}`),
        signal_id: id(`signal ${signal}`),
        attached_by: index === 0 ? 'cluster' : 'member',
        actor: index === 0 ? 'cluster 1' : owner.name,
        reason: index === 0 ? 'It started the claim.' : 'It says the same problem in other words.',
        attached_at: ago(SIGNALS[signal][1]),
      })),
    ),
  ],
]

/** A pair that may be one: the claim, the older one, how alike they are, and how likely they are the same. */
type Proposed = readonly [claim: string, candidate: string, similarity: number, chance: number]

/** As the pipeline says it where no judge is asked. */
const REASON = 'Words or meaning are near; no judge is configured to say whether the root problem is the same.'

const WAITING: readonly Proposed[] = [
  ['amex_402', 'amex', 0.88, 0.94],
  ['day_labels', 'labels', 0.86, 0.92],
  ['year_export', 'exports', 0.81, 0.83],
  ['mobile', 'phone', 0.79, 0.77],
  ['weekly', 'schedule', 0.83, 0.71],
  ['naira', 'currency', 0.74, 0.62],
  ['hangs', 'exports', 0.71, 0.44],
  ['address_order', 'addresses', 0.69, 0.31],
  ['tabs', 'logged_out', 0.69, 0.28],
  ['full_refund', 'returns', 0.58, 0.12],
]

/** What people made of earlier ones, by the Decisions of the story. */
export const MERGED: Proposed = ['spam_dutch', 'spam', 0.84, 0.88]
const REFUSED: Proposed = ['jumps', 'mobile', 0.66, 0.22]

interface Settled {
  readonly state: 'confirmed' | 'refused'
  /** The Decision of the story that settled it. */
  readonly by: string
}

export const proposalRows = ({ id, ago, owner }: StoryContext): Rows => {
  const row = ([claim, candidate, similarity, chance]: Proposed, settled?: Settled) => {
    const began = CLAIMS[claim]
    const decision = settled && DECISIONS[settled.by]
    return {
      id: id(`proposal of ${claim}`),
      claim_id: id(`claim ${claim}`),
      candidate_claim_id: id(`claim ${candidate}`),
      score: 0.032,
      similarity,
      chance,
      reason: REASON,
      proposed_at: ago(began === undefined ? 0 : beganDaysAgo(began)),
      state: settled?.state ?? 'waiting',
      decided_at: decision ? ago(decision.days) : null,
      decided_by: decision ? owner.name : null,
      decided_reason: decision?.statement ?? null,
      decision_id: settled === undefined ? null : id(`decision ${settled.by}`),
    }
  }
  const rows = [
    ...WAITING.map(proposed => row(proposed)),
    row(MERGED, { state: 'confirmed', by: 'dutch_mails' }),
    row(REFUSED, { state: 'refused', by: 'apart' }),
  ]
  return [['merge_proposals', rows]]
}
