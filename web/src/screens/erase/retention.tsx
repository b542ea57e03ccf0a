import { Select, SimpleGrid, Stack, Switch, Text } from '@mantine/core'
import { type Input, type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { FormNotes } from '../../parts/forms/form-notes.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { When } from '../../parts/inline.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
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

const LABELS = Object.fromEntries(FIELDS.map(({ field, label }) => [field, label])) as Record<
  (typeof FIELDS)[number]['field'],
  string
>

const lengthOf = (days: number): string =>
  days % YEAR_DAYS === 0 ? counted(days / YEAR_DAYS, 'year') : counted(days, 'day')

const choicesWith = (current: number | null) => [
  { value: FOR_EVER, label: t('for ever') },
  ...[...new Set([...CHOICES, ...(current === null ? [] : [current])])]
    .toSorted((one, other) => one - other)
    .map(days => ({ value: String(days), label: lengthOf(days) })),
]

const periodsOf = ({
  signals_days,
  keeps_evidence,
  activity_days,
  dead_letters_days,
  jobs_days,
}: Periods): Periods => ({
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
        'What is older than this is erased automatically, once a day and for good. The first time is a day after you set it.',
      )}
    >
      {data === undefined ? (
        error === null ? (
          <LoadingState rows={2} />
        ) : (
          <ErrorState error={error} retry={refetch} />
        )
      ) : (
        <Form workspace={workspace} kept={data} />
      )}
    </Section>
  )
}

const Form = ({ workspace, kept }: Props & { readonly kept: Kept }) => {
  const form = useForm<Periods & FormValues>({
    name: 'retention',
    labels: { ...LABELS, keeps_evidence: t('Keep what is evidence of a Solution') },
    now: { version: undefined, values: { ...periodsOf(kept) } },
    words: (_, value) =>
      typeof value === 'number'
        ? lengthOf(value)
        : value === null
          ? t('for ever')
          : value === true
            ? t('yes')
            : t('no'),
  })
  const chosen = form.values
  const isChanged = Object.keys(form.changes).length > 0
  const setting = useChange('set_retention', {
    invalidates: ['read_retention'],
    onSuccess: ({ next_at }) => {
      form.forget()
      notifyDone(next_at === null ? t('Everything is kept.') : t('It is set. Nothing is erased before tomorrow.'))
    },
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
            onChange={value => form.write({ [field]: value === FOR_EVER ? null : Number(value) })}
            allowDeselect={false}
          />
        ))}
      </SimpleGrid>
      {chosen.signals_days !== null && (
        <Switch
          label={t('Keep what is evidence of a Solution')}
          description={t('While it is off, evidence is erased by its age too, and its Solutions lose it.')}
          checked={chosen.keeps_evidence}
          onChange={event => form.write({ keeps_evidence: event.currentTarget.checked })}
        />
      )}
      <Preview periods={chosen} />
      {kept.next_at !== null && !isChanged && (
        <Text size="sm" c="dimmed">
          {rich('Erases next {when}. Set by {name}.', {
            when: <When at={kept.next_at} />,
            name: <bdi>{kept.set_by}</bdi>,
          })}
        </Text>
      )}
      <FormNotes form={form} />
      {isChanged && form.conflicts.length === 0 && (
        <ConfirmName
          workspace={workspace}
          action={t('Set the periods')}
          change={setting}
          onConfirm={confirm => setting.mutate({ ...periodsOf(form.whole), confirm, expected: periodsOf(form.seen) })}
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
    <LiveStatus>
      <Text size="sm">
        {goes.length === 0
          ? t('Nothing is that old now.')
          : t('Now this would take: {what}.', { what: goes.join(', ') })}
        {data.kept_as_evidence > 0 &&
          ` ${t('{signalsAndRepeats} stay as evidence.', {
            signalsAndRepeats: counted(data.kept_as_evidence, 'signal or repeat', 'signals and repeats'),
          })}`}
      </Text>
    </LiveStatus>
  )
}
