import type { ActorRole, Channel, SignalOrigin } from '../../../schemas/domain/vocabulary.ts'
import { type Cuts, NO_CUTS } from '../../../schemas/events/signal.ts'
import { textHash } from '../../signals/normalize.ts'
import { EARLIER_SIGNALS } from './earlier-signals.ts'
import type { Rows, SaidSignal, Sender, StoryContext } from './story.ts'

/** Signals of the last two months: exports that time out, and cards that are declined. */
const RECENT_SIGNALS = {
  dark: ['Kim', 58, 'survey', null, 'Please add a dark theme, the dashboard is too bright at night.'],
  slow_safari: ['Noor', 55, 'desk', 'Exports', 'Exporting big files is slow on Safari, it takes several minutes.'],
  tax_austria: ['Lena', 51, 'desk', 'Invoices', 'Invoices to Austria show the German tax rate.'],
  tax_denmark: [
    'Mads',
    47,
    'mail',
    'Invoices',
    'The tax on our Danish invoices is wrong since we moved the warehouse.',
  ],
  api_limits: ['Priya', 45, 'survey', null, 'How many requests a minute may we send to the orders API?'],
  csv_timeout: ['Jordan', 41, 'desk', 'Exports', 'The CSV export of 40,000 orders times out after a minute.'],
  release_1: ['build', 40, 'code', null, 'Release 3.12: orders are listed faster, invoices have a preview.'],
  columns: ['Ines', 37, 'survey', 'Exports', 'It would help to choose which columns an export has.'],
  year_timeout: ['Ines', 34, 'desk', 'Exports', 'Exporting a year of orders as CSV never works, it times out.'],
  guests: ['Omar', 32, 'desk', 'Sign-in', 'How do I invite my accountant without giving her my password?'],
  tax_swiss: ['Reto', 29, 'mail', 'Invoices', 'Swiss customers get invoices with the tax of the European Union.'],
  dark_again: ['Aiko', 27, 'survey', null, 'A dark mode would be great, we work in the warehouse at night.'],
  test: ['Quality', 26, 'desk', null, 'Test, please ignore.'],
  sso: ['Grace', 24, 'survey', 'Sign-in', 'We would need single sign-on before we can bring the whole company.'],
  month_end: ['Tomas', 21, 'desk', 'Exports', 'Our month-end export of orders timed out three times today.'],
  background: [
    'build',
    19,
    'code',
    'Exports',
    'SOL-5: write exports in the background and mail a link when they are done.',
  ],
  hangs: ['Ana', 17, 'desk', 'Exports', 'The download of the order file hangs at 99 percent.'],
  schedule: ['Ines', 15, 'survey', 'Exports', 'I would love to get the export by mail every Monday.'],
  spam: ['Promo', 14, 'mail', null, 'Cheap watches, best prices, click here.'],
  empty_file: ['Piotr', 12, 'desk', 'Exports', 'Downloading all orders stalls and the file stays empty.'],
  logged_out: ['Grace', 11, 'desk', 'Sign-in', 'Since the update I am logged out whenever I switch tabs.'],
  release_2: ['build', 10, 'code', null, 'Release 3.13: new payment provider, sessions are renewed.'],
  amex: ['Rosa', 9, 'desk', 'Payments', 'Amex cards are declined since last week, my customers complain.'],
  session: ['Bilal', 8, 'survey', 'Sign-in', 'I have to sign in again every ten minutes now.'],
  amex_shop: ['Yusuf', 7, 'desk', 'Payments', 'My customers cannot pay with Amex any more.'],
  mobile: ['Chidi', 6, 'survey', 'Orders', 'On the phone the order list is cut off on the right.'],
  weekly: ['Marta', 5, 'mail', 'Exports', 'I would love to get our weekly sales by mail every Monday.'],
  refund: ['Lena', 5, 'desk', 'Payments', 'A refund was booked twice for order 4411.'],
  deploy: ['build', 4, 'code', 'Payments', 'Deployment of 3.13.1 to production succeeded.'],
  amex_mail: [
    'Nils',
    3,
    'mail',
    'Payments',
    'Amex cards are declined at our checkout with error 402, my customers complain.',
  ],
  search: ['Kim', 3, 'survey', 'Orders', 'Searching an order by the customer’s phone number finds nothing.'],
  invoice_logo: ['Ada', 2, 'survey', 'Invoices', 'Can we put our own logo on the invoice?'],
  refund_twice: ['Sven', 2, 'desk', 'Payments', 'One of our refunds went out two times, please check.'],
  tax_reverse: ['Mads', 1.4, 'mail', 'Invoices', 'Reverse charge is missing on invoices to companies in Denmark.'],
  tabs: ['Zoe', 1.1, 'desk', 'Sign-in', 'I am logged out of one tab whenever I switch tabs and open an order.'],
  order_list: ['Tomas', 0.8, 'survey', 'Orders', 'The order list jumps back to the top whenever I open one.'],
  amex_again: ['Rosa', 0.5, 'desk', 'Payments', 'Still no Amex. We lose about ten orders a day.'],
  export_help: ['Hana', 0.3, 'desk', 'Exports', 'Where do I find the file after an export is done?'],
  dark_contrast: ['Aiko', 0.2, 'survey', null, 'Grey text on the white page is hard to read at night.'],
  export_fails: ['Jordan', 0.1, 'desk', 'Exports', 'The export of all orders fails again, the page shows a time-out.'],
  export_de: ['Jörg', 44, 'desk', 'Exports', 'Der CSV-Export aller Bestellungen bricht nach einer Minute ab.'],
  export_es: ['Carmen', 26, 'desk', 'Exports', 'La exportación de pedidos en CSV se corta por tiempo de espera.'],
  export_fr: ['Élodie', 9.5, 'mail', 'Exports', 'L’export CSV des commandes de l’année n’aboutit jamais.'],
  amex_es: ['Lucía', 6.6, 'desk', 'Payments', 'Las tarjetas American Express se rechazan desde la semana pasada.'],
  amex_de: ['Sabine', 4.5, 'desk', 'Payments', 'Amex-Karten werden an der Kasse abgelehnt.'],
  amex_owen: ['Owen', 1.8, 'survey', 'Payments', 'Two regular customers left because their Amex was refused.'],
  mobile_ja: ['Haruto', 18, 'survey', 'Orders', 'スマートフォンで注文一覧の右側が切れます。'],
  mobile_tablet: ['Femke', 2.5, 'survey', 'Orders', 'On a tablet the last column of the order list is missing.'],
  labels_scan: [
    'Marek',
    33,
    'desk',
    'Shipping',
    'We still print labels one at a time; on Mondays that takes two hours.',
  ],
  labels_it: [
    'Giulia',
    13,
    'survey',
    'Shipping',
    'Sarebbe utile stampare insieme le etichette di tutti gli ordini del giorno.',
  ],
  currency_late: ['Chidi', 25, 'survey', 'Billing', 'Showing naira beside euro would help us sell in Lagos.'],
  address_prefecture: [
    'Haruto',
    52,
    'desk',
    'Shipping',
    'The prefecture is missing from Japanese addresses on the label.',
  ],
} as const satisfies Readonly<Record<string, SaidSignal>>

/** By their name in the story. */
export const SIGNALS = { ...EARLIER_SIGNALS, ...RECENT_SIGNALS }

export type SignalName = keyof typeof SIGNALS

/** Signals that are not problems. */
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

/** Older signals were decided: all were accepted except those in `WAITING`. */
const DECIDED_AFTER_DAYS = 6.7
const WAITING: readonly SignalName[] = ['api_limits', 'guests', 'background', 'empty_file', 'labels_it', 'export_fr']
const DISMISSED: readonly SignalName[] = [
  ...(['test', 'spam', 'deploy', 'rolled_back'] as const),
  ...(['release_1', 'release_2', 'release_8', 'release_9', 'release_10', 'release_11'] as const),
]

/** Repeats: by another person in other words, or by a sender that repeats itself. */
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

/** Common fields of a sender's signals. */
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

/** Every signal with its fields, oldest first: SIG-1 and so on. */
export const sampleSignals = () =>
  Object.entries(SIGNALS)
    .toSorted(([, [, one]], [, [, other]]) => other - one)
    .map(([key, [actor, days, sender, node, text]], index) => {
      // `SignalName` lists the keys of `SIGNALS`.
      const name = key as SignalName
      const classification = CLASSES.find(each => CLASSIFIED[each]?.includes(name)) ?? 'problem'
      return { name, number: index + 1, actor, days, sender, node, text, classification }
    })

const CLASSES = Object.keys(CLASSIFIED)

const stateOf = (name: SignalName, days: number): string => {
  if (DISMISSED.includes(name)) return 'dismissed'
  return days < DECIDED_AFTER_DAYS || WAITING.includes(name) ? 'triage' : 'accepted'
}

/** A longer text leaves less doubt. */
const confidenceOf = (text: string, classification: string): number =>
  classification === 'unclassified' ? 0.95 : Math.min(0.96, 0.6 + text.length / 200)

/** Parts that mails have beside their text. */
const CUTS: Readonly<Partial<Record<SignalName, Partial<Cuts>>>> = {
  weekly: {
    cut_signature: 'Marta\nHead of sales, Casa Marta',
    cut_quoted: 'On Monday the Acme team wrote:\n\nYour export of March is ready. You find it below Orders, Exports.',
  },
  amex_mail: { cut_footer: 'Sent from my phone' },
}

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
      ...NO_CUTS,
      ...CUTS[name],
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
