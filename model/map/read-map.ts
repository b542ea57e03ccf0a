import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, NodeId } from '../../schemas/domain/ids.ts'
import type { ClaimKind, ClaimState } from '../../schemas/domain/vocabulary.ts'
import { happenedAt, NEWEST_FIRST } from '../signals/happened.ts'
import { SELECT_SIGNALS, type SignalRow } from '../signals/read-signals.ts'

/** A node of the map with counts of its anchored signals and of the nodes below. */
export interface NodeRow {
  readonly id: string
  readonly parent_id: string | null
  /** Names from the root to the node. */
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

/** A part of the map: a node and everything below it; all of the map when `root` is null. */
interface Part {
  readonly root: string | null
  /** Number of levels; null for all. */
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

/** Counts below a node are summed over the paths through it, in one pass for any depth. */
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

/** Number of nodes on each level of the part, the root's level first. */
export const countLevels = async (transaction: Transaction, root: string | null): Promise<number[]> =>
  (await transaction.query<{ nodes: number }>(LEVELS, [root])).map(({ nodes }) => nodes)

/** Furthest position of a page: a page costs as much as all rows before it. */
export const MAX_DEPTH = 2000

interface Page {
  readonly limit: number
  readonly offset: number
}

// Reads the newest signals of each node by the index, so that a node with many signals costs no more.
const NEWEST = `
  select newest.id, newest.at, newest.number from unnest($1::uuid[]) as requested (node_id)
  cross join lateral (
    select id, ${happenedAt()} as at, number from signals where node_id = requested.node_id order by ${NEWEST_FIRST} limit $2
  ) as newest
  order by newest.at desc, newest.number desc limit $2`

const SIGNALS_PAGE = `
  with newest as (${NEWEST})
  ${SELECT_SIGNALS} where signals.id in (select id from newest order by at desc, number desc limit $3 offset $4)
  order by ${NEWEST_FIRST}`

/** Signals anchored to one of the nodes, newest first. */
export const signalsOfNodes = async (
  transaction: Transaction,
  nodes: readonly NodeId[],
  { limit, offset }: Page,
): Promise<SignalRow[]> => {
  if (limit === 0) return []
  return transaction.query<SignalRow>(SIGNALS_PAGE, [nodes, Math.min(offset + limit, MAX_DEPTH), limit, offset])
}

/** A claim with the number of its Signals among the newest of some nodes. */
export interface ClaimOfNodes {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  readonly kind: ClaimKind
  readonly state: ClaimState
  readonly signals: number
}

const CLAIMS = `
  with newest as (${NEWEST})
  select claims.id, claims.number, title, kind, state, count(*)::integer as signals, count(*) over ()::integer as claims
  from newest join claim_evidence on signal_id = newest.id join claims on claims.id = claim_id
  where merged_into is null
  group by claims.id
  order by signals desc, claims.number desc limit $3 offset $4`

/** Claims with evidence among the nodes' newest signals, most evidence first, and their number. */
export const claimsOfNodes = async (
  transaction: Transaction,
  nodes: readonly NodeId[],
  { limit, offset }: Page,
): Promise<{ readonly count: number; readonly claims: readonly ClaimOfNodes[] }> => {
  // At least one row, because the rows carry the count.
  const values = [nodes, MAX_DEPTH, Math.max(1, limit), offset]
  const rows = await transaction.query<ClaimOfNodes & { readonly claims: number }>(CLAIMS, values)
  return { count: rows[0]?.claims ?? 0, claims: rows.slice(0, limit).map(({ claims: _, ...claim }) => claim) }
}
