import { AddNode } from './add-node.tsx'
import { MoveNode } from './move-node.tsx'
import { type Branch, findBranch, type OutlinedNode } from './outline.ts'
import { RemoveNode } from './remove-node.tsx'
import { useMapChanges } from './use-map-changes.ts'

/** What somebody wants to do with a node; `add` is below it, or at the top for null. */
export type OpenDialog =
  | { readonly what: 'add'; readonly id: string | null }
  | { readonly what: 'move' | 'remove'; readonly id: string }

interface Props {
  readonly dialog: OpenDialog | null
  readonly branches: readonly Branch[]
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly onClose: () => void
  readonly onAdded: (id: string) => void
  readonly onRemoved: () => void
}

/** The one dialog that is open, if any. */
export const MapDialogs = ({ dialog, branches, nodes, onClose, onAdded, onRemoved }: Props) => {
  const changes = useMapChanges()
  if (dialog === null) return null
  if (dialog.what === 'add') {
    const added = (id: string) => {
      onClose()
      onAdded(id)
    }
    return <AddNode nodes={nodes} below={dialog.id} onAdded={added} onClose={onClose} />
  }
  const branch = findBranch(branches, dialog.id)
  if (branch === null) return null
  if (dialog.what === 'move') {
    const move = (parent: string | null) => {
      onClose()
      changes.move(branch.node, parent)
    }
    return <MoveNode branch={branch} nodes={nodes} onMove={move} onClose={onClose} />
  }
  const removed = () => {
    onClose()
    onRemoved()
  }
  return <RemoveNode branch={branch} nodes={nodes} onRemoved={removed} onClose={onClose} />
}
