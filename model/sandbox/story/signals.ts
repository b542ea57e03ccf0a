import type { ActorRole, Channel, SignalOrigin } from '../../../schemas/domain/vocabulary.ts'
import { textHash } from '../../signals/normalize.ts'
import { EARLIER_SIGNALS } from './earlier-signals.ts'
import { RECENT_SIGNALS } from './recent-signals.ts'
import type { Rows, Sender, StoryContext } from './story.ts'

/** By the names that the rest of the story calls them. */
export const SIGNALS = { ...EARLIER_SIGNALS, ...RECENT_SIGNALS }

export type SignalName = keyof typeof SIGNALS

/** Those that are not problems. */
const CLASSIFIED: Readonly<Record<string, readonly SignalName[]>> = {
  idea: [
    ...(['dark', 'columns', 'dark_again', 'sso', 'schedule', 'weekly', 'invoice_logo'] as const),
    ...(['labels_all', 'labels_de', 'labels_carriers', 'labels_ja', 'labels_fr', 'labels_it'] as const),
    ...(['hooks_stock', 'hooks_cancelled', 'hooks_pt', 'hooks_retry'] as const),
    ...(['factor_audit', 'factor_app', 'factor_staff'] as const),
    ...(['currency_pt', 'currency_canada', 'currency_mexico', 'currency_late'] as const),
  ],
  question: ['api_limits', 'guests', 'export_help', 'stock_columns', 'lockers', 'session_length', 'old_invoices'],
  unclassified: [
    ...(['test', 'spam', 'background', 'deploy', 'rolled_back'] as const),
    ...(['release_1', 'release_2', 'release_8', 'release_9', 'release_10', 'release_11'] as const),
  ],
}

/** Signals older than this were decided on: all but these were accepted. */
const DECIDED_AFTER_DAYS = 6.7
const WAITING: readonly SignalName[] = ['api_limits', 'guests', 'background', 'empty_file', 'labels_it', 'export_fr']
const DISMISSED: readonly SignalName[] = [
  ...(['test', 'spam', 'deploy', 'rolled_back'] as const),
  ...(['release_1', 'release_2', 'release_8', 'release_9', 'release_10', 'release_11'] as const),
]

/** The same told once more: by somebody else in words of their own, or by a sender that repeats itself. */
export const REPEATS: readonly (readonly [of: SignalName, actor: string, days: number, text: string])[] = [
  ['stock_double', 'Paula', 310, 'After importing our stock file each article is counted twice.'],
  ['list_slow', 'Tomas', 347, SIGNALS.list_slow[4]],
  ['spam_de', 'Dieter', 303, 'Die Bestellbestätigungen kommen bei Kunden im Spam an.'],
  ['labels_all', 'Omar', 287, 'I would love to print the labels of all open orders at once.'],
  ['return_part', 'Ana', 229, SIGNALS.return_part[4]],
  ['factor_staff', 'Bilal', 210, 'I want to require a second factor from all of my people.'],
  ['list_still', 'Priya', 97, 'The order list is slow again since we have more than 100,000 orders.'],
  ['vat_letter', 'Niamh', 69, SIGNALS.vat_letter[4]],
  ['csv_timeout', 'Elif', 38, 'The CSV export of all our orders times out after a minute.'],
  ['tax_denmark', 'Mads', 46, SIGNALS.tax_denmark[4]],
  ['month_end', 'Tomas', 20, SIGNALS.month_end[4]],
  ['amex', 'Luis', 8, 'Amex cards are declined since Monday, my customers complain.'],
  ['amex_shop', 'Yusuf', 6, SIGNALS.amex_shop[4]],
  ['logged_out', 'Mei', 10, 'Since the update I am logged out whenever I switch windows.'],
]

/** What the signals of a sender have alike. */
export const SENDERS: Readonly<Record<Sender, { readonly source: string; readonly channel: Channel } & Origin>> = {
  desk: { source: 'support desk', channel: 'webhook', signal_origin: 'customer', actor_role: 'user' },
  survey: { source: 'survey tool', channel: 'connection', signal_origin: 'customer', actor_role: 'user' },
  mail: { source: 'mail', channel: 'email', signal_origin: 'customer', actor_role: 'user' },
  code: { source: 'github:acme/shop', channel: 'code_host', signal_origin: 'operational', actor_role: 'engineer' },
}

interface Origin {
  readonly signal_origin: SignalOrigin
  readonly actor_role: ActorRole
}

/** Every signal with what is known of it, the oldest first: SIG-1 and so on. */
export const sampleSignals = () =>
  Object.entries(SIGNALS)
    .toSorted(([, [, one]], [, [, other]]) => other - one)
    .map(([key, [actor, days, sender, node, text]], index) => {
      // The keys of `SIGNALS` are what `SignalName` lists.
      const name = key as SignalName
      const classification = CLASSES.find(each => CLASSIFIED[each]?.includes(name)) ?? 'problem'
      return { name, number: index + 1, actor, days, sender, node, text, classification }
    })

const CLASSES = Object.keys(CLASSIFIED)

const stateOf = (name: SignalName, days: number): string => {
  if (DISMISSED.includes(name)) return 'dismissed'
  return days < DECIDED_AFTER_DAYS || WAITING.includes(name) ? 'triage' : 'accepted'
}

/** A text that says more leaves less doubt. */
const confidenceOf = (text: string, classification: string): number =>
  classification === 'unclassified' ? 0.4 : Math.min(0.96, 0.6 + text.length / 200)

export const signalRows = ({ id, ago }: StoryContext): Rows => [
  [
    'signals',
    sampleSignals().map(({ name, number, actor, days, sender, node, text, classification }) => ({
      ...SENDERS[sender],
      id: id(`signal ${name}`),
      source_id: id(`source ${sender}`),
      number,
      text,
      text_hash: `\\x${textHash(text)}`,
      actor_name: actor,
      actor_key: actor.toLowerCase(),
      metadata: sender === 'code' ? {} : { plan: number % 3 === 0 ? 'team' : 'business' },
      occurred_at: ago(days),
      received_at: ago(days),
      inserted_at: ago(days),
      classification,
      classification_confidence: confidenceOf(text, classification),
      classification_version: 'sample',
      node_id: node === null ? null : id(`node ${node}`),
      node_score: node === null ? null : 0.84,
      state: stateOf(name, days),
    })),
  ],
  [
    'occurrences',
    REPEATS.map(([name, actor, days, text]) => ({
      ...SENDERS[SIGNALS[name][2]],
      id: id(`repeat of ${name} by ${actor}`),
      signal_id: id(`signal ${name}`),
      reason: actor === SIGNALS[name][0] ? 'same_text' : 'near_duplicate',
      similarity: actor === SIGNALS[name][0] ? 1 : 0.94,
      text,
      actor_name: actor,
      actor_key: actor.toLowerCase(),
      metadata: {},
      occurred_at: ago(days),
      received_at: ago(days),
    })),
  ],
]
