import { ActionIcon, Button, Menu, Text, Title, Tooltip } from '@mantine/core'
import { IconArrowRight, IconDots, IconEdit, IconLink, IconTrash, IconX } from '@tabler/icons-react'
import { type ClaimState, type SolutionState, STRATEGY_LAYERS } from '../../../../schemas/domain/vocabulary.ts'
import { language, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Reference } from '../../parts/inline.tsx'
import { Handle, type Movable, movableAttributes } from '../../parts/moving/movable.tsx'
import { Markdown } from '../solutions/markdown/markdown.tsx'
import { type Element, LAYERS, type Linked, named, type OpenDialog } from './layers.ts'
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
      {handle !== null && (
        <Handle handle={handle} label={t('Move {element}', { element: named(element) })} lifted={movable.lifted} />
      )}
      <div className={classes.text}>
        <Title order={3} size="h3" tabIndex={-1} data-head>
          <bdi>{title}</bdi>
        </Title>
        {text !== '' && <Markdown text={text} />}
      </div>
      <div className={classes.linked}>
        <LinkedList
          type="claim"
          of={element}
          items={element.claims}
          count={element.claim_count}
          onUnlink={onOpenDialog && (linked => onOpenDialog({ what: 'unlink', element, linked }))}
        />
        <LinkedList
          type="solution"
          of={element}
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
            aria-label={t('Link to {element}', { element: named(element) })}
            onClick={() => onOpenDialog({ what: 'link', element })}
            data-chrome
          >
            {t('Link')}
          </Button>
        )}
      </div>
      {onOpenDialog !== null && <ElementMenu element={element} onOpenDialog={onOpenDialog} />}
    </li>
  )
}

interface ElementMenuProps {
  readonly element: Element
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** What may be done with an element. */
const ElementMenu = ({ element, onOpenDialog }: ElementMenuProps) => (
  <Menu position="bottom-end" width={220}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('Change {element}', { element: named(element) })}
        data-chrome
      >
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => onOpenDialog({ what: 'edit', element })}>
        {t('Edit')}
      </Menu.Item>
      <Menu.Item leftSection={<IconLink size={15} />} onClick={() => onOpenDialog({ what: 'link', element })}>
        {t('Link claims and Solutions')}
      </Menu.Item>
      {STRATEGY_LAYERS.filter(layer => layer !== element.layer).map(layer => (
        <Menu.Item
          key={layer}
          leftSection={<IconArrowRight size={15} />}
          onClick={() =>
            onOpenDialog({ what: 'move', element, to: { list: layer, position: Number.POSITIVE_INFINITY } })
          }
        >
          {t('Make it {one}', { one: LAYERS[layer].one })}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => onOpenDialog({ what: 'remove', element })}>
        {t('Remove')}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)

interface Item {
  readonly id: string
  readonly reference: string
  readonly title: string
  readonly state: ClaimState | SolutionState
}

interface LinkedListProps {
  readonly type: 'claim' | 'solution'
  readonly of: Element
  /** The first of them. */
  readonly items: readonly Item[]
  /** How many there are. */
  readonly count: number
  /** Null: the person may not unlink them. */
  readonly onUnlink: ((linked: Linked) => void) | null
}

const LABELS = { claim: t('Claims linked'), solution: t('Solutions linked') }

/** The claims or the Solutions that an element is linked with. */
const LinkedList = ({ type, of, items, count, onUnlink }: LinkedListProps) =>
  count === 0 ? null : (
    <>
      <ul className={classes.links} aria-label={LABELS[type]}>
        {items.map(({ id, reference, title, state }) => (
          <li key={id}>
            <Reference of={reference} />
            <bdi title={title}>{title}</bdi>
            <StateBadge state={state} />
            {onUnlink !== null && (
              <Tooltip label={t('Unlink')}>
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  size="sm"
                  aria-label={t('Unlink {reference} from {element}', { reference, element: named(of) })}
                  onClick={() => onUnlink({ type, reference, title })}
                  data-chrome
                >
                  <IconX size={14} />
                </ActionIcon>
              </Tooltip>
            )}
          </li>
        ))}
      </ul>
      {items.length < count && (
        <Text size="xs" c="dimmed">
          {t('And {number} more.', { number: (count - items.length).toLocaleString(language) })}
        </Text>
      )}
    </>
  )
