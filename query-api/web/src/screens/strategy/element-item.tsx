import { Button, Title } from '@mantine/core'
import { IconLink } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'
import { Handle } from '../../parts/moving/handle.tsx'
import { Markdown } from '../solutions/markdown/markdown.tsx'
import type { Asked } from './asked.ts'
import { ElementMenu } from './element-menu.tsx'
import { type Element, named } from './layers.ts'
import { LinkedList } from './linked-list.tsx'
import classes from './strategy.module.css'

interface Props {
  readonly element: Element
  /** Null: the person may not move it. */
  readonly handle: HTMLAttributes<HTMLElement> | null
  readonly lifted: boolean
  readonly line: 'above' | 'below' | null
  readonly undecided: boolean
  readonly onFocus: () => void
  /** Null: the person may not change it. */
  readonly onAsk: ((asked: Asked) => void) | null
}

/** A vision, objective or bet, with what is linked to it. */
export const ElementItem = ({ element, handle, lifted, line, undecided, onFocus, onAsk }: Props) => {
  const { id, title, text } = element
  const isLinked = element.claim_count + element.solution_count > 0
  return (
    <li
      className={classes.element}
      data-movable={id}
      data-lifted={lifted || undefined}
      data-line={line ?? undefined}
      data-undecided={undecided || undefined}
      onFocus={onFocus}
    >
      {handle !== null && <Handle handle={handle} label={`Move ${named(element)}`} lifted={lifted} />}
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
          onUnlink={onAsk && (linked => onAsk({ what: 'unlink', element, linked }))}
        />
        <LinkedList
          type="solution"
          items={element.solutions}
          count={element.solution_count}
          onUnlink={onAsk && (linked => onAsk({ what: 'unlink', element, linked }))}
        />
        {onAsk !== null && (
          <Button
            className={classes.link}
            size="compact-xs"
            variant="subtle"
            color={isLinked ? 'gray' : 'accent'}
            leftSection={<IconLink size={13} />}
            aria-label={`Link to ${named(element)}`}
            onClick={() => onAsk({ what: 'link', element })}
            data-chrome
          >
            Link
          </Button>
        )}
      </div>
      {onAsk !== null && <ElementMenu element={element} onAsk={onAsk} />}
    </li>
  )
}
