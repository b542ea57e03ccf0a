import { Text, VisuallyHidden } from '@mantine/core'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import type { OutlinedNode } from './outline.ts'
import classes from './tree.module.css'
import { TreeLine } from './tree-line.tsx'
import { stepOf, type TreeRow } from './tree-rows.ts'

interface Props {
  readonly rows: readonly TreeRow[]
  /** The node that keys are about. */
  readonly active: string
  readonly chosen: string
  readonly renaming: string
  readonly canEdit: boolean
  readonly onActive: (id: string) => void
  readonly onChoose: (id: string) => void
  readonly onFold: (id: string, collapsed: boolean) => void
  /** Null as the name: never mind. */
  readonly onRenamed: (node: OutlinedNode, name: string | null) => void
  /** Null as the parent: to the top. */
  readonly onMoved: (id: string, parent: string | null) => void
}

/** The nodes as a tree: arrows move and fold, Enter opens, and a line dragged onto another goes below it. */
export const Tree = ({ rows, active, chosen, renaming, canEdit, onFold, onMoved, onActive, ...does }: Props) => {
  const tree = useRef<HTMLDivElement>(null)
  const [dragged, setDragged] = useState<string | null>(null)
  const [over, setOver] = useState<string | null>(null)
  const reachable = rows.some(({ node }) => node.id === active) ? active : (rows[0]?.node.id ?? '')

  const focus = (id: string) => tree.current?.querySelector<HTMLElement>(`[data-line="${CSS.escape(id)}"]`)?.focus()
  // The field that a node was renamed in is gone: the keyboard stays on the node.
  const renamed = useRef('')
  useEffect(() => {
    if (renaming === '' && renamed.current !== '') focus(renamed.current)
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
        aria-label="Nodes of the map"
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
            onRenamed={name => does.onRenamed(row.node, name)}
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
          <Text size="xs" c="dimmed" pl="sm">
            Drop here for the top level
          </Text>
        </div>
      )}
      <VisuallyHidden id="map-tree-keys">
        Arrows move and fold, Enter opens a node{canEdit && ', F2 renames, N adds below, M moves, Delete removes'}.
      </VisuallyHidden>
    </>
  )
}

/** What a line is dragged over when it is to go to the top; no node has this id. */
const TOP = 'top'
