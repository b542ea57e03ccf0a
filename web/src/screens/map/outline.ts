import type { Output } from '../../api/client.ts'

export type OutlinedNode = Output<'outline_map'>['items'][number]

/** A node with the nodes right below it, by name. */
export interface Branch {
  readonly node: OutlinedNode
  readonly children: readonly Branch[]
}

/** The map as trees. A node whose parent is not there is a root, so that nothing is lost. */
export const branchesOf = (nodes: readonly OutlinedNode[]): readonly Branch[] => {
  const branches = new Map(nodes.map(node => [node.id, { node, children: [] as Branch[] }]))
  const roots: Branch[] = []
  for (const branch of branches.values()) {
    const parent = branch.node.parent_id === null ? undefined : branches.get(branch.node.parent_id)
    ;(parent?.children ?? roots).push(branch)
  }
  return roots
}

/** The branch of a node, wherever it is; null for an id that is not on the map. */
export const findBranch = (branches: readonly Branch[], id: string): Branch | null => {
  for (const branch of branches) {
    const found = branch.node.id === id ? branch : findBranch(branch.children, id)
    if (found !== null) return found
  }
  return null
}

/** The ids of a branch: its node’s, and those of all below. */
export const idsOf = ({ node, children }: Branch): readonly string[] => [node.id, ...children.flatMap(idsOf)]

/** The nodes from a root to the one itself; empty for an id that is not on the map. */
export const lineTo = (nodes: ReadonlyMap<string, OutlinedNode>, id: string): readonly OutlinedNode[] => {
  const line: OutlinedNode[] = []
  for (
    let node = nodes.get(id);
    node !== undefined;
    node = node.parent_id === null ? undefined : nodes.get(node.parent_id)
  )
    line.unshift(node)
  return line
}

/** The names from a root to the node: `Billing / Invoices`. */
export const pathTo = (nodes: ReadonlyMap<string, OutlinedNode>, id: string): string =>
  lineTo(nodes, id)
    .map(({ name }) => name)
    .join(' / ')
