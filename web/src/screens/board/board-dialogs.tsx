import { Text } from '@mantine/core'
import { useRef } from 'react'
import { plural, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { BoostDialog, ScoreExplanation } from '../solutions/later-dialogs.tsx'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import type { BoardItem, Move } from './board-list.tsx'
import { type Drop, planDrop } from './plan-drop.ts'

/** What is open above the board: at most one. */
export type OpenDialog =
  | { readonly what: 'why' | 'boost' | 'unrank'; readonly item: BoardItem }
  | { readonly what: 'rank'; readonly move: Move }

interface Props {
  readonly dialog: OpenDialog | null
  readonly items: readonly BoardItem[]
  readonly onClose: () => void
}

/** The one dialog that is open, if any. */
export const BoardDialogs = ({ dialog, items, onClose }: Props) => {
  const why = dialog?.what === 'why' ? dialog.item : null
  const position = items.findIndex(({ id }) => id === why?.id)
  return (
    <>
      <ScoreExplanation
        of={why?.reference ?? null}
        above={position > 0 ? items[position - 1] : undefined}
        below={position >= 0 ? items[position + 1] : undefined}
        onClose={onClose}
      />
      {dialog?.what === 'boost' && <BoostDialog of={dialog.item} onClose={onClose} />}
      {dialog?.what === 'unrank' && <UnrankDialog of={dialog.item} onClose={onClose} />}
      {dialog?.what === 'rank' && <Ranking move={dialog.move} items={items} onClose={onClose} />}
    </>
  )
}

const Ranking = ({ move, items, onClose }: Pick<Props, 'items' | 'onClose'> & { readonly move: Move }) => {
  const item = items[move.from]
  const planned = planDrop(items, move.from, move.to)
  const kept = useRef(planned)
  // Once it is done it stands there, and there is nothing more to plan; the dialog is still to say so.
  if (planned !== null) kept.current = planned
  const drop = kept.current
  return item === undefined || drop === null ? null : (
    <RankDialog item={item} position={move.to + 1} drop={drop} onClose={onClose} />
  )
}

interface RankDialogProps {
  readonly item: BoardItem
  /** Its place as it is to be, from 1. */
  readonly position: number
  readonly drop: Drop<BoardItem>
  readonly onClose: () => void
}

/** Asks for the Decision that puts a Solution where it was dropped. */
const RankDialog = ({ item, position, drop, onClose }: RankDialogProps) => {
  const { reference, title } = item
  const form = useForm({
    name: `rank ${reference}`,
    labels: { rank: t('Rank') },
    now: { version: item.version, values: { rank: item.manual_rank } },
    proposed: { rank: position },
  })
  const ranking = useDecisionChange('rank_solutions', {
    doneMessage: t('{reference} is at position {position}.', { reference, position }),
    onDone: onClose,
  })
  const alongside = drop.ranked.length - 1
  return (
    <DecisionDialog
      opened
      title={t('Rank {reference} by hand', { reference })}
      action={t('Rank it here')}
      statement={statement('Rank {reference} at place {position} of the board.', { reference, position })}
      change={ranking}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        ranking.decide({
          solutions: drop.ranked.map(({ id, version }) => ({
            solution_id: id,
            ...(version !== undefined && { version }),
          })),
          manual_rank: drop.manual_rank,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        {rich('{title} moves to position {position}.', { title: <bdi>{title}</bdi>, position: <b>{position}</b> })}
        {alongside > 0 &&
          ` ${plural(alongside, 'What has a rank stands before all that has none, so the {number} Solution above it without one is ranked too.', 'What has a rank stands before all that has none, so the {number} Solutions above it without one are ranked too.')}`}
      </Text>
    </DecisionDialog>
  )
}

interface UnrankDialogProps {
  readonly of: { readonly reference: string; readonly manual_rank: number | null; readonly version?: number }
  readonly onClose: () => void
}

/** Takes a manual rank away, so that the evidence places the Solution. */
const UnrankDialog = ({ of: { reference, manual_rank, version }, onClose }: UnrankDialogProps) => {
  const form = useForm({
    name: `unrank ${reference}`,
    labels: { rank: t('Rank') },
    now: { version, values: { rank: manual_rank } },
    isWhole: true,
  })
  const unranking = useDecisionChange('prioritize_solution', {
    doneMessage: t('{reference} is ordered by its evidence.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Clear the rank of {reference}', { reference })}
      action={t('Order it by evidence')}
      statement={statement('Order {reference} on the board by its evidence.', { reference })}
      change={unranking}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        unranking.decide({
          solution_id: reference,
          unranked: true,
          ...form.expected,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        {rich('Its rank {manual_rank} was given by hand. Without it, evidence × boost decides its place.', {
          manual_rank,
        })}
      </Text>
    </DecisionDialog>
  )
}
