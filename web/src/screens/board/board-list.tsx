import { Anchor, Group, Text, Tooltip, UnstyledButton, VisuallyHidden } from '@mantine/core'
import { IconPinned } from '@tabler/icons-react'
import { Fragment, useRef } from 'react'
import { Link } from 'react-router'
import type { Output } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { Initials, StateBadge } from '../../parts/badges.tsx'
import { boost, priority } from '../../parts/formats.ts'
import { addressOfReference } from '../../parts/inline.tsx'
import { lineAt } from '../../parts/moving/list-positions.ts'
import { Handle, type Movable, MovingHelp, movableAttributes } from '../../parts/moving/movable.tsx'
import { useMoving } from '../../parts/moving/use-moving.ts'
import classes from './board.module.css'
import { moved } from './plan-drop.ts'

/** A Solution that is put somewhere else on the board. */
export interface Move {
  readonly id: string
  readonly from: number
  /** Its place among the others. */
  readonly to: number
}

interface Props {
  readonly items: readonly BoardItem[]
  readonly canEdit: boolean
  /** Dropped, and not decided yet: it is shown where it is to stand. */
  readonly undecided: Move | null
  readonly onDrop: (move: Move) => void
  readonly onFocus: (id: string) => void
  readonly onWhy: (item: BoardItem) => void
  readonly onBoost: (item: BoardItem) => void
}

/** The Solutions in board order: first those that people ranked, then the others by their evidence. */
export const BoardList = ({ items, canEdit, undecided, onDrop, onFocus, onWhy, onBoost }: Props) => {
  const list = useRef<HTMLTableElement>(null)
  const board = { id: 'board', items: items.map(({ id }) => id) }
  const { move, isLeft, handleOf, itemOf } = useMoving({
    lists: [board],
    root: list,
    onDrop: ({ id, from, to }) => onDrop({ id, from: from.position, to: to.position }),
  })
  const shown = undecided === null ? items : moved(items, undecided.from, undecided.to)
  const highest = Math.max(...items.map(({ score = 0 }) => score))
  const firstByEvidence = shown.findIndex(({ manual_rank }) => manual_rank === null)
  return (
    <>
      <table className={classes.board} ref={list} aria-label={t('Board')} data-moving={move !== null || undefined}>
        <Head canEdit={canEdit} />
        <tbody data-list={board.id}>
          {shown.map((item, position) => (
            <Fragment key={item.id}>
              {position === firstByEvidence && undecided === null && <Division after={position} />}
              <BoardRow
                item={item}
                position={position + 1}
                highest={highest}
                handle={canEdit ? handleOf(item.id) : null}
                whole={canEdit ? itemOf(item.id) : null}
                lifted={move?.id === item.id}
                line={lineAt(move, board, position)}
                undecided={undecided?.id === item.id}
                onFocus={() => onFocus(item.id)}
                onWhy={() => onWhy(item)}
                onBoost={canEdit ? () => onBoost(item) : null}
              />
            </Fragment>
          ))}
        </tbody>
      </table>
      <MovingHelp
        isLeft={isLeft}
        place={
          move &&
          t('{reference}: place {number} of {items}.', {
            reference: items[move.from.position]?.reference,
            number: move.to.position + 1,
            items: items.length,
          })
        }
      />
    </>
  )
}

const Head = ({ canEdit }: { readonly canEdit: boolean }) => (
  <thead>
    <tr>
      <th scope="col" className={classes.handleCell}>
        <VisuallyHidden>{canEdit ? t('Move') : t('Cannot be moved')}</VisuallyHidden>
      </th>
      <th scope="col" className={classes.position}>
        {t('Position')}
      </th>
      <th scope="col">{t('Solution')}</th>
      <th scope="col" className={classes.state} data-yields="3">
        {t('State')}
      </th>
      <th scope="col" className={classes.number} data-yields="1">
        {t('Actors')}
      </th>
      <th scope="col" className={classes.number} data-yields="2">
        {t('Evidence')}
      </th>
      <th scope="col" className={classes.number} data-yields="2">
        {t('Boost')}
      </th>
      <th scope="col" className={classes.score}>
        {t('Score')}
      </th>
    </tr>
  </thead>
)

/** So many columns are always there: a line over more would make room for those that are not. */
const ALWAYS_THERE = 3

/** Where what people ranked ends, if anything is, and what orders the rest. */
const Division = ({ after }: { readonly after: number }) =>
  after === 0 ? null : (
    <tr className={classes.division}>
      <th scope="rowgroup" colSpan={ALWAYS_THERE}>
        {t('Below: ordered by evidence × boost')}
      </th>
    </tr>
  )

export type BoardItem = Output<'lookup_backlog'>['items'][number]

interface BoardRowProps extends Movable {
  readonly item: BoardItem
  readonly position: number
  /** The highest score shown, which the bars are measured against. */
  readonly highest: number
  readonly onWhy: () => void
  /** Null: the person may not change it. */
  readonly onBoost: (() => void) | null
}

/** One Solution at its place. */
const BoardRow = ({ item, position, highest, handle, whole, onWhy, onBoost, ...movable }: BoardRowProps) => {
  const { id, reference, title, state, owner, manual_rank, priority_boost } = item
  const { score = 0, evidence_priority, actors = 0 } = item
  return (
    <tr className={classes.row} {...whole} {...movableAttributes(id, movable)}>
      <td className={classes.handleCell}>
        {handle !== null && (
          <Handle handle={handle} label={t('Move {reference}', { reference })} lifted={movable.lifted} />
        )}
      </td>
      <td className={classes.position}>
        {manual_rank === null ? (
          position
        ) : (
          <Tooltip label={t('Manual rank {manual_rank}', { manual_rank })}>
            <span className={classes.ranked}>
              <IconPinned size={13} aria-label={t('Manual rank')} role="img" />
              {position}
            </span>
          </Tooltip>
        )}
      </td>
      <td className={classes.title}>
        <Group gap="sm" wrap="nowrap">
          <Anchor
            component={Link}
            to={addressOfReference(reference) ?? '/app/board'}
            data-head
            className={classes.link ?? ''}
            miw={0}
            underline="never"
            c="inherit"
          >
            <span className={classes.reference}>{reference}</span>
            <bdi title={title}>{title}</bdi>
          </Anchor>
          {owner != null && <Initials name={owner.name} />}
        </Group>
      </td>
      <td className={classes.state} data-yields="3">
        <StateBadge state={state} />
      </td>
      <td className={classes.number} data-yields="1">
        {actors.toLocaleString(language)}
      </td>
      <td className={classes.number} data-yields="2">
        {priority(evidence_priority)}
      </td>
      <td className={classes.number} data-yields="2">
        {onBoost === null ? (
          <BoostFigure value={priority_boost} />
        ) : (
          <UnstyledButton
            fz="inherit"
            onClick={onBoost}
            aria-label={t('Boost {reference}, {priority_boost}', { reference, priority_boost: boost(priority_boost) })}
          >
            <BoostFigure value={priority_boost} />
          </UnstyledButton>
        )}
      </td>
      <td className={classes.score}>
        <UnstyledButton
          className={classes.why}
          onClick={onWhy}
          aria-label={t('Why {reference} is here, score {score}', { reference, score: priority(score) })}
        >
          <span className={classes.bar} data-yields="2">
            <span style={{ width: `${highest === 0 ? 0 : (score / highest) * 100}%` }} />
          </span>
          <span>{priority(score)}</span>
        </UnstyledButton>
      </td>
    </tr>
  )
}

const BoostFigure = ({ value }: { readonly value: number }) => (
  <Text span fz="inherit" c={value === 1 ? 'dimmed' : 'var(--mantine-color-anchor)'} fw={value === 1 ? 400 : 600}>
    {boost(value)}
  </Text>
)
