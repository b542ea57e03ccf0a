import { Anchor, Group, Text, Tooltip, UnstyledButton } from '@mantine/core'
import { IconPinned } from '@tabler/icons-react'
import { Link } from 'react-router'
import type { Output } from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { StateBadge } from '../../parts/badges.tsx'
import { Initials } from '../../parts/discussion/owners.tsx'
import { boost, priority } from '../../parts/formats.ts'
import { addressOfReference } from '../../parts/inline.tsx'
import { Handle, type Movable, movableAttributes } from '../../parts/moving/movable.tsx'
import classes from './board.module.css'

export type BoardItem = Output<'lookup_backlog'>['items'][number]

interface Props extends Movable {
  readonly item: BoardItem
  readonly position: number
  /** The highest score shown, which the bars are measured against. */
  readonly highest: number
  readonly onWhy: () => void
  /** Null: the person may not change it. */
  readonly onBoost: (() => void) | null
}

/** One Solution at its place. */
export const BoardRow = ({ item, position, highest, handle, whole, onWhy, onBoost, ...movable }: Props) => {
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
      <td className={classes.state}>
        <StateBadge state={state} />
      </td>
      <td className={classes.number} data-wide>
        {actors.toLocaleString(language)}
      </td>
      <td className={classes.number} data-wide>
        {priority(evidence_priority)}
      </td>
      <td className={classes.number} data-wide>
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
          <span className={classes.bar}>
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
