import { EARLIER_SIGNALS } from './earlier-signals.ts'
import { RECENT_SIGNALS } from './recent-signals.ts'

/** By the names that the rest of the story calls them. */
export const SIGNALS = { ...EARLIER_SIGNALS, ...RECENT_SIGNALS }

export type SignalName = keyof typeof SIGNALS

/** Those that are not problems. */
export const CLASSIFIED: Readonly<Record<string, readonly SignalName[]>> = {
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
export const DECIDED_AFTER_DAYS = 6.7
export const WAITING: readonly SignalName[] = [
  'api_limits',
  'guests',
  'background',
  'empty_file',
  'labels_it',
  'export_fr',
]
export const DISMISSED: readonly SignalName[] = [
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
