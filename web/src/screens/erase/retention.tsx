import { Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { useState } from 'react'
import { type Input, type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { When } from '../../parts/inline.tsx'
import { Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { ConfirmName } from './confirm-name.tsx'

type Periods = Input<'preview_retention'>
type Kept = Output<'read_retention'>

const FOR_EVER = 'for ever'
const YEAR_DAYS = 365
const CHOICES = [30, 90, 180, YEAR_DAYS, 2 * YEAR_DAYS, 3 * YEAR_DAYS]

const FIELDS = [
  { field: 'signals_days', label: t('Signals and repeats') },
  { field: 'activity_days', label: t('Activity beside signals') },
  { field: 'dead_letters_days', label: t('Dead letters') },
  { field: 'jobs_days', label: t('Jobs and exports') },
] as const

const lengthOf = (days: number): string =>
  days % YEAR_DAYS === 0 ? counted(days / YEAR_DAYS, 'year') : counted(days, 'day')

const choicesWith = (current: number | null) => [
  { value: FOR_EVER, label: t('for ever') },
  ...[...new Set([...CHOICES, ...(current === null ? [] : [current])])]
    .toSorted((one, other) => one - other)
    .map(days => ({ value: String(days), label: lengthOf(days) })),
]

const periodsOf = ({ signals_days, keeps_evidence, activity_days, dead_letters_days, jobs_days }: Kept): Periods => ({
  signals_days,
  keeps_evidence,
  activity_days,
  dead_letters_days,
  jobs_days,
})

interface Props {
  readonly workspace: string
}

/** After how long something goes by itself: shown, previewed, and set by who writes out the workspace’s name. */
export const Retention = ({ workspace }: Props) => {
  const { data, error, refetch } = useOperation('read_retention', {})
  return (
    <Section
      title={t('By age')}
      about={t(
        'What is older than this goes by itself, once a day and for good. The first time is a day after it is set.',
      )}
    >
      {data === undefined ? (
        error === null ? (
          <LoadingState rows={2} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <Form key={data.set_at} workspace={workspace} kept={data} />
      )}
    </Section>
  )
}

const Form = ({ workspace, kept }: Props & { readonly kept: Kept }) => {
  const [chosen, setChosen] = useState<Periods>(() => periodsOf(kept))
  const isChanged = JSON.stringify(chosen) !== JSON.stringify(periodsOf(kept))
  const setting = useChange('set_retention', {
    invalidates: ['read_retention'],
    onSuccess: ({ next_at }) =>
      notifyDone(next_at === null ? t('Everything is kept.') : t('It is set. Nothing goes before tomorrow.')),
  })
  return (
    <Stack gap="md">
      <SimpleGrid cols={{ base: 1, xs: 2 }}>
        {FIELDS.map(({ field, label }) => (
          <Select
            key={field}
            label={label}
            data={choicesWith(chosen[field])}
            value={chosen[field] === null ? FOR_EVER : String(chosen[field])}
            onChange={value => setChosen({ ...chosen, [field]: value === FOR_EVER ? null : Number(value) })}
            allowDeselect={false}
          />
        ))}
      </SimpleGrid>
      {chosen.signals_days !== null && (
        <Switch
          label={t('Keep what is evidence of a Solution')}
          description={t('While it is off, they go by their age too, and their Solutions lose them.')}
          checked={chosen.keeps_evidence}
          onChange={event => setChosen({ ...chosen, keeps_evidence: event.currentTarget.checked })}
        />
      )}
      <Preview periods={chosen} />
      {kept.next_at !== null && !isChanged && (
        <Text size="sm" c="dimmed">
          {rich('Goes next {when}. Set by {name}.', {
            when: <When at={kept.next_at} />,
            name: <bdi>{kept.set_by}</bdi>,
          })}
        </Text>
      )}
      {isChanged && (
        <ConfirmName
          workspace={workspace}
          action={t('Set the periods')}
          change={setting}
          onConfirm={confirm => setting.mutate({ ...chosen, confirm })}
        />
      )}
    </Stack>
  )
}

/** What would go now. */
const Preview = ({ periods }: { readonly periods: Periods }) => {
  const isSet = FIELDS.some(({ field }) => periods[field] !== null)
  const { data, error, refetch } = useOperation('preview_retention', periods, { enabled: isSet, keep: true })
  if (!isSet) return <Text size="sm">{t('Everything is kept until somebody erases it.')}</Text>
  if (error !== null) return <ErrorState error={error} retry={refetch} />
  if (data === undefined) return <LoadingState rows={1} />
  const goes = [
    data.signals > 0 && counted(data.signals, 'signal'),
    data.repeats > 0 && counted(data.repeats, 'repeat'),
    data.activity > 0 && counted(data.activity, 'event'),
    data.dead_letters > 0 && counted(data.dead_letters, 'dead letter'),
    data.jobs > 0 && counted(data.jobs, 'job'),
    data.exports > 0 && counted(data.exports, 'export'),
  ].filter(part => part !== false)
  return (
    <Text size="sm" role="status">
      {goes.length === 0 ? t('Nothing is that old now.') : t('Now this would take: {what}.', { what: goes.join(', ') })}
      {data.kept_as_evidence > 0 &&
        ` ${t('{signalsAndRepeats} stay as evidence.', {
          signalsAndRepeats: counted(data.kept_as_evidence, 'signal or repeat', 'signals and repeats'),
        })}`}
    </Text>
  )
}
