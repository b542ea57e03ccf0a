import { Group, SegmentedControl, Select } from '@mantine/core'
import { IconColumns3, IconListNumbers } from '@tabler/icons-react'
import { MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import { SOLUTION_STATES, type SolutionState } from '../../../../schemas/domain/vocabulary.ts'
import { useOperation } from '../../api/operations.ts'
import { language, t, word } from '../../language/messages.ts'
import { OWNERS } from '../../parts/badges.tsx'
import classes from './board.module.css'

/** What the board shows unless told: everything that is still to be done. */
export const OPEN = 'open'
const OPEN_STATES: readonly SolutionState[] = ['Backlog', 'Planned', 'In Progress', 'In Review']

/** The views of the board: ranked, or by state. */
export const LIST = 'list'
export const COLUMNS = 'columns'

/** The states that a choice of the board stands for. */
export const statesOf = (shown: string): readonly SolutionState[] => {
  const state = SOLUTION_STATES.find(each => each === shown)
  return state === undefined ? OPEN_STATES : [state]
}

/** What the board shows, and how, as its address says. */
interface Shown {
  readonly view: string
  readonly state: string
  readonly group: string
  /** `me`, `nobody`, or empty for everybody. */
  readonly owner: string
}

interface Props {
  readonly shown: Shown
  readonly onChange: (changed: Partial<Shown>) => void
}

/** Which Solutions the board shows, as a list or in columns; of the list, with how many there are of each state. */
export const BoardFilters = ({ shown: { view, state: shown, group, owner }, onChange }: Props) => {
  const { data } = useOperation('analyze_solutions', { limit: 1 }, { enabled: view === LIST })
  const groups = useOperation('lookup_group', { limit: MAX_LIMIT })
  const named = groups.data?.items.flatMap(item => ('name' in item ? [item.name] : [])) ?? []
  const counts = new Map(data?.groups.map(({ state, solutions }) => [state, solutions]))
  const countOf = (states: readonly SolutionState[]): number =>
    states.reduce((sum, state) => sum + (counts.get(state) ?? 0), 0)
  const labelled = (value: string, title: string) => ({
    value,
    label: (
      <span className={classes.choice}>
        {title}
        <span className={classes.count}>
          {data === undefined ? '' : countOf(statesOf(value)).toLocaleString(language)}
        </span>
      </span>
    ),
  })
  return (
    <Group gap="sm" mb="md" data-chrome>
      <SegmentedControl
        size="xs"
        aria-label={t('View')}
        value={view}
        onChange={chosen => onChange({ view: chosen })}
        data={[
          { value: LIST, label: <View icon={IconListNumbers} title={t('List')} /> },
          { value: COLUMNS, label: <View icon={IconColumns3} title={t('Columns')} /> },
        ]}
      />
      {view === LIST && (
        <div className={classes.choices}>
          <SegmentedControl
            size="xs"
            aria-label={t('State')}
            value={shown}
            onChange={state => onChange({ state })}
            data={[
              labelled(OPEN, t('Open [not done yet]')),
              ...SOLUTION_STATES.map(state => labelled(state, word(state))),
            ]}
          />
        </div>
      )}
      <Select
        size="xs"
        w={160}
        aria-label={t('Owner')}
        placeholder={t('Every owner')}
        clearable
        data={[...OWNERS]}
        value={owner === '' ? null : owner}
        onChange={chosen => onChange({ owner: chosen ?? '' })}
      />
      <Select
        size="xs"
        w={180}
        aria-label={t('Group')}
        placeholder={t('Every group')}
        nothingFoundMessage={t('There is no group yet')}
        clearable
        data={[...new Set([...named, ...(group === '' ? [] : [group])])]}
        value={group === '' ? null : group}
        onChange={chosen => onChange({ group: chosen ?? '' })}
      />
    </Group>
  )
}

const View = ({ icon: Icon, title }: { readonly icon: typeof IconColumns3; readonly title: string }) => (
  <span className={classes.choice}>
    <Icon size={14} aria-hidden />
    {title}
  </span>
)
