import { Button, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import { Handle } from '../../parts/moving/handle.tsx'
import { type Movable, movableAttributes } from '../../parts/moving/movable.ts'
import { Markdown } from '../solutions/markdown/markdown.tsx'
import { ElementMenu } from './element-menu.tsx'
import { type Element, named } from './layers.ts'
import { LinkedList } from './linked-list.tsx'
import type { OpenDialog } from './open-dialog.ts'
import classes from './strategy.module.css'

interface Props extends Movable {
  readonly element: Element
  /** Null: the person may not change it. */
  readonly onOpenDialog: ((dialog: OpenDialog) => void) | null
}

/** A vision, objective or bet, with what is linked to it. */
export const ElementItem = ({ element, handle, onOpenDialog, ...movable }: Props) => {
  const { id, title, text } = element
  const isLinked = element.claim_count + element.solution_count > 0
  return (
    <li className={classes.element} {...movableAttributes(id, movable)}>
      {handle !== null && <Handle handle={handle} label={`Move ${named(element)}`} lifted={movable.lifted} />}
      <div className={classes.text}>
        <Title order={3} size="h3" tabIndex={-1} data-head>
          <bdi>{title}</bdi>
        </Title>
        {text !== '' && <Markdown text={text} />}
      </div>
      <div className={classes.linked}>
        <LinkedList
          type="claim"
          items={element.claims}
          count={element.claim_count}
          onUnlink={onOpenDialog && (linked => onOpenDialog({ what: 'unlink', element, linked }))}
        />
        <LinkedList
          type="solution"
          items={element.solutions}
          count={element.solution_count}
          onUnlink={onOpenDialog && (linked => onOpenDialog({ what: 'unlink', element, linked }))}
        />
        {onOpenDialog !== null && (
          <Button
            className={classes.link}
            size="compact-xs"
            variant="subtle"
            color={isLinked ? 'gray' : 'accent'}
            leftSection={<IconLink size={13} />}
            aria-label={`Link to ${named(element)}`}
            onClick={() => onOpenDialog({ what: 'link', element })}
            data-chrome
          >
            Link
          </Button>
        )}
      </div>
      {onOpenDialog !== null && <ElementMenu element={element} onOpenDialog={onOpenDialog} />}
    </li>
  )
}
