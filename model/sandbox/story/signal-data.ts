/** Where a signal came from. */
export type Sender = 'desk' | 'survey' | 'mail' | 'code'

/** Who, how many days ago, from where, about which node; what was said. */
type Told = readonly [actor: string, days: number, sender: Sender, node: string | null, text: string]

/** By the names that the rest of the story calls them, the oldest first: SIG-1 and so on. */
export const SIGNALS = {
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
    'SOL-1: write exports in the background and mail a link when they are done.',
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
  weekly: ['Marta', 5, 'mail', 'Exports', 'Could the weekly sales export arrive in my inbox by itself?'],
  refund: ['Lena', 5, 'desk', 'Payments', 'A refund was booked twice for order 4411.'],
  deploy: ['build', 4, 'code', 'Payments', 'Deployment of 3.13.1 to production succeeded.'],
  amex_mail: ['Nils', 3, 'mail', 'Payments', 'American Express payments fail at checkout with error 402.'],
  search: ['Kim', 3, 'survey', 'Orders', 'Searching an order by the customer’s phone number finds nothing.'],
  invoice_logo: ['Ada', 2, 'survey', 'Invoices', 'Can we put our own logo on the invoice?'],
  refund_twice: ['Sven', 2, 'desk', 'Payments', 'One of our refunds went out two times, please check.'],
  tax_reverse: ['Mads', 1.4, 'mail', 'Invoices', 'Reverse charge is missing on invoices to companies in Denmark.'],
  tabs: ['Zoe', 1.1, 'desk', 'Sign-in', 'Opening an order in a new tab signs me out of the first one.'],
  order_list: ['Tomas', 0.8, 'survey', 'Orders', 'The order list jumps back to the top whenever I open one.'],
  amex_again: ['Rosa', 0.5, 'desk', 'Payments', 'Still no Amex. We lose about ten orders a day.'],
  export_help: ['Hana', 0.3, 'desk', 'Exports', 'Where do I find the file after an export is done?'],
  dark_contrast: ['Aiko', 0.2, 'survey', null, 'Grey text on the white page is hard to read at night.'],
  export_fails: ['Jordan', 0.1, 'desk', 'Exports', 'The export of all orders fails again, the page shows a time-out.'],
} as const satisfies Readonly<Record<string, Told>>

export type SignalName = keyof typeof SIGNALS

/** Those that are not problems. */
export const CLASSIFIED: Readonly<Record<string, readonly SignalName[]>> = {
  idea: ['dark', 'columns', 'dark_again', 'sso', 'schedule', 'weekly', 'invoice_logo'],
  question: ['api_limits', 'guests', 'export_help'],
  unclassified: ['release_1', 'test', 'background', 'spam', 'release_2', 'deploy'],
}

export const STATES: Readonly<Record<string, readonly SignalName[]>> = {
  accepted: [
    'dark',
    'slow_safari',
    'tax_austria',
    'tax_denmark',
    'csv_timeout',
    'columns',
    'year_timeout',
    'tax_swiss',
    'dark_again',
    'sso',
    'month_end',
    'hangs',
    'schedule',
    'logged_out',
    'amex',
    'session',
    'amex_shop',
  ],
  dismissed: ['release_1', 'test', 'spam', 'release_2', 'deploy'],
}

/** The same told once more: by somebody else in words of their own, or by a sender that repeats itself. */
export const REPEATS: readonly (readonly [of: SignalName, actor: string, days: number, text: string])[] = [
  ['csv_timeout', 'Elif', 38, 'The CSV export of all our orders times out after a minute.'],
  ['tax_denmark', 'Mads', 46, SIGNALS.tax_denmark[4]],
  ['month_end', 'Tomas', 20, SIGNALS.month_end[4]],
  ['amex', 'Luis', 8, 'Amex cards are declined since Monday, my customers complain.'],
  ['amex_shop', 'Yusuf', 6, SIGNALS.amex_shop[4]],
  ['logged_out', 'Mei', 10, 'Since the update I am logged out whenever I switch windows.'],
]
