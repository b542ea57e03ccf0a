import { ActionIcon, Group, ScrollArea, SegmentedControl, Select, Switch, TextInput, Tooltip } from '@mantine/core'
import { IconRefresh } from '@tabler/icons-react'
import { MAX_GROUP_BY } from '../../../../schemas/domain/limits.ts'
import { t } from '../../language/messages.ts'
import { MultiChoice } from '../../parts/multi-choice.tsx'
import { OWN_ZONE } from '../../parts/own-zone.ts'
import { DEFAULTS, type ExploreState, groupsOf, questionOf } from './question.ts'
import { choicesOf, FIELDS, GRANULARITIES, METRICS, QUESTIONS } from './vocabulary.ts'

const RANGES = [
  { value: '24h', label: t('Last 24 hours') },
  { value: '7d', label: t('Last 7 days') },
  { value: '30d', label: t('Last 30 days') },
  { value: '90d', label: t('Last 90 days') },
  { value: '365d', label: t('Last 12 months') },
  { value: 'custom', label: t('Custom range') },
]
const ZONES = [...new Set(['UTC', OWN_ZONE, ...Intl.supportedValuesOf('timeZone')])]

/** What rose is told against four times as long before: a month would need a past of half a year. */
const usualRange = (question: string, range: string) =>
  question === 'trending' && range === DEFAULTS.range ? { range: '7d' } : {}

interface Props {
  readonly state: ExploreState
  readonly onChange: (changed: { readonly [Name in keyof ExploreState]?: string }) => void
  readonly onRefresh: () => void
}

/** What is asked: which figures, apart by what, over which time. */
export const Controls = ({ state, onChange, onRefresh }: Props) => {
  const question = questionOf(state)
  const { takes } = QUESTIONS[question]
  const questions = Object.entries(QUESTIONS).map(([value, { label }]) => ({ value, label }))
  return (
    <>
      <Group gap="sm" mb="md" wrap="nowrap" justify="space-between">
        <ScrollArea type="never" scrollbars="x">
          <SegmentedControl
            aria-label={t('Question')}
            size="xs"
            data={questions}
            value={question}
            onChange={value => onChange({ question: value, order: '', chart: '', ...usualRange(value, state.range) })}
          />
        </ScrollArea>
        <Tooltip label={t('Refresh')}>
          <ActionIcon variant="default" size={30} aria-label={t('Refresh')} onClick={onRefresh}>
            <IconRefresh size={15} />
          </ActionIcon>
        </Tooltip>
      </Group>
      <Group gap="sm" mb="md" align="flex-start">
        {takes.has('metrics') && (
          <MultiChoice
            size="xs"
            label={t('Metrics')}
            w={{ base: '100%', sm: 230 }}
            data={choicesOf(METRICS)}
            value={state.metrics.split(',').filter(name => Object.hasOwn(METRICS, name))}
            onChange={metrics => onChange({ metrics: metrics.join(','), order: '', chart: '' })}
          />
        )}
        {takes.has('group_by') && (
          <MultiChoice
            size="xs"
            label={t('Group by')}
            w={{ base: '100%', sm: 190 }}
            placeholder={state.group_by === '' ? (question === 'trending' ? t('Map node') : t('Nothing')) : ''}
            data={choicesOf(FIELDS)}
            maxValues={MAX_GROUP_BY}
            value={groupsOf(state)}
            onChange={groups => onChange({ group_by: groups.join(',') })}
          />
        )}
        <Select
          size="xs"
          label={t('Date range')}
          w={140}
          allowDeselect={false}
          data={RANGES}
          value={RANGES.some(({ value }) => value === state.range) ? state.range : '30d'}
          onChange={range => onChange({ range: range ?? '30d' })}
        />
        {state.range === 'custom' && (
          <>
            <Day label={t('From')} value={state.from} onChange={from => onChange({ from })} />
            <Day label={t('Until')} value={state.until} onChange={until => onChange({ until })} />
          </>
        )}
        {takes.has('granularity') && (
          <Select
            size="xs"
            label={t('Interval')}
            w={120}
            allowDeselect={false}
            data={[{ value: 'all', label: t('All time') }, ...choicesOf(GRANULARITIES)]}
            value={Object.hasOwn(GRANULARITIES, state.granularity) ? state.granularity : 'all'}
            onChange={granularity => onChange({ granularity: granularity ?? 'day', order: '' })}
          />
        )}
        <Select
          size="xs"
          label={t('Time zone')}
          w={140}
          searchable
          allowDeselect={false}
          limit={100}
          data={ZONES.includes(state.time_zone) ? ZONES : [state.time_zone, ...ZONES]}
          value={state.time_zone}
          onChange={time_zone => onChange({ time_zone: time_zone ?? OWN_ZONE })}
        />
        {takes.has('clock') && (
          <Switch
            size="xs"
            mt={26}
            label={t('Count by time received')}
            checked={state.clock === 'received'}
            onChange={event => onChange({ clock: event.currentTarget.checked ? 'received' : '' })}
          />
        )}
        {takes.has('compare') && (
          <Switch
            size="xs"
            mt={26}
            label={t('Compare')}
            aria-label={t('Compare with the previous period')}
            checked={state.compare === 'yes'}
            onChange={event => onChange({ compare: event.currentTarget.checked ? 'yes' : '' })}
          />
        )}
      </Group>
    </>
  )
}

interface DayProps {
  readonly label: string
  readonly value: string
  readonly onChange: (day: string) => void
}

const DAY = /^(\d{4}-\d{2}-\d{2})?$/

/** A link may name an instant, which a field for days does not take. */
const Day = ({ label, value, onChange }: DayProps) => (
  <TextInput
    size="xs"
    type={DAY.test(value) ? 'date' : 'text'}
    label={label}
    w={140}
    value={value}
    onChange={event => onChange(event.currentTarget.value)}
  />
)
