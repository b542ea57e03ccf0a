import { Input, SegmentedControl, Select } from '@mantine/core'
import { useState } from 'react'
import { ROADMAP_HORIZONS, type RoadmapHorizon } from '../../../../schemas/domain/vocabulary.ts'
import { DecisionDialog } from '../../parts/decision-dialog.tsx'
import { useChoices } from '../../parts/picking/use-choices.ts'
import { useDecisionChange } from '../solutions/use-decision-change.ts'
import { HORIZONS, horizonOf } from './horizons.ts'

interface Props {
  /** References of the Solutions that are on the roadmap. */
  readonly placed: readonly string[]
  readonly onClose: () => void
}

/** Places a Solution at the end of a horizon. */
export const PlaceSolution = ({ placed, onClose }: Props) => {
  const [solution, setSolution] = useState<{ readonly value: string; readonly label: string } | null>(null)
  const [horizon, setHorizon] = useState<RoadmapHorizon>('next')
  const [typed, setTyped] = useState('')
  const { choices, isReading } = useChoices('solution', typed === solution?.label ? '' : typed, placed)
  const where = HORIZONS[horizon].title
  const placing = useDecisionChange('change_roadmap', {
    doneMessage: `${solution?.value} is in ${where}.`,
    onDone: onClose,
  })
  const offered = choices.filter(({ value }) => value !== solution?.value)
  return (
    <DecisionDialog
      opened
      title="Place a Solution"
      action="Place it"
      statement={solution === null ? '' : `Place ${solution.value} in ${where}.`}
      pending={placing.isPending}
      error={placing.error}
      ready={solution !== null}
      onClose={onClose}
      onDecide={grounds =>
        solution !== null && placing.decide({ action: 'place', solution_id: solution.value, horizon, ...grounds })
      }
    >
      <Select
        label="Solution"
        description="Those in board order that are still to be done, or found by words, meaning or reference."
        placeholder="Search by words or SOL-12"
        data-autofocus
        searchable
        nothingFoundMessage={isReading ? 'Reading…' : 'No such Solution'}
        // What the service found is what fits: it also finds by meaning.
        filter={({ options }) => options}
        data={solution === null ? offered : [solution, ...offered]}
        value={solution?.value ?? null}
        onChange={(_, chosen) => setSolution(chosen ?? null)}
        searchValue={typed}
        onSearchChange={setTyped}
      />
      <Input.Wrapper label="When" labelElement="div">
        <SegmentedControl
          fullWidth
          aria-label="When"
          data={ROADMAP_HORIZONS.map(value => ({ value, label: HORIZONS[value].title }))}
          value={horizon}
          onChange={chosen => setHorizon(horizonOf(chosen))}
        />
      </Input.Wrapper>
    </DecisionDialog>
  )
}
