import { Text, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from 'react'
import { t } from '../../language/messages.ts'
import { type KeyBinding, useKeys } from '../../shell/keys.ts'
import type { OpenDialog } from './map-dialogs.tsx'
import { type Branch, type OutlinedNode, rowsOf, stepOf, type TreeRow } from './outline.ts'
import type { Rename } from './rename-field.tsx'
import classes from './tree.module.css'
import { TreeLine } from './tree-line.tsx'
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
      does: t('Add a node below the one in the tree'),
      run: withCurrent(id => onOpenDialog({ what: 'add', id })),
    },
    { key: 'N', does: t('Add a node at the top'), run: () => onOpenDialog({ what: 'add', id: null }) },
    { key: 'F2', does: t('Rename the node in the tree'), run: withCurrent(setRenaming) },
    { key: 'm', does: t('Move the node in the tree'), run: withCurrent(id => onOpenDialog({ what: 'move', id })) },
    {
      key: 'Delete',
      does: t('Remove the node in the tree'),
      run: withCurrent(id => onOpenDialog({ what: 'remove', id })),
    },
  ]
  useKeys(canEdit ? keys.map(binding => ({ ...binding, list: '[role=tree]' })) : [])

  if (rows.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {t('No node has this name.')}
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
      onRename={changes.rename}
      onRenamed={() => setRenaming('')}
      onMoved={(id, parent) => {
        const node = nodes.get(id)
        if (node !== undefined && node.parent_id !== parent) changes.move(node, parent)
      }}
    />
  )
}

interface TreeProps {
  readonly rows: readonly TreeRow[]
  /** The node that keys are about. */
  readonly active: string
  readonly chosen: string
  readonly renaming: string
  readonly canEdit: boolean
  readonly onActive: (id: string) => void
  readonly onChoose: (id: string) => void
  readonly onFold: (id: string, collapsed: boolean) => void
  readonly onRename: (node: OutlinedNode, ...named: Parameters<Rename>) => Promise<boolean>
  readonly onRenamed: () => void
  /** Null as the parent: to the top. */
  readonly onMoved: (id: string, parent: string | null) => void
}

/** The nodes as a tree: arrows move and fold, Enter opens, and a line dragged onto another goes below it. */
const Tree = ({ rows, active, chosen, renaming, canEdit, onFold, onMoved, onActive, ...does }: TreeProps) => {
  const tree = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const reachable = rows.some(({ node }) => node.id === active) ? active : (rows[0]?.node.id ?? '')

  const focus = (id: string) => tree.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`)?.focus()
  // The field that a node was renamed in is gone: the keyboard stays on the node, or where it has gone since.
  const renamed = useRef('')
  useEffect(() => {
    const isElsewhere = tree.current?.contains(document.activeElement) === true
    if (renaming === '' && renamed.current !== '' && !isElsewhere) focus(renamed.current)
    renamed.current = renaming
  })

  const press = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const step = stepOf(rows, reachable, event.key)
    if (event.key === 'Enter' || event.key === ' ') does.onChoose(reachable)
    else if (step?.kind === 'go') focus(step.id)
    else if (step !== null) onFold(step.id, step.kind === 'collapse')
    else return
    event.preventDefault()
  }
  const drop = (parent: string | null) => {
    if (dragged !== null && dragged !== parent) onMoved(dragged, parent)
    setDragged(null)
    setOver(null)
  }
  return (
    <>
      <div
        ref={tree}
        role="tree"
        aria-label={t('Nodes of the map')}
        aria-describedby="map-tree-keys"
        className={classes.tree}
      >
        {rows.map(row => (
          <TreeLine
            key={row.node.id}
            row={row}
            isReachable={row.node.id === reachable}
            isChosen={row.node.id === chosen}
            isRenaming={row.node.id === renaming}
            isDragged={row.node.id === dragged}
            isOver={row.node.id === over}
            canEdit={canEdit}
            onKeyDown={press}
            onActive={() => onActive(row.node.id)}
            onChoose={() => does.onChoose(row.node.id)}
            onFold={() => onFold(row.node.id, row.expanded === true)}
            onRename={(...named) => does.onRename(row.node, ...named)}
            onRenamed={does.onRenamed}
            onDrag={dragging => setDragged(dragging ? row.node.id : null)}
            onOver={() => setOver(row.node.id)}
            onDrop={() => drop(row.node.id)}
          />
        ))}
      </div>
      {dragged !== null && (
        // biome-ignore lint/a11y/noStaticElementInteractions: a place to drop on; by keyboard, m moves
        <div
          className={classes.row}
          data-over={over === TOP || undefined}
          onDragOver={event => {
            event.preventDefault()
            setOver(TOP)
          }}
          onDrop={event => {
            event.preventDefault()
            drop(null)
          }}
        >
          <Text size="xs" c="dimmed" ps="sm">
            {t('Drop here for the top level')}
          </Text>
        </div>
      )}
      <VisuallyHidden id="map-tree-keys">
        {canEdit
          ? t('Arrows move and fold, Enter opens a node, F2 renames, N adds below, M moves, Delete removes.')
          : t('Arrows move and fold, Enter opens a node.')}
      </VisuallyHidden>
    </>
  )
}

/** What a line is dragged over when it is to go to the top; no node has this id. */
const TOP = 'top'
