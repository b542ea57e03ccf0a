import type { Transaction } from '../../infra/postgres/port.ts'

/** A node as the map is read: with what is anchored to it and what is below it. */
export interface NodeRow {
  readonly id: string
  readonly parent_id: string | null
  /** Names from the root to the node itself. */
  readonly path: string[]
  readonly name: string
  readonly description: string
  readonly examples: string[]
  readonly version: number
  readonly children: number
  readonly subtree_nodes: number
  readonly signals: number
  readonly subtree_signals: number
}

/** Which part of the map: below a node, itself included, or all of it where `root` is null. */
interface Part {
  readonly root: string | null
  /** How many levels of it; null for all. */
  readonly levels: number | null
  readonly limit: number
  readonly offset: number
}

const TREE = `
  with recursive tree as (
    select id, map_path(id) as path, array[id] as line
    from map_nodes where ($1::uuid is null and parent_id is null) or id = $1
    union all
    select child.id, tree.path || child.name, tree.line || child.id
    from tree join map_nodes child on child.parent_id = tree.id
    where child.id <> all (tree.line)
  )`

/** What is below a node is summed over the lines that lead through it: one pass, however deep. */
const ROWS = `
  ${TREE}, counted as materialized (
    select id, path, line, (select count(*)::integer from signals where node_id = tree.id) as signals from tree
  ), summed as (
    select above as id, count(*)::integer - 1 as subtree_nodes, sum(signals)::integer as subtree_signals
    from counted cross join unnest(line) as above
    group by above
  ), page as (
    select * from counted where $2::integer is null or cardinality(line) <= $2
    order by path, id limit $3 offset $4
  )
  select map_nodes.id, parent_id, path, name, description, examples, version, signals, subtree_nodes, subtree_signals,
    (select count(*)::integer from map_nodes child where child.parent_id = map_nodes.id) as children
  from page join summed using (id) join map_nodes using (id)
  order by path, id`

/** Depth first, siblings by name. */
export const nodeRows = (transaction: Transaction, { root, levels, limit, offset }: Part): Promise<NodeRow[]> =>
  transaction.query<NodeRow>(ROWS, [root, levels, limit, offset])

const LEVELS = `${TREE} select count(*)::integer as nodes from tree group by cardinality(line) order by cardinality(line)`

/** How many nodes the part has on each of its levels, the root's first. */
export const countLevels = async (transaction: Transaction, root: string | null): Promise<number[]> =>
  (await transaction.query<{ nodes: number }>(LEVELS, [root])).map(({ nodes }) => nodes)
