import { Text } from '@mantine/core'
import { useMemo, useState } from 'react'
import { type KeyBinding, useKeys } from '../../shell/keys.ts'
import type { OpenDialog } from './map-dialogs.tsx'
import type { Branch, OutlinedNode } from './outline.ts'
import { Tree } from './tree.tsx'
import { rowsOf } from './tree-rows.ts'
import { useMapChanges } from './use-map-changes.ts'

/** Above so many nodes the tree begins with its roots alone. */
const FITS = 80

interface Props {
  readonly branches: readonly Branch[]
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly find: string
  readonly chosen: string
  readonly canEdit: boolean
  readonly onChoose: (id: string) => void
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** The tree beside the picture, with what is folded, what the keyboard is on, and its keys. */
export const MapTree = ({ branches, nodes, find, chosen, canEdit, onChoose, onOpenDialog }: Props) => {
  const [collapsed, setCollapsed] = useState<ReadonlySet<string>>(() => new Set(nodes.size > FITS ? nodes.keys() : []))
  const [active, setActive] = useState('')
  const [renaming, setRenaming] = useState('')
  const changes = useMapChanges()
  const rows = useMemo(() => rowsOf(branches, collapsed, find), [branches, collapsed, find])
  const current = nodes.get(active) ?? rows[0]?.node

  const fold = (id: string, folded: boolean) => {
    const next = new Set(collapsed)
    if (folded) next.add(id)
    else next.delete(id)
    setCollapsed(next)
  }
  const withCurrent = (run: (id: string) => void) => () => {
    if (current !== undefined) run(current.id)
  }
  const keys: readonly KeyBinding[] = [
    {
      key: 'n',
      does: 'Add a node below the one in the tree',
      run: withCurrent(id => onOpenDialog({ what: 'add', id })),
    },
    { key: 'N', does: 'Add a node at the top', run: () => onOpenDialog({ what: 'add', id: null }) },
    { key: 'F2', does: 'Rename the node in the tree', run: withCurrent(setRenaming) },
    { key: 'm', does: 'Move the node in the tree', run: withCurrent(id => onOpenDialog({ what: 'move', id })) },
    {
      key: 'Delete',
      does: 'Remove the node in the tree',
      run: withCurrent(id => onOpenDialog({ what: 'remove', id })),
    },
  ]
  useKeys(canEdit ? keys : [])

  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        No node is named so.
      </Text>
    )
  }
  return (
    <Tree
      rows={rows}
      active={active}
      chosen={chosen}
      renaming={renaming}
      canEdit={canEdit}
      onActive={setActive}
      onChoose={onChoose}
      onFold={fold}
      onRenamed={(node, name) => {
        setRenaming('')
        if (name !== null) changes.rename(node, name)
      }}
      onMoved={(id, parent) => {
        const node = nodes.get(id)
        if (node !== undefined && node.parent_id !== parent) changes.move(node, parent)
      }}
    />
  )
}
