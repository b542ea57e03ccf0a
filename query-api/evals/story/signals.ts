import { numberOf, type Rows, type StoryContext } from './story.ts'

/** A reference, the text, its author, and the days before now; references rise with time. */
type Said = readonly [reference: string, text: string, actor: string, days: number]

export const SIGNALS: readonly Said[] = [
  ['SIG-1', 'Please add a dark theme, the dashboard is too bright at night.', 'Kim', 70],
  ['SIG-2', 'Exporting big files is slow on Safari.', 'Noor', 60],
  ['SIG-3', 'Invoices to Austria show the German tax rate.', 'Lena', 50],
  ['SIG-4', 'The tax on our Danish invoices is wrong.', 'Mads', 45],
  ['SIG-5', 'The CSV export of 40,000 orders times out after a minute.', 'Jordan', 40],
  ['SIG-6', 'Exporting a year of orders as CSV never works, it times out.', 'Ines', 30],
  ['SIG-7', 'Test, please ignore.', 'Quality', 12],
  ['SIG-8', 'Our month-end export of orders timed out three times today.', 'Tomas', 9],
  ['SIG-9', 'The download of the order file hangs at 99 percent.', 'Ana', 8],
  ['SIG-10', 'Downloading all orders stalls and the file stays empty.', 'Piotr', 6],
  ['SIG-11', 'I would love to get the export by mail every Monday.', 'Ines', 5],
  ['SIG-12', 'How do I invite my accountant?', 'Omar', 4],
  ['SIG-13', 'Cheap watches, best prices, click here.', 'Promo', 4],
  ['SIG-14', 'Amex cards are declined since last week.', 'Rosa', 3],
  ['SIG-15', 'My customers cannot pay with Amex any more.', 'Yusuf', 2],
  ['SIG-16', 'Since the update I am logged out whenever I switch tabs.', 'Grace', 1],
]

/** Other signals are problems, wait in Triage and have no node. */
const CLASSIFIED: Readonly<Record<string, readonly string[]>> = {
  idea: ['SIG-1', 'SIG-11'],
  question: ['SIG-12'],
  unclassified: ['SIG-7', 'SIG-13', 'SIG-16'],
}
const STATES: Readonly<Record<string, readonly string[]>> = {
  accepted: ['SIG-1', 'SIG-2', 'SIG-3', 'SIG-4', 'SIG-5', 'SIG-6', 'SIG-8'],
  dismissed: ['SIG-7'],
}
const ANCHORED: Readonly<Record<string, readonly string[]>> = {
  Exports: ['SIG-2', 'SIG-5', 'SIG-6', 'SIG-8', 'SIG-9', 'SIG-10', 'SIG-11'],
  Invoices: ['SIG-3', 'SIG-4'],
  Payments: ['SIG-14', 'SIG-15'],
  'Sign-in': ['SIG-12', 'SIG-16'],
}

/** Metadata of senders, where it is more than the plan of a team. */
const METADATA: Readonly<Record<string, object>> = {
  'SIG-3': { plan: 'team', account: 'ACME GmbH', language: 'de' },
  'SIG-5': { plan: 'enterprise', account: 'ACME GmbH', language: 'en' },
  'SIG-6': { plan: 'enterprise', account: 'Initech', language: 'en' },
  'SIG-8': { plan: 'enterprise', account: 'Initech', language: 'en' },
  'SIG-11': { plan: 'enterprise', account: 'Initech', language: 'en' },
  'SIG-14': { plan: 'team', account: 'ACME GmbH', language: 'de' },
}

const under = (lists: Readonly<Record<string, readonly string[]>>, reference: string): string | undefined =>
  Object.keys(lists).find(name => lists[name]?.includes(reference))

/** The node that a signal is anchored to. */
export const nodeOf = (reference: string): string | undefined => under(ANCHORED, reference)

/** Columns that every signal and its repeats share. */
const FROM_CUSTOMERS = { channel: 'webhook', source: 'support desk', signal_origin: 'customer', actor_role: 'user' }

/** The signals, and a repeat of one signal. */
export const signalRows = ({ id, ago }: StoryContext): Rows => [
  [
    'signals',
    SIGNALS.map(([reference, text, actor, days]) => {
      const node = nodeOf(reference)
      return {
        ...FROM_CUSTOMERS,
        id: id(reference),
        number: numberOf(reference),
        text,
        text_hash: `\\x${Buffer.from(reference).toString('hex')}`,
        actor_name: actor,
        actor_key: actor.toLowerCase(),
        metadata: METADATA[reference] ?? { plan: 'team' },
        occurred_at: ago(days),
        received_at: ago(days),
        inserted_at: ago(days),
        classification: under(CLASSIFIED, reference) ?? 'problem',
        classification_confidence: 0.8,
        classification_version: 'rules 1',
        node_id: node === undefined ? null : id(`node ${node}`),
        node_score: node === undefined ? null : 0.86,
        state: under(STATES, reference) ?? 'triage',
      }
    }),
  ],
  [
    'occurrences',
    [
      {
        ...FROM_CUSTOMERS,
        id: id('repeat of SIG-5'),
        signal_id: id('SIG-5'),
        reason: 'near_duplicate',
        similarity: 0.93,
        text: 'The CSV export of 60,000 orders times out after a minute.',
        actor_name: 'Jordan',
        actor_key: 'jordan',
        metadata: { plan: 'team' },
        occurred_at: ago(39),
        received_at: ago(39),
      },
    ],
  ],
]
