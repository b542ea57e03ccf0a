import type { Output } from '../../api/operations.ts'

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

/** A line of the tree. */
export interface TreeRow {
  readonly node: OutlinedNode
  /** From 1, as assistive technology counts. */
  readonly level: number
  /** Its place among its siblings, from 1, and how many there are. */
  readonly position: number
  readonly siblings: number
  /** Null for a node with nothing below. */
  readonly expanded: boolean | null
}

/** The lines that are seen. A search shows what it finds with all that is above it, whatever was collapsed. */
export const rowsOf = (
  branches: readonly Branch[],
  collapsed: ReadonlySet<string>,
  search = '',
): readonly TreeRow[] => {
  const wanted = search.trim().toLowerCase()
  return wanted === '' ? linesOf(branches, collapsed, 1) : linesOf(foundIn(branches, wanted), new Set(), 1)
}

const linesOf = (branches: readonly Branch[], collapsed: ReadonlySet<string>, level: number): readonly TreeRow[] =>
  branches.flatMap(({ node, children }, index) => {
    const expanded = children.length === 0 ? null : !collapsed.has(node.id)
    const row = { node, level, position: index + 1, siblings: branches.length, expanded }
    return expanded === true ? [row, ...linesOf(children, collapsed, level + 1)] : [row]
  })

const foundIn = (branches: readonly Branch[], wanted: string): readonly Branch[] =>
  branches.flatMap(({ node, children }) => {
    const below = foundIn(children, wanted)
    return below.length > 0 || node.name.toLowerCase().includes(wanted) ? [{ node, children: below }] : []
  })

/** What a key does in a tree: goes to a line, or shows or hides what is below one. */
type TreeStep =
  | { readonly kind: 'go'; readonly id: string }
  | { readonly kind: 'expand' | 'collapse'; readonly id: string }

/**
 * What a key does on the line of a node, as trees are worked by keyboard (WAI-ARIA); null for keys that do nothing
 * here.
 */
export const stepOf = (rows: readonly TreeRow[], active: string, key: string): TreeStep | null => {
  const at = rows.findIndex(({ node }) => node.id === active)
  const row = rows[at]
  if (row === undefined) return null
  const go = (target: TreeRow | undefined): TreeStep | null =>
    target === undefined ? null : { kind: 'go', id: target.node.id }
  switch (key) {
    case 'ArrowDown':
      return go(rows[at + 1])
    case 'ArrowUp':
      return go(rows[at - 1])
    case 'Home':
      return go(rows[0])
    case 'End':
      return go(rows.at(-1))
    case 'ArrowRight':
      return row.expanded === false ? { kind: 'expand', id: active } : row.expanded ? go(rows[at + 1]) : null
    case 'ArrowLeft':
      return row.expanded === true
        ? { kind: 'collapse', id: active }
        : go(rows.slice(0, at).findLast(({ level }) => level < row.level))
    default:
      return null
  }
}
