import { Group, SegmentedControl, Select } from '@mantine/core'
import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useOperation } from '../../api/hooks.ts'
import classes from './board.module.css'

/** What the board shows unless told: everything that is still to be done. */
export const OPEN = 'open'
const OPEN_STATES: readonly SolutionState[] = ['Backlog', 'Planned', 'In Progress', 'In Review']

/** The states that a choice of the board stands for. */
export const statesOf = (shown: string): readonly SolutionState[] => {
  const state = SOLUTION_STATES.find(each => each === shown)
  return state === undefined ? OPEN_STATES : [state]
}

interface Props {
  readonly shown: string
  readonly group: string
  readonly onChange: (changed: { readonly state?: string; readonly group?: string }) => void
}

/** Which Solutions the board shows, with how many there are of each state. */
export const BoardFilters = ({ shown, group, onChange }: Props) => {
  const { data } = useOperation('analyze_solutions', { limit: 1 })
  const groups = useOperation('lookup_group', { limit: 100 })
  const named = groups.data?.items.flatMap(item => ('name' in item ? [item.name] : [])) ?? []
  const counts = new Map(data?.groups.map(({ state, solutions }) => [state, solutions]))
  const countOf = (states: readonly SolutionState[]): number =>
    states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
  const labelled = (value: string, title: string) => ({
    value,
    label: (
      <span className={classes.choice}>
        {title}
        {data !== undefined && <span className={classes.count}>{countOf(statesOf(value)).toLocaleString('en')}</span>}
      </span>
    ),
  })
  return (
    <Group gap="sm" mb="md" data-chrome>
      <div className={classes.choices}>
        <SegmentedControl
          size="xs"
          aria-label="State"
          value={shown}
          onChange={state => onChange({ state })}
          data={[labelled(OPEN, 'Open'), ...SOLUTION_STATES.map(state => labelled(state, state))]}
        />
      </div>
      {(named.length > 0 || group !== '') && (
        <Select
          size="xs"
          w={180}
          aria-label="Group"
          placeholder="Every group"
          clearable
          data={[...new Set([...named, ...(group === '' ? [] : [group])])]}
          value={group === '' ? null : group}
          onChange={chosen => onChange({ group: chosen ?? '' })}
        />
      )}
    </Group>
  )
}
