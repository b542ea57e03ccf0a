import type { Rows, StoryContext } from './story.ts'

/** The map of a service for invoices and orders. Two nodes are named Reports. */
const NODES = [
  { name: 'Billing', description: 'Invoices, taxes and payments.' },
  { name: 'Exports', description: 'Getting orders out of the product as CSV.' },
  { name: 'Sign-in', description: 'Accounts, sessions and invitations.' },
  { name: 'Invoices', parent: 'Billing', description: 'What an invoice shows.' },
  { name: 'Payments', parent: 'Billing', description: 'Cards and how they are charged.' },
  { path: 'Billing / Reports', name: 'Reports', parent: 'Billing', description: 'Revenue by month.' },
  { path: 'Exports / Reports', name: 'Reports', parent: 'Exports', description: 'Reports as files.' },
]

/** Metrics, each with values by days before now. */
const METRICS = [
  { name: 'Export success rate', points: { 30: 91, 20: 93, 2: 97 } },
  { name: 'Failed payments', points: { 9: 120, 2: 310 } },
]

/** The product map, the metrics (one of them bound), and an unused key. */
export const productRows = ({ id, ago, owner }: StoryContext): Rows => [
  [
    'map_nodes',
    NODES.map(({ name, path = name, parent, description }) => ({
      id: id(`node ${path}`),
      parent_id: parent === undefined ? null : id(`node ${parent}`),
      name,
      description,
    })),
  ],
  ['map_revisions', [{ revision: 1, anchored: 1 }]],
  [
    'sources',
    METRICS.map(({ name }) => ({
      id: id(`metric ${name}`),
      kind: 'metric',
      name,
      secret_hash: '\\x00',
      created_at: ago(40),
    })),
  ],
  [
    'metric_points',
    METRICS.flatMap(({ name, points }) =>
      Object.entries(points).map(([days, value], index) => ({
        id: id(`point ${name} ${days}`),
        metric_id: id(`metric ${name}`),
        value,
        occurred_at: ago(Number(days)),
        dated: true,
        received_at: ago(Number(days)),
        log_partition: 0,
        log_offset: index,
        logged_at: ago(Number(days)),
      })),
    ),
  ],
  [
    'metric_bindings',
    [
      {
        node_id: id('node Exports'),
        metric_id: id('metric Export success rate'),
        name: 'Export success rate',
        direction: 'up_is_good',
        target: 99,
      },
    ],
  ],
  [
    'mcp_keys',
    [
      {
        id: id('key'),
        owner_id: owner.id,
        label: 'Old notebook',
        hash: `\\x${id('key').replaceAll('-', '').repeat(2)}`,
        last_four: 'beef',
        scope: 'workspace',
        created_at: ago(60),
      },
    ],
  ],
]
