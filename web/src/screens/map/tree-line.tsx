import { VisuallyHidden } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import type { KeyboardEvent } from 'react'
import { language, plural } from '../../language/messages.ts'
import { METRIC_TRENDS, metricTrendOf } from './metric-trend.ts'
import type { TreeRow } from './outline.ts'
import { type Rename, RenameField } from './rename-field.tsx'
import classes from './tree.module.css'

interface Props {
  readonly row: TreeRow
  /** Whether Tab leads to it. */
  readonly isReachable: boolean
  readonly isChosen: boolean
  readonly isRenaming: boolean
  readonly isDragged: boolean
  readonly isOver: boolean
  readonly canEdit: boolean
  readonly onKeyDown: (event: KeyboardEvent) => void
  readonly onActive: () => void
  readonly onChoose: () => void
  readonly onFold: () => void
  readonly onRename: Rename
  /** The field is left. */
  readonly onRenamed: () => void
  readonly onDrag: (dragging: boolean) => void
  readonly onOver: () => void
  readonly onDrop: () => void
}

/** A node in the tree, with its evidence and which way its metrics went. */
export const TreeLine = ({ row: { node, level, position, siblings, expanded }, isRenaming, ...of }: Props) => {
  const trend = metricTrendOf(node)
  const signals = node.subtree_signals.toLocaleString(language)
  return (
    <div
      role="treeitem"
      data-line={node.id}
      className={classes.row}
      // A property of the stylesheet’s own, which React’s types do not know.
      style={{ ['--level' as string]: level }}
      tabIndex={of.isReachable ? 0 : -1}
      aria-level={level}
      aria-posinset={position}
      aria-setsize={siblings}
      aria-selected={of.isChosen}
      {...(expanded !== null && { 'aria-expanded': expanded })}
      data-dragged={of.isDragged || undefined}
      data-over={of.isOver || undefined}
      draggable={of.canEdit && !isRenaming}
      onDragStart={event => {
        // Some browsers drag nothing that carries nothing.
        event.dataTransfer.setData('text/plain', node.name)
        of.onDrag(true)
      }}
      onDragEnd={() => of.onDrag(false)}
      onDragOver={event => {
        event.preventDefault()
        of.onOver()
      }}
      onDrop={event => {
        event.preventDefault()
        of.onDrop()
      }}
      onFocus={of.onActive}
      onClick={of.onChoose}
      onKeyDown={event => event.target === event.currentTarget && of.onKeyDown(event)}
    >
      {expanded === null ? (
        <span className={classes.twist} aria-hidden="true" />
      ) : (
        <button
          type="button"
          className={classes.twist}
          data-open={expanded || undefined}
          tabIndex={-1}
          aria-hidden="true"
          onClick={event => {
            event.stopPropagation()
            of.onFold()
          }}
        >
          <IconChevronRight size={14} />
        </button>
      )}
      {isRenaming ? (
        <RenameField node={node} onRename={of.onRename} onClose={of.onRenamed} />
      ) : (
        <bdi className={classes.name} title={node.name}>
          {node.name}
        </bdi>
      )}
      <span className={classes.sign} data-standing={trend} title={METRIC_TRENDS[trend].label} aria-hidden="true">
        {METRIC_TRENDS[trend].sign}
      </span>
      <span className={classes.count}>
        {signals}
        <VisuallyHidden>
          {' '}
          {plural(node.subtree_signals, 'signal', 'signals')}
          {trend !== 'none' && `, ${METRIC_TRENDS[trend].label}`}
        </VisuallyHidden>
      </span>
    </div>
  )
}
