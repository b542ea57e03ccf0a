import { Input, SegmentedControl, Select, Text } from '@mantine/core'
import { useState } from 'react'
import { ROADMAP_HORIZONS, type RoadmapHorizon } from '../../../../schemas/domain/vocabulary.ts'
import { t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { statement } from '../../language/statements.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { useForm, useNewForm } from '../../parts/forms/use-form.ts'
import type { ListPosition } from '../../parts/moving/list-positions.ts'
import { useChoices } from '../../parts/use-choices.ts'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { HORIZONS, horizonOf, isOver, type OpenDialog, positionLabel, type RoadmapItem } from './horizons.ts'

interface Props {
  readonly dialog: OpenDialog
  readonly items: readonly RoadmapItem[]
  readonly onClose: () => void
}

/** The dialog that asks for the Decision on what somebody wants to do. */
export const RoadmapDialogs = ({ dialog, items, onClose }: Props) => {
  switch (dialog.what) {
    case 'place':
      return <PlaceSolution placed={items.map(({ reference }) => reference)} onClose={onClose} />
    case 'move':
      return <MoveSolution item={dialog.item} to={dialog.to} onClose={onClose} />
    case 'remove':
      return <RemoveFromRoadmap item={dialog.item} onClose={onClose} />
  }
}

const placeOf = ({ horizon, position }: RoadmapItem): string => positionLabel({ list: horizon, position: position - 1 })

interface RemoveFromRoadmapProps {
  readonly item: RoadmapItem
  readonly onClose: () => void
}

/** Takes a Solution off the roadmap. */
const RemoveFromRoadmap = ({ item, onClose }: RemoveFromRoadmapProps) => {
  const { reference, title, horizon, state, version } = item
  const form = useForm({
    name: `${reference} off the roadmap`,
    labels: { place: t('Place'), state: t('State') },
    now: { version, values: { place: placeOf(item), state: word(state) } },
    isWhole: true,
  })
  const taking = useDecisionChange('change_roadmap', {
    doneMessage: t('{reference} is off the roadmap.', { reference }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Remove {reference} from the roadmap', { reference })}
      action={t('Remove')}
      statement={isOver(item) ? statement('{reference} is {said}.', { reference, said: state }) : null}
      change={taking}
      form={form}
      onClose={onClose}
      onDecide={grounds => taking.decide({ action: 'remove', solution_id: reference, ...form.expected, ...grounds })}
    >
      <Text size="sm">
        {rich('{title} leaves {title2}. It stays on the Board as it is.', {
          title: <bdi>{title}</bdi>,
          title2: HORIZONS[horizon].title,
        })}
      </Text>
    </DecisionDialog>
  )
}

interface MoveSolutionProps {
  readonly item: RoadmapItem
  readonly to: ListPosition
  readonly onClose: () => void
}

/** Asks for the Decision that puts a Solution where it was dropped. */
const MoveSolution = ({ item, to, onClose }: MoveSolutionProps) => {
  const { reference, title, version } = item
  const form = useForm({
    name: `move ${reference} on the roadmap`,
    labels: { place: t('Place') },
    now: { version, values: { place: placeOf(item) } },
    proposed: { place: positionLabel(to) },
  })
  const moving = useDecisionChange('change_roadmap', {
    doneMessage: t('{reference} is {to}.', { reference, to: positionLabel(to) }),
    onDone: onClose,
  })
  return (
    <DecisionDialog
      opened
      title={t('Move {reference}', { reference })}
      action={t('Move it')}
      statement={statement('Place {reference} as number {number} in “{said}”.', {
        reference,
        number: to.position + 1,
        said: horizonOf(to.list),
      })}
      change={moving}
      form={form}
      onClose={onClose}
      onDecide={grounds =>
        moving.decide({
          action: 'place',
          solution_id: reference,
          horizon: horizonOf(to.list),
          position: to.position + 1,
          ...form.expected,
          ...grounds,
        })
      }
    >
      <Text size="sm">
        {rich('{title} moves to {to}.', { title: <bdi>{title}</bdi>, to: <b>{positionLabel(to)}</b> })}
      </Text>
    </DecisionDialog>
  )
}

interface PlaceSolutionProps {
  /** References of the Solutions that are on the roadmap. */
  readonly placed: readonly string[]
  readonly onClose: () => void
}

interface Placed extends FormValues {
  readonly solution: { readonly value: string; readonly label: string } | null
  readonly horizon: RoadmapHorizon
}

/** Places a Solution at the end of a horizon. */
const PlaceSolution = ({ placed, onClose }: PlaceSolutionProps) => {
  const form = useNewForm<Placed>('place on the roadmap', { solution: null, horizon: 'next' })
  const { solution, horizon } = form.values
  const [typed, setTyped] = useState('')
  const { choices, isReading } = useChoices('solution', typed === solution?.label ? '' : typed, placed)
  const where = HORIZONS[horizon].title
  const placing = useDecisionChange('change_roadmap', {
    doneMessage: t('{value} is in {where}.', { value: solution?.value, where }),
    onDone: onClose,
  })
  const offered = choices.filter(({ value }) => value !== solution?.value)
  return (
    <DecisionDialog
      opened
      title={t('Place a Solution')}
      action={t('Place it')}
      statement={
        solution === null
          ? null
          : statement('Place {reference} in “{said}”.', { reference: solution.value, said: horizon })
      }
      change={placing}
      form={form}
      missing={solution === null ? t('a Solution') : null}
      onClose={onClose}
      onDecide={grounds =>
        solution !== null && placing.decide({ action: 'place', solution_id: solution.value, horizon, ...grounds })
      }
    >
      <Select
        label={t('Solution')}
        description={t('What is still to be done, in board order. Search by words, meaning or reference.')}
        placeholder={t('Search by words or SOL-12')}
        data-autofocus
        searchable
        nothingFoundMessage={isReading ? t('Reading…') : t('No such Solution')}
        // What the service found is what fits: it also finds by meaning.
        filter={({ options }) => options}
        data={solution === null ? offered : [solution, ...offered]}
        value={solution?.value ?? null}
        onChange={(_, chosen) => form.write({ solution: chosen ?? null })}
        searchValue={typed}
        onSearchChange={setTyped}
      />
      <Input.Wrapper label={t('When')} labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label={t('When')}
          data={ROADMAP_HORIZONS.map(value => ({ value, label: HORIZONS[value].title }))}
          value={horizon}
          onChange={chosen => form.write({ horizon: horizonOf(chosen) })}
        />
      </Input.Wrapper>
    </DecisionDialog>
  )
}
