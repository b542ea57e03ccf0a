import { AssayError } from '../../infra/runtime/errors.ts'
import { createReAnchorJob } from '../../processors/jobs/re-anchor/re-anchor.ts'
import { startOperations, type Workspace } from '../../query-api/operations/testing.ts'
import { type JobId, type NodeId, newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Figure, share } from './confidence.ts'
import type { Pipeline } from './pipeline.ts'
import type { AnchoringLine, AnchoringMessage, AnchoringNode, LabelledSet } from './sets.ts'
import { readStored } from './stored.ts'

export interface MappedMessages {
  readonly nodes: readonly AnchoringNode[]
  readonly messages: readonly AnchoringMessage[]
}

/** Throws for two lines of one id, and for a message of a node that the set has not. */
export const mappedOf = ({ name, lines }: LabelledSet<AnchoringLine>): MappedMessages => {
  const nodes = lines.filter(line => 'examples' in line)
  const messages = lines.filter(line => 'text' in line)
  const known = new Set(nodes.map(({ id }) => id))
  const wrong = messages.find(({ node }) => node !== null && !known.has(node))
  if (wrong !== undefined)
    throw new AssayError('invalid_configuration', `${name}: ${wrong.id} is of ${wrong.node}, which is no node of it.`)
  const twice = [...Map.groupBy(lines, ({ id }) => id)].find(([, same]) => same.length > 1)
  if (twice !== undefined) throw new AssayError('invalid_configuration', `${name}: ${twice[0]} stands on two lines.`)
  return { nodes, messages }
}

export interface AnchoringFigures {
  /** Of the messages that belong to a node: at that one, and at another. */
  readonly right: Figure
  readonly wrong: Figure
  /** Of those at their node, by whether they are in the language of its examples. */
  readonly sameLanguage: Figure
  readonly otherLanguage: Figure
  /** Of those at a node, how many belong there. */
  readonly ofAnchored: Figure
  /** Of the messages that belong to no node, how many are at one. */
  readonly strangers: Figure
}

const ANCHORED = `select id, node_id from signals where workspace_id = $1`

/**
 * Makes the map as its team does, each node with so many examples, then takes the messages through the nine steps. A
 * repeat is where its original is.
 */
export const measureAnchoring = async (
  pipeline: Pipeline,
  set: LabelledSet<AnchoringLine>,
  examples: number,
): Promise<AnchoringFigures> => {
  const { nodes, messages } = mappedOf(set)
  const operations = await startOperations(undefined, { stored: pipeline.stored })
  try {
    const workspace = await operations.workspace()
    const nodeOf = await addNodes(workspace, nodes, examples)
    const ids = await pipeline.put(
      workspace.id,
      messages.map(({ text }) => ({ title: '', text })),
    )
    // As soon as there are signals enough the service measures the nodes by them, and looks at each again.
    await anchorAgain(pipeline, workspace.id)
    const { repeats } = await readStored(pipeline, workspace.id)
    const { rows } = await pipeline.pool.query<{ readonly id: SignalId; readonly node_id: NodeId | null }>(ANCHORED, [
      workspace.id,
    ])
    const placeOf = new Map(rows.map(({ id, node_id }) => [id, node_id]))
    const originalOf = new Map(repeats.map(repeat => [repeat.id, repeat.of]))
    const anchored = ids.map(id => {
      const place = placeOf.get(originalOf.get(id) ?? id) ?? null
      return place === null ? null : (nodeOf.get(place) ?? null)
    })
    return figuresOf(
      nodes,
      messages.map((message, at) => ({ ...message, at: anchored[at] ?? null })),
    )
  } finally {
    await operations.embedded()
    await operations.worker.stop()
  }
}

const anchorAgain = async ({ database, embedder }: Pipeline, workspaceId: WorkspaceId): Promise<void> => {
  const { slice } = createReAnchorJob({ database, embedder, settleMs: 0 })
  for (let cursor: unknown = null, begun = false; !begun || cursor !== null; begun = true)
    cursor = (await slice({ jobId: newId<JobId>(), workspaceId, input: {}, cursor })).cursor
}

/** The set's nodes by the ids that they have in the workspace. */
const addNodes = async (
  workspace: Workspace,
  nodes: readonly AnchoringNode[],
  examples: number,
): Promise<ReadonlyMap<NodeId, string>> => {
  const nodeOf = new Map<NodeId, string>()
  for (const { id, name, description, examples: written } of nodes) {
    const { data } = await workspace.call('service_map', 'add_node', {
      name,
      description,
      examples: written.slice(0, examples),
    })
    nodeOf.set(data.id, id)
  }
  return nodeOf
}

/** A message, and the node that it was put at. */
export interface Anchored extends AnchoringMessage {
  readonly at: string | null
}

export const figuresOf = (
  nodes: readonly Pick<AnchoringNode, 'id' | 'language'>[],
  messages: readonly Anchored[],
): AnchoringFigures => {
  const languageOf = new Map(nodes.map(({ id, language }) => [id, language]))
  const own = messages.filter(({ node }) => node !== null)
  const isRight = ({ node, at }: Anchored): boolean => node !== null && node === at
  const isSame = ({ node, language }: Anchored): boolean => node !== null && languageOf.get(node) === language
  return {
    right: share(own.map(isRight)),
    wrong: share(own.map(message => message.at !== null && !isRight(message))),
    sameLanguage: share(own.filter(isSame).map(isRight)),
    otherLanguage: share(own.filter(message => !isSame(message)).map(isRight)),
    ofAnchored: share(messages.filter(({ at }) => at !== null).map(isRight)),
    strangers: share(messages.filter(({ node }) => node === null).map(({ at }) => at !== null)),
  }
}
