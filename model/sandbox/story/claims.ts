import { isWorthShowing } from '../../merges/chance/correction.ts'
import type { FoundPair, Said } from '../../merges/found-pairs.ts'
import { unjudgedReason } from '../../merges/pair-reason.ts'
import { DECISIONS } from './decisions.ts'
import { SIGNALS, type SignalName, sampleSignals } from './signals.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

interface SampleClaim {
  readonly title: string
  readonly evidence: readonly SignalName[]
  readonly kind?: 'opportunity'
  readonly state?: 'established' | 'addressed'
}

/** Claims by their name in the story, oldest first: CLM-1 and so on. */
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
  amex_402: { title: 'Amex fails at checkout with error 402', evidence: ['amex_mail'] },
  search: { title: 'Orders cannot be found by phone number', evidence: ['search'] },
  logo: { title: 'Our own logo on invoices', evidence: ['invoice_logo'], kind: 'opportunity' },
  tabs: { title: 'A second tab signs out of the first', evidence: ['tabs'] },
  jumps: { title: 'The order list jumps to the top', evidence: ['order_list'] },
}

/** Start of a claim: the day of its oldest evidence. */
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

/** A settled pair of a Decision: the claim, and the older claim. */
type Decided = readonly [claim: string, candidate: string]
export const MERGED: Decided = ['spam_dutch', 'spam']
const REFUSED: Decided = ['jumps', 'mobile']
const SETTLED = [
  { pair: MERGED, state: 'confirmed', by: 'dutch_mails' },
  { pair: REFUSED, state: 'refused', by: 'apart' },
] as const

const isOf = ([claim, candidate]: Decided, pair: FoundPair): boolean =>
  (pair.claim === claim && pair.candidate === candidate) || (pair.claim === candidate && pair.candidate === claim)

/** Texts in the order of arrival, each with its claim. */
export const saidInClaims = ({ ago }: StoryContext): readonly Said[] =>
  sampleSignals().map(({ name, text, days }) => ({
    text,
    occurredAt: new Date(ago(days)),
    claim: Object.keys(CLAIMS).find(claim => CLAIMS[claim]?.evidence.includes(name)) ?? null,
  }))

/** Waiting pairs are found by this installation; settled ones come from the story. */
export const proposalRows = ({ id, ago, owner }: StoryContext, found: readonly FoundPair[]): Rows => {
  const row = ([claim, candidate]: Decided, pair: FoundPair | undefined) => {
    const began = CLAIMS[claim]
    return {
      id: id(`proposal of ${claim} and ${candidate}`),
      claim_id: id(`claim ${claim}`),
      candidate_claim_id: id(`claim ${candidate}`),
      score: pair?.score ?? 0,
      similarity: pair?.similarity ?? null,
      chance: pair?.chance ?? null,
      reason: unjudgedReason(pair?.isByMeaning ?? false),
      proposed_at: ago(began === undefined ? 0 : beganDaysAgo(began)),
    }
  }
  const waiting = found.filter(
    pair => isWorthShowing(pair.chance, undefined) && !SETTLED.some(settled => isOf(settled.pair, pair)),
  )
  const undecided = { state: 'waiting', decided_at: null, decided_by: null, decided_reason: null, decision_id: null }
  const rows = [
    ...waiting.map(pair => ({ ...row([pair.claim, pair.candidate], pair), ...undecided })),
    ...SETTLED.map(({ pair, state, by }) => ({
      ...row(
        pair,
        found.find(one => isOf(pair, one)),
      ),
      state,
      decided_at: ago(DECISIONS[by]?.days ?? 0),
      decided_by: owner.name,
      decided_reason: DECISIONS[by]?.statement ?? null,
      decision_id: id(`decision ${by}`),
    })),
  ]
  return [['merge_proposals', rows]]
}
