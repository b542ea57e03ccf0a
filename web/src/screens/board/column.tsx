import { ActionIcon, Anchor, Menu, Text, Title, Tooltip } from '@mantine/core'
import { IconArrowRight, IconDots, IconPinned } from '@tabler/icons-react'
import type { HTMLAttributes } from 'react'
import { Link } from 'react-router'
import type { SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { counted, language, t, word } from '../../language/messages.ts'
import { Initials } from '../../parts/badges.tsx'
import { priority } from '../../parts/formats.ts'
import { addressOfReference } from '../../parts/inline.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { Handle } from '../../parts/moving/movable.tsx'
import { LoadingState } from '../../parts/states.tsx'
import { PlacedBy } from '../solutions/solution-parts.tsx'
import classes from './columns.module.css'
import type { BoardCard, ColumnQuery } from './use-columns.ts'

interface Moving {
  readonly handleOf: (id: string) => HTMLAttributes<HTMLElement>
  readonly itemOf: (id: string) => HTMLAttributes<HTMLElement>
}

interface Props {
  readonly state: SolutionState
  readonly query: ColumnQuery
  readonly cards: readonly BoardCard[]
  readonly count: number
  /** What is moved, or was put here and is on its way. */
  readonly lifted: ReadonlySet<string>
  /** Whether what is lifted would be put here. */
  readonly isOver: boolean
  /** The state of what is lifted and may not come here from there; null while it may, and while nothing is lifted. */
  readonly closedFrom: string | null
  /** Null: the person may not move them. */
  readonly moving: Moving | null
  readonly onMove: (card: BoardCard, to: SolutionState) => void
  readonly onFocus: (id: string) => void
}

/** One state, with its Solutions in board order. */
export const Column = ({ state, query, cards, count, isOver, closedFrom, ...shown }: Props) => {
  const name = `column-${state.replace(' ', '-')}`
  return (
    <section className={classes.column} aria-labelledby={name} data-closed={closedFrom !== null || undefined}>
      <header className={classes.head}>
        <Title order={2} id={name}>
          {word(state)} <span className={classes.count}>{count.toLocaleString(language)}</span>
        </Title>
        {closedFrom !== null && (
          <Text size="xs" className={classes.reason ?? ''}>
            {t('Not from {state}', { state: word(closedFrom) })}
          </Text>
        )}
      </header>
      <ol className={classes.cards} aria-labelledby={name} data-list={state} data-over={isOver || undefined}>
        {query.first === undefined && (
          <li>
            <LoadingState rows={3} height={96} />
          </li>
        )}
        {cards.map(card => (
          <Card key={card.id} card={card} {...shown} />
        ))}
        {query.first !== undefined && cards.length === 0 && <li className={classes.none}>{t('Nothing.')}</li>}
      </ol>
      <MoreButton query={query} />
    </section>
  )
}

type CardProps = Pick<Props, 'lifted' | 'moving' | 'onMove' | 'onFocus'> & { readonly card: BoardCard }

/** A Solution with what places it, who looks after it, and the Decision by which it is where it is. */
const Card = ({ card, lifted, moving, onMove, onFocus }: CardProps) => {
  const { id, reference, title, manual_rank, score, actors, owner, transitions } = card
  const isMovable = moving !== null && transitions.length > 0
  return (
    <li
      className={classes.card}
      data-movable={id}
      data-lifted={lifted.has(id) || undefined}
      data-fixed={!isMovable || undefined}
      onFocus={() => onFocus(id)}
      {...(isMovable && moving.itemOf(id))}
    >
      <div className={classes.top}>
        {isMovable && (
          <Handle handle={moving.handleOf(id)} label={t('Move {reference}', { reference })} lifted={lifted.has(id)} />
        )}
        <Text span size="xs" ff="monospace" c="dimmed">
          {reference}
        </Text>
        {manual_rank !== null && (
          <Tooltip label={t('Manual rank {manual_rank}', { manual_rank })}>
            <IconPinned size={13} role="img" aria-label={t('Manual rank {manual_rank}', { manual_rank })} />
          </Tooltip>
        )}
        <span className={classes.end}>
          {owner !== null && <Initials name={owner.name} />}
          {isMovable && <CardMenu card={card} onMove={onMove} />}
        </span>
      </div>
      <Anchor
        component={Link}
        to={addressOfReference(reference) ?? '/app/board'}
        className={classes.title ?? ''}
        c="inherit"
        draggable={false}
        data-head
      >
        <bdi>{title}</bdi>
      </Anchor>
      <Text size="xs" c="dimmed">
        {t('Score {score}, {actors}', { score: priority(score), actors: counted(actors, 'actor') })}
      </Text>
      {card.decision && <PlacedBy decision={card.decision} />}
    </li>
  )
}

/** The moves that a Solution may make, for whoever does not drag. */
const CardMenu = ({ card, onMove }: Pick<Props, 'onMove'> & { readonly card: BoardCard }) => (
  <Menu position="bottom-end" width={220}>
    <Menu.Target>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={t('Change {reference}', { reference: card.reference })}
        data-chrome
      >
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      {card.transitions.map(({ to, made_by }) => (
        <Menu.Item key={to} leftSection={<IconArrowRight size={15} />} onClick={() => onMove(card, to)}>
          {made_by === 'handoff' ? t('{to}, by handing it off', { to: word(to) }) : t('Move to {to}', { to: word(to) })}
        </Menu.Item>
      ))}
    </Menu.Dropdown>
  </Menu>
)
