import type { Transaction } from '../../infra/postgres/port.ts'
import { type JobId, type NodeId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { startJobUnlessRunning } from '../jobs/start-job.ts'

/** Texts that people write about a node. */
export interface NodeTexts {
  readonly name: string
  readonly description: string
  readonly examples: readonly string[]
}

/** The fields of a node that a change needs. */
export interface MapNode extends NodeTexts {
  readonly id: NodeId
  readonly parent_id: NodeId | null
  readonly version: number
}

const NODE = `select id, parent_id, name, description, examples, version from map_nodes where id = $1`

export const readNode = async (transaction: Transaction, id: string): Promise<MapNode | undefined> =>
  (await transaction.query<MapNode>(NODE, [id]))[0]

export interface Child {
  readonly id: NodeId
  readonly name: string
}

const CHILDREN = `select id, name from map_nodes where parent_id = $1 order by name, id`

/** Children of a node, by name. */
export const childrenOf = (transaction: Transaction, node: string): Promise<Child[]> =>
  transaction.query<Child>(CHILDREN, [node])

const BELOW = `select id from map_subtree($1) as id`

/** A node with everything below it, unordered. */
export const subtreeOf = async (transaction: Transaction, node: string): Promise<readonly NodeId[]> =>
  (await transaction.query<{ id: NodeId }>(BELOW, [node])).map(({ id }) => id)

const NAMES = `select id, name from map_nodes where id = any ($1::uuid[])`

export const nodeNames = async (
  transaction: Transaction,
  nodes: readonly string[],
): Promise<ReadonlyMap<string, string>> =>
  new Map((await transaction.query<Child>(NAMES, [nodes])).map(({ id, name }) => [id, name]))

const SIBLING = `
  select id from map_nodes
  where lower(name) = lower($1) and parent_id is not distinct from $2 and id is distinct from $3`

/** A name below a parent (null for roots) for the node `id` (null for a new node). */
export interface WantedName {
  readonly name: string
  readonly parentId: string | null
  readonly id: string | null
}

/** Another node with the name, without letter case. */
export const findSibling = async (
  transaction: Transaction,
  { name, parentId, id }: WantedName,
): Promise<NodeId | undefined> => (await transaction.query<{ id: NodeId }>(SIBLING, [name, parentId, id]))[0]?.id

const INSERT = `
  insert into map_nodes (id, workspace_id, parent_id, name, description, examples, created_at, updated_at)
  values ($1, $2, $3, $4, $5, $6, $7, $7)`

/** The caller holds the map, as for every change of it, and stores the vectors of the node's texts. */
export const insertNode = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { name, description, examples, parentId, at }: NodeTexts & { readonly parentId: string | null; readonly at: Date },
): Promise<NodeId> => {
  const id = newId<NodeId>()
  await transaction.query(INSERT, [id, workspaceId, parentId, name, description, examples, at])
  return id
}

const UPDATE = `
  update map_nodes set name = $2, description = $3, examples = $4, updated_at = $5, version = version + 1 where id = $1`

/** Stores a node's new texts as its next version. The caller stores their vectors. */
export const updateNode = async (
  transaction: Transaction,
  id: NodeId,
  { name, description, examples }: NodeTexts,
  at: Date,
): Promise<void> => {
  await transaction.query(UPDATE, [id, name, description, examples, at])
}

const MOVE = `update map_nodes set parent_id = $2, updated_at = $3, version = version + 1 where id = $1`

/** Moves a node with everything below it under another parent; null makes it a root. */
export const moveNode = async (
  transaction: Transaction,
  id: NodeId,
  parentId: string | null,
  at: Date,
): Promise<void> => {
  await transaction.query(MOVE, [id, parentId, at])
}

const ANCHORED = `select count(*)::integer as signals from signals where node_id = $1`
const MOVE_CHILDREN = `
  update map_nodes set parent_id = $2, version = version + 1, updated_at = $3 where parent_id = $1`
const REMOVE = `delete from map_nodes where id = $1`

/**
 * Removes a node and moves its children under another parent; null makes them roots. Answers the number of Signals that
 * were anchored to it, which are anchored to nothing now.
 */
export const removeNode = async (
  transaction: Transaction,
  id: NodeId,
  childrenTo: string | null,
  at: Date,
): Promise<number> => {
  const [anchored] = await transaction.query<{ signals: number }>(ANCHORED, [id])
  await transaction.query(MOVE_CHILDREN, [id, childrenTo, at])
  await transaction.query(REMOVE, [id])
  return anchored?.signals ?? 0
}

const CHANGE = `
  insert into map_revisions as known (workspace_id, revision) values ($1, 1)
  on conflict (workspace_id) do update set revision = known.revision + 1`

const ADD = `insert into map_revisions (workspace_id) values ($1) on conflict (workspace_id) do nothing`
const LOCK = `select revision from map_revisions where workspace_id = $1 for update`
const ANCHORING = `select id from jobs where workspace_id = $1 and kind = 're_anchor' and state = 'running'`
const NOTE_ANCHORED = `update map_revisions set anchored = revision where workspace_id = $1`

/**
 * Records a change of the map's nodes or of vectors. Locks the map until the transaction ends, and starts a job that
 * anchors the workspace's signals again; a running job starts over by itself. Answers the job; null in the instant in
 * which one ends, when the processors start the next by the map's revision.
 */
export const changeMap = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  startedBy: string,
): Promise<JobId | null> => {
  await transaction.query(CHANGE, [workspaceId])
  const job = { workspaceId, kind: 're_anchor', input: {}, total: null, startedBy } as const
  const started = await startJobUnlessRunning(transaction, job)
  if (started !== null) return started
  const [running] = await transaction.query<{ id: JobId }>(ANCHORING, [workspaceId])
  return running?.id ?? null
}

/** Locks the map until the transaction ends. Answers its revision. */
export const lockMap = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  await transaction.query(ADD, [workspaceId])
  const [map] = await transaction.query<{ revision: number }>(LOCK, [workspaceId])
  if (map === undefined) throw new Error('A row that was just added is not there.')
  return map.revision
}

/** Records that every signal is anchored by the map, which the caller holds. */
export const recordAnchored = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<void> => {
  await transaction.query(NOTE_ANCHORED, [workspaceId])
}
