import { SIGNALS } from './signals.ts'
import type { Rows, StoryContext } from './story.ts'

/** The map of a service for orders and invoices, each node behind its parent. */
export const NODES: Readonly<Record<string, { readonly parent?: string; readonly description: string }>> = {
  Orders: { description: 'Finding, reading and changing orders.' },
  Exports: { parent: 'Orders', description: 'Getting orders out of the product as files.' },
  Shipping: { parent: 'Orders', description: 'Labels, carriers and addresses.' },
  Stock: { description: 'How many of each article there are, and importing it.' },
  'Order mails': { description: 'The mails that customers get about their orders.' },
  Integrations: { description: 'The API, webhooks, and other systems.' },
  Billing: { description: 'Everything about money.' },
  Invoices: { parent: 'Billing', description: 'What an invoice shows: taxes, numbers, addresses.' },
  Payments: { parent: 'Billing', description: 'Cards, refunds, and how they are charged.' },
  'Sign-in': { description: 'Accounts, sessions and invitations.' },
}

interface Metric {
  readonly node: string
  readonly direction: 'up_is_good' | 'down_is_good'
  readonly target: number
  /** Value on a day, in days before now. */
  readonly at: (days: number) => number
}

/** Each metric has a point a week for a year; days before now. */
export const DAYS = Array.from({ length: 53 }, (_, index) => (52 - index) * 7)

/** A variation by day, equal each time. */
const wobble = (days: number): number => Math.sin(days * 1.7)

export const METRICS: Readonly<Record<string, Metric>> = {
  'Export success rate': {
    node: 'Exports',
    direction: 'up_is_good',
    target: 99,
    at: days => Math.round((days > 60 ? 97 : 88 + (60 - days) * 0.1) * 10 + wobble(days) * 10) / 10,
  },
  'Failed payments a day': {
    node: 'Payments',
    direction: 'down_is_good',
    target: 40,
    at: days => Math.round((days < 10 ? 160 : 45) + 12 * wobble(days)),
  },
  'Support tickets about tax': {
    node: 'Invoices',
    direction: 'down_is_good',
    target: 5,
    at: days => Math.round((days > 50 ? 4 : 14 - days / 10) + 3 * wobble(days)),
  },
  'Stock differences a week': {
    node: 'Stock',
    direction: 'down_is_good',
    target: 10,
    at: days => Math.round((days > 206 ? 62 : 31) + 5 * wobble(days)),
  },
}

/** Nobody knows the secrets of these sources: rotate a secret before sending. */
const SOURCES = [
  { name: 'desk', title: 'Support desk', kind: 'signal', code_host: null },
  { name: 'survey', title: 'Survey tool', kind: 'connection', code_host: null },
  { name: 'mail', title: 'Forwarded mail', kind: 'email', code_host: null },
  { name: 'code', title: 'acme/shop', kind: 'code_host', code_host: 'github' },
] as const

/** Secret of a source: sealed when it signs, hashed when it is sent along. */
interface SourceSecret {
  readonly sealed_secret: string | null
  readonly secret_hash: string | null
}
type SecretFor = (kind: 'signal' | 'connection' | 'email' | 'code_host' | 'metric') => SourceSecret

export interface Installed {
  readonly secretFor: SecretFor
  /** False hides the mail source's address, because mail is not received. */
  readonly takesMail: boolean
}

/** The product map, the sources, and the metrics with their points. */
export const productRows = ({ id, ago }: StoryContext, { secretFor, takesMail }: Installed): Rows => [
  [
    'map_nodes',
    Object.entries(NODES).map(([name, { parent, description }]) => ({
      id: id(`node ${name}`),
      parent_id: parent === undefined ? null : id(`node ${parent}`),
      name,
      description,
    })),
  ],
  // The story places its signals, so they count as measured. They are placed again once there are many more.
  ['map_revisions', [{ revision: 1, anchored: 1, measured_number: Object.keys(SIGNALS).length }]],
  [
    'sources',
    [
      ...SOURCES.filter(({ kind }) => takesMail || kind !== 'email').map(({ name, title, kind, code_host }) => ({
        id: id(`source ${name}`),
        kind,
        name: title,
        code_host,
        ...secretFor(kind),
        created_at: ago(366),
      })),
      ...Object.keys(METRICS).map(name => ({
        id: id(`metric ${name}`),
        kind: 'metric',
        name,
        code_host: null,
        ...secretFor('metric'),
        created_at: ago(365),
      })),
    ],
  ],
  [
    'metric_points',
    Object.entries(METRICS).flatMap(([name, { at }]) =>
      DAYS.map((days, index) => ({
        id: id(`point ${name} ${days}`),
        metric_id: id(`metric ${name}`),
        value: at(days),
        occurred_at: ago(days),
        dated: true,
        received_at: ago(days),
        log_partition: 0,
        log_offset: index,
        logged_at: ago(days),
      })),
    ),
  ],
  [
    'metric_bindings',
    Object.entries(METRICS).map(([name, { node, direction, target }]) => ({
      node_id: id(`node ${node}`),
      metric_id: id(`metric ${name}`),
      name,
      direction,
      target,
    })),
  ],
]

const ELEMENTS = [
  { layer: 'vision', position: 1, title: 'Every shop keeps its own books in order' },
  { layer: 'objective', position: 1, title: 'Exports that always finish' },
  { layer: 'objective', position: 2, title: 'No order is lost at checkout' },
  { layer: 'objective', position: 3, title: 'A parcel leaves in a minute' },
  { layer: 'bet', position: 1, title: 'Long work runs in the background' },
] as const

const ROADMAP = [
  ['now', 1, 'background'],
  ['now', 2, 'amex'],
  ['next', 1, 'batch_labels'],
  ['next', 2, 'tax'],
  ['later', 1, 'weekly'],
  ['later', 2, 'stock_hooks'],
] as const

const GROUPS: Readonly<Record<string, readonly string[]>> = {
  'Export work': ['background', 'columns', 'weekly'],
  Checkout: ['amex', 'sessions'],
  'Done this year': ['signed_mails', 'checked_import', 'second_factor', 'list_pages', 'columns'],
}

/** The Strategy Stack, the roadmap, and groups of Solutions. */
export const portfolioRows = ({ id, ago }: StoryContext): Rows => [
  ['strategy_elements', ELEMENTS.map(element => ({ ...element, id: id(element.title), created_at: ago(300) }))],
  [
    'strategy_claims',
    [
      { element_id: id('Exports that always finish'), claim_id: id('claim exports') },
      { element_id: id('A parcel leaves in a minute'), claim_id: id('claim labels') },
      { element_id: id('No order is lost at checkout'), claim_id: id('claim amex') },
    ],
  ],
  [
    'strategy_solutions',
    [{ element_id: id('Long work runs in the background'), solution_id: id('solution background') }],
  ],
  [
    'roadmap_items',
    ROADMAP.map(([horizon, position, name]) => ({ solution_id: id(`solution ${name}`), horizon, position })),
  ],
  ['groups', Object.keys(GROUPS).map(name => ({ id: id(`group ${name}`), name, created_at: ago(30) }))],
  [
    'group_solutions',
    Object.entries(GROUPS).flatMap(([group, names]) =>
      names.map(name => ({ group_id: id(`group ${group}`), solution_id: id(`solution ${name}`) })),
    ),
  ],
]
