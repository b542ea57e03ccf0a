import { isDeepStrictEqual } from 'node:util'
import type { Transaction } from '../../infra/postgres/port.ts'
import type { ChangeId } from '../../schemas/domain/ids.ts'
import type { RowChange } from '../../schemas/domain/vocabulary.ts'
import type { Identifiable } from '../references/statements.ts'

interface Kept {
  /** Assignments of an undo that give readers a new version and time. */
  readonly touch?: string
  /** Assignments that replace the deletion of an inserted row; `$2` is the time, `$3` the person who undoes. */
  readonly retire?: string
  /** Rows with a gapless order: the column that names the order, and the id column. */
  readonly order?: { readonly of: string; readonly id: string }
  /** True for a log, whose rows the undo by rows leaves alone. */
  readonly isLog?: true
}

const VERSION = 'version = kept.version + 1'
const UPDATED = `${VERSION}, updated_at = $2`

/**
 * Tables whose changes are recorded, each behind the tables that it refers to: an undo inserts in this order and
 * deletes in the reverse. Rows with a reference are retired instead of deleted, because a reference is never reused.
 */
export const KEPT_TABLES = {
  decisions: { isLog: true },
  decision_objects: { isLog: true },
  decision_reversals: {},
  // The edge finds changed sources by the database's time.
  sources: { touch: `${VERSION}, changed_at = now()`, retire: 'deleted_at = now()' },
  map_nodes: { touch: UPDATED },
  map_node_vectors: {},
  metric_bindings: {},
  signals: { touch: VERSION },
  node_lessons: {},
  occurrences: {},
  snoozes: {},
  themes: { retire: 'ended_at = $2, became_id = kept.split_from_id' },
  theme_settings: {},
  theme_answers: {},
  // A repeat that was taken out is undone by the rules of Triage.
  taken_out_repeats: { retire: 'in_force = false' },
  claims: { touch: UPDATED, retire: `state = 'dismissed'` },
  claim_evidence: {},
  merge_proposals: {},
  merges: { retire: 'undone_at = $2, undone_by = $3' },
  solutions: { touch: UPDATED, retire: `state = 'Dropped', manual_rank = null` },
  solution_claims: {},
  handoffs: { retire: 'withdrawn_at = $2' },
  // Every version stays: an undo adds a version with the earlier text.
  living_documents: { isLog: true },
  outcomes: { touch: UPDATED },
  outcome_points: {},
  knowledge_notes: {},
  comments: {},
  mentions: {},
  groups: { touch: UPDATED },
  group_solutions: {},
  strategy_elements: { touch: UPDATED, order: { of: 'layer', id: 'id' } },
  strategy_claims: {},
  strategy_solutions: {},
  roadmap_items: { order: { of: 'horizon', id: 'solution_id' } },
  product_reviews: {},
  dead_letters: {},
} as const satisfies Readonly<Record<string, Kept>>

export type KeptTable = keyof typeof KEPT_TABLES

export const keptTable = (name: KeptTable): Kept => KEPT_TABLES[name]

export const isKept = (name: string): name is KeptTable => Object.hasOwn(KEPT_TABLES, name)

/** Column of a position, which changes with other rows. */
export const PLACE = 'position'

export type Columns = Readonly<Record<string, unknown>>

/**
 * Net effect of a change on one row: `before` is null for an inserted row, `after` for a deleted one. For an update
 * both have the columns that differ.
 */
export interface NetRow {
  readonly table: KeptTable
  readonly key: Columns
  readonly before: Columns | null
  readonly after: Columns | null
}

interface ChangedRow {
  readonly table_name: string
  /** JSON. */
  readonly key: string
  readonly was: RowChange
  readonly before: Columns | null
  readonly after: Columns | null
}

const ROWS = `select table_name, key, was, before, after from changed_rows where change_id = $1 order by id`

/** Net effect of a change, each row once. */
export const netRowsOf = async (transaction: Transaction, id: ChangeId): Promise<readonly NetRow[]> => {
  const net = new Map<string, NetRow>()
  for (const row of await transaction.query<ChangedRow>(ROWS, [id])) {
    if (!isKept(row.table_name)) throw new Error(`Nothing is known of the table ${row.table_name}.`)
    const name = `${row.table_name} ${row.key}`
    const { table_name: table, before, after } = row
    const key: Columns = JSON.parse(row.key)
    const known = net.get(name)
    net.set(name, known === undefined ? { table, key, before, after } : together(known, row))
  }
  return [...net.values()].flatMap(row => differing(row) ?? [])
}

/** The row was changed before in the same change: the earliest known `before` and the latest `after` count. */
const together = (known: NetRow, { was, before, after }: ChangedRow): NetRow => ({
  ...known,
  before: known.before === null || was === 'insert' ? known.before : { ...before, ...known.before },
  after: was === 'update' ? { ...known.after, ...after } : after,
})

/** Columns of versions and times, which an undo ignores. */
const STAMPS = new Set(['version', 'updated_at', 'changed_at'])

const differing = (row: NetRow): NetRow | null => {
  const { before, after } = row
  if (before === null && after === null) return null
  if (before === null || after === null) return row
  const names = Object.keys(before).filter(name => !STAMPS.has(name) && !isDeepStrictEqual(before[name], after[name]))
  const only = (from: Columns) => Object.fromEntries(names.map(name => [name, from[name]]))
  return { ...row, before: only(before), after: only(after) }
}

/** An object of a change, with its present name. */
export interface ChangedObject {
  readonly change_id: ChangeId
  readonly kind: Identifiable
  readonly id: string
  readonly number: number | null
  readonly name: string
}

// Each id is looked up by itself (`offset 0`): otherwise whole tables are read for the few objects of a page.
const named = (kind: Identifiable, table: string, number: string, name: string): string => `
  select change_id, '${kind}' as kind, id, number, name from named cross join lateral (
    select ${number} as number, ${name} as name from ${table} where ${table}.id = named.id offset 0
  ) as found`

const OBJECTS = `
  with named as materialized (
    select distinct change_id, meant as id from changed_rows cross join unnest(names) as meant
    where change_id = any ($1::uuid[]) and table_name not in ('decisions', 'decision_objects') and columns is distinct from '{}'
  )
  ${[
    named('solution', 'solutions', 'number', 'title'),
    named('claim', 'claims', 'number', 'title'),
    named('signal', 'signals', 'number', 'left(text, 80)'),
    named('group', 'groups', 'null::integer', 'name'),
    named('strategy_element', 'strategy_elements', 'null::integer', 'title'),
    named('node', 'map_nodes', 'null::integer', 'name'),
    named('source', 'sources', 'null::integer', 'name'),
  ].join('\n  union all')}
  order by change_id, kind, number, id`

/** Objects of each change, without its Decisions. */
export const objectsOfChanges = async (
  transaction: Transaction,
  ids: readonly ChangeId[],
): Promise<ReadonlyMap<ChangeId, readonly ChangedObject[]>> =>
  Map.groupBy(await transaction.query<ChangedObject>(OBJECTS, [ids]), row => row.change_id)

const USED_BY_OTHERS = `
  select exists (
    select from changed_rows as used join changes on changes.id = used.change_id
    where used.table_name = 'decision_objects' and used.after ->> 'decision_id' = $1 and used.change_id <> $2
      and used.id > (select min(id) from changed_rows where change_id = $2)
      and changes.undone_by is null and changes.undoes is null
  ) as used`

/** True when another standing change is made under the Decision. */
export const isUsedByOthers = async (
  transaction: Transaction,
  decisionId: string,
  changeId: ChangeId,
): Promise<boolean> =>
  (await transaction.query<{ used: boolean }>(USED_BY_OTHERS, [decisionId, changeId]))[0]?.used === true
