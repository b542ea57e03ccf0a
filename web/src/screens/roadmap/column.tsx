import { ActionIcon, Anchor, Menu, Text, Title } from '@mantine/core'
import { IconArrowRight, IconDots, IconX } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'
import { Link } from 'react-router'
import { ROADMAP_HORIZONS, type RoadmapHorizon } from '../../../../schemas/domain/vocabulary.ts'
import { language, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { addressOfReference } from '../../parts/inline.tsx'
import { lineAt, type MovableList, type Move } from '../../parts/moving/list-positions.ts'
import { Handle, type Movable, movableAttributes } from '../../parts/moving/movable.tsx'
import { Markdown } from '../solutions/markdown/markdown.tsx'
import { PlacedBy } from '../solutions/solution-parts.tsx'
import { HORIZONS, isOver, type OpenDialog, type RoadmapItem } from './horizons.ts'
import classes from './roadmap.module.css'

interface Props {
  readonly horizon: RoadmapHorizon
  readonly list: MovableList
  readonly items: ReadonlyMap<string, RoadmapItem>
  readonly move: Move | null
  /** The Solution that was dropped and is not decided yet. */
  readonly undecided: string | null
  /** Null: the person may not move them. */
  readonly handleOf: ((id: string) => HTMLAttributes<HTMLElement>) | null
  readonly itemOf: (id: string) => HTMLAttributes<HTMLElement>
  readonly onFocus: (id: string) => void
  /** Null: the person may not change the roadmap. */
  readonly onOpenDialog: ((dialog: OpenDialog) => void) | null
}

/** One horizon, with its Solutions in order. */
export const Column = ({ horizon, list, items, move, undecided, handleOf, itemOf, onFocus, onOpenDialog }: Props) => {
  const { title, about } = HORIZONS[horizon]
  return (
    <section className={classes.column} aria-labelledby={`horizon-${horizon}`}>
      <header className={classes.head}>
        <Title order={2} id={`horizon-${horizon}`}>
          {title} <span className={classes.count}>{list.items.length.toLocaleString(language)}</span>
        </Title>
        <Text size="xs" c="dimmed">
          {about}
        </Text>
      </header>
      <ol
        className={classes.cards}
        aria-labelledby={`horizon-${horizon}`}
        data-list={horizon}
        data-over={(list.items.length === 0 && move?.to.list === horizon) || undefined}
      >
        {list.items.map((id, position) => {
          const item = items.get(id)
          return item === undefined ? null : (
            <Card
              key={id}
              item={item}
              handle={isOver(item) ? null : (handleOf?.(id) ?? null)}
              whole={isOver(item) || handleOf === null ? null : itemOf(id)}
              lifted={move?.id === id}
              line={lineAt(move, list, position)}
              undecided={undecided === id}
              onFocus={() => onFocus(id)}
              onOpenDialog={onOpenDialog}
            />
          )
        })}
        {list.items.length === 0 && <li className={classes.none}>{t('Nothing.')}</li>}
      </ol>
    </section>
  )
}

interface CardProps extends Movable {
  readonly item: RoadmapItem
  /** Null: the person may not change the roadmap. */
  readonly onOpenDialog: ((dialog: OpenDialog) => void) | null
}

/** A Solution at its place, with the Decision that put it there. */
const Card = ({ item, handle, whole, onOpenDialog, ...movable }: CardProps) => {
  const { id, reference, title, text, state, decision } = item
  return (
    <li className={classes.card} {...whole} {...movableAttributes(id, movable)} data-over={isOver(item) || undefined}>
      <div className={classes.top}>
        {handle !== null && (
          <Handle handle={handle} label={t('Move {reference}', { reference })} lifted={movable.lifted} />
        )}
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
      {/* Paper is for outsiders, whom our Decisions do not concern. */}
      {decision && (
        <div data-chrome>
          <PlacedBy decision={decision} />
        </div>
      )}
    </li>
  )
}

interface CardMenuProps {
  readonly item: RoadmapItem
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** What may be done with a Solution of the roadmap. */
const CardMenu = ({ item, onOpenDialog }: CardMenuProps) => (
  <Menu position="bottom-end" width={200}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('Change {reference}', { reference: item.reference })}
        data-chrome
      >
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {!isOver(item) &&
        ROADMAP_HORIZONS.filter(horizon => horizon !== item.horizon).map(horizon => (
          <Menu.Item
            key={horizon}
            leftSection={<IconArrowRight size={15} />}
            onClick={() =>
              onOpenDialog({ what: 'move', item, to: { list: horizon, position: Number.POSITIVE_INFINITY } })
            }
          >
            {t('Move to {title}', { title: HORIZONS[horizon].title })}
          </Menu.Item>
        ))}
      <Menu.Item leftSection={<IconX size={15} />} onClick={() => onOpenDialog({ what: 'remove', item })}>
        {t('Remove')}
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
