import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { Handle } from '../../parts/moving/handle.tsx'
import { type Movable, movableAttributes } from '../../parts/moving/movable.ts'
import { addressOfReference, Reference } from '../../parts/reference.tsx'
import { StateBadge } from '../../parts/state-badge.tsx'
import { When } from '../../parts/when.tsx'
import { ByLine } from '../solutions/by-line.tsx'
import { Markdown } from '../solutions/markdown/markdown.tsx'
import { CardMenu } from './card-menu.tsx'
import { isOver, type RoadmapItem } from './horizons.ts'
import type { OpenDialog } from './open-dialog.ts'
import classes from './roadmap.module.css'

interface Props extends Movable {
  readonly item: RoadmapItem
  /** Null: it may not be moved. */
  /** Null: the person may not change the roadmap. */
  readonly onOpenDialog: ((dialog: OpenDialog) => void) | null
}

/** A Solution at its place, with the Decision that put it there. */
export const Card = ({ item, handle, onOpenDialog, ...movable }: Props) => {
  const { id, reference, title, text, state, decision } = item
  return (
    <li className={classes.card} {...movableAttributes(id, movable)} data-over={isOver(item) || undefined}>
      <div className={classes.top}>
        {handle !== null && <Handle handle={handle} label={`Move ${reference}`} lifted={movable.lifted} />}
        <Text span size="xs" ff="monospace" c="dimmed">
          {reference}
        </Text>
        <span className={classes.state}>
          <StateBadge state={state} />
        </span>
        {onOpenDialog !== null && <CardMenu item={item} onOpenDialog={onOpenDialog} />}
      </div>
      <Anchor
        component={Link}
        to={addressOfReference(reference) ?? '/app/board'}
        className={classes.title ?? ''}
        c="inherit"
        data-head
      >
        <bdi>{title}</bdi>
      </Anchor>
      {text !== '' && (
        <div className={classes.summary}>
          <Markdown text={text} />
        </div>
      )}
      {decision && (
        <footer className={classes.decision}>
          <bdi className={classes.statement} title={decision.text}>
            {decision.text}
          </bdi>
          <div className={classes.by}>
            <Reference of={decision.reference} />
            <ByLine name={decision.made_by} label={decision.key_label} />
            <When at={decision.made_at} />
          </div>
        </footer>
      )}
    </li>
  )
}
