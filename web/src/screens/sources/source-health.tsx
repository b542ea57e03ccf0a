import { Group, SegmentedControl, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { useOperation } from '../../api/hooks.ts'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { StackedBars } from '../../parts/chart/bars.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { When } from '../../parts/when.tsx'
import { barsOf } from './hours.ts'
import { RecentRequests, RefusalReasons } from './requests.tsx'

const RANGES = {
  day: { label: t('24 hours'), hours: 24, bar: 1 },
  week: { label: t('7 days'), hours: 168, bar: 6 },
  month: { label: t('31 days'), hours: 744, bar: 24 },
} as const
type Range = keyof typeof RANGES

const RANGE_CHOICES = Object.entries(RANGES).map(([value, { label }]) => ({ value, label }))
const REFRESH_MS = 5000
const CHART_HEIGHT = 150

const hourOf = (at: Date): string =>
  at.toLocaleTimeString(language, { hour: '2-digit', minute: '2-digit', hour12: false })
const dayOf = (at: Date): string => at.toLocaleDateString(language, { day: 'numeric', month: 'short' })

const INSTANT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/

/** The service’s sentence with its moments as people say them. */
const withTimes = (says: string): readonly ReactNode[] =>
  says.split(INSTANT).map(part => (INSTANT.test(part) ? <When key={part} at={part} /> : part))

interface Props {
  readonly id: string
}

/** What the source’s endpoint took and refused over time, why, and what to do next. */
export const SourceHealth = ({ id }: Props) => {
  const [range, setRange] = useState<Range>('day')
  const { hours, bar } = RANGES[range]
  const { data, error, refetch } = useOperation('source_health', { id, hours }, { refresh_ms: REFRESH_MS, keep: true })
  return (
    <Stack component="section" gap="sm" aria-label={t('Health')}>
      <Group justify="space-between">
        <Title order={3} size="h3">
          {t('Health')}
        </Title>
        <SegmentedControl
          size="xs"
          data={RANGE_CHOICES}
          value={range}
          onChange={value => setRange(value in RANGES ? (value as Range) : 'day')}
          aria-label={t('How far back')}
        />
      </Group>
      {data === undefined &&
        (error === null ? <LoadingState rows={1} height={150} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <>
          <Text size="sm">{withTimes(data.step.message)}</Text>
          {data.items === null ? (
            <Text size="sm" c="dimmed">
              {t('Figures are not available now: the analytics are away.')}
            </Text>
          ) : (
            <Requests bars={barsOf(data.items, { ...data, hours: bar }, range === 'day' ? hourOf : dayOf)} />
          )}
          <RefusalReasons items={data.items ?? []} reasons={data.reasons} />
          <RecentRequests requests={data.recent ?? []} />
        </>
      )}
    </Stack>
  )
}

const Requests = ({ bars }: { readonly bars: ReturnType<typeof barsOf> }) => {
  const sum = (of: 'accepted' | 'refused') => bars.reduce((total, bar) => total + bar[of], 0).toLocaleString(language)
  return (
    <figure
      style={{ margin: 0 }}
      aria-label={t('{sum} accepted, {sum2} refused', { sum: sum('accepted'), sum2: sum('refused') })}
    >
      <RequestsChart bars={bars} height={CHART_HEIGHT} />
      <Text component="figcaption" size="xs" c="dimmed">
        {t('{sum} accepted, {sum2} refused', { sum: sum('accepted'), sum2: sum('refused') })}
      </Text>
    </figure>
  )
}

interface RequestsChartProps {
  readonly bars: ReturnType<typeof barsOf>
  readonly height: number
}

const SERIES = [
  { name: 'accepted', label: t('Accepted'), color: 'accent.6' },
  { name: 'refused', label: t('Refused'), color: 'red.7' },
]

/** What was accepted and refused over time. */
const RequestsChart = ({ bars, height }: RequestsChartProps) => (
  <StackedBars data={bars.map(bar => ({ ...bar }))} series={SERIES} height={height} />
)
