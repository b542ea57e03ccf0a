import { Group, SegmentedControl, Stack, Table, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { toPeople } from '../../api/http.ts'
import { type Output, useOperation } from '../../api/operations.ts'
import { language, moments, t } from '../../language/messages.ts'
import { StackedBars } from '../../parts/chart/series.tsx'
import { When } from '../../parts/inline.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { AutomaticMail } from './automatic-mail.tsx'
import { barsOf } from './hours.ts'
import { wordsOf } from './kinds.ts'

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
  at.toLocaleTimeString(moments, { hour: '2-digit', minute: '2-digit', hour12: false })
const dayOf = (at: Date): string => at.toLocaleDateString(moments, { day: 'numeric', month: 'short' })

const INSTANT = /(\d{4}-\d\d-\d\dT[\d:.]+Z)/

/** The service’s sentence with its moments as people say them. */
const withTimes = (says: string): readonly ReactNode[] =>
  says.split(INSTANT).map(part => (INSTANT.test(part) ? <When key={part} at={part} /> : part))

interface Props {
  readonly id: string
  readonly canEdit: boolean
  /** What stands below: it comes once it is known how much there is to say above it, and stays in its place. */
  readonly children: ReactNode
}

/** What the source’s endpoint took and refused over time, why, and what to do next. */
export const SourceHealth = ({ id, canEdit, children }: Props) => {
  const [range, setRange] = useState<Range>('day')
  const { hours, bar } = RANGES[range]
  const { data, error, refetch } = useOperation('source_health', { id, hours }, { refresh_ms: REFRESH_MS, keep: true })
  return (
    <>
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
            <Text size="sm">{withTimes(toPeople(data.step.message))}</Text>
            {data.items === null ? (
              <Text size="sm" c="dimmed">
                {t('Figures are not available now: the analytics database cannot be reached.')}
              </Text>
            ) : (
              <Requests bars={barsOf(data.items, { ...data, hours: bar }, range === 'day' ? hourOf : dayOf)} />
            )}
            <RefusalReasons items={data.items ?? []} reasons={data.reasons} />
            <RecentRequests requests={data.recent ?? []} />
            <AutomaticMail mails={data.automatic_mail} canEdit={canEdit} />
          </>
        )}
      </Stack>
      {(data !== undefined || error !== null) && children}
    </>
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

type Request = NonNullable<Output<'source_health'>['recent']>[number]

interface RequestsProps {
  readonly requests: readonly Request[]
}

/** The last requests, the newest first. */
const RecentRequests = ({ requests }: RequestsProps) => {
  if (requests.length === 0) return null
  return (
    <div>
      <Title order={4} size="h3" mb="xs">
        {t('Last requests')}
      </Title>
      <Table verticalSpacing="xs" aria-label={t('Last requests')}>
        <Table.Tbody>
          {requests.map(request => (
            <Table.Tr key={`${request.at} ${request.signal_id} ${request.reason}`}>
              <Table.Td w={120}>
                <When at={request.at} />
              </Table.Td>
              <Table.Td c={request.accepted ? '' : 'var(--mantine-color-error)'}>{outcomeOf(request)}</Table.Td>
              <Table.Td ta="end">
                {request.count > 1 && (
                  <Text size="sm" c="dimmed">
                    {t('{count} times', { count: request.count.toLocaleString(language) })}
                  </Text>
                )}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}

const outcomeOf = ({ accepted, reason, event }: Request): string => {
  if (!accepted) return wordsOf(reason ?? 'refused')
  return event === null ? t('accepted') : t('accepted: {event}', { event })
}

type Health = Output<'source_health'>

interface RefusalReasonsProps {
  readonly items: NonNullable<Health['items']>
  readonly reasons: Health['reasons']
}

/** Why requests were refused, the most frequent reason first, and what to do about each. */
const RefusalReasons = ({ items, reasons }: RefusalReasonsProps) => {
  const counted = reasons
    .map(reason => ({ ...reason, count: countOf(items, reason.reason) }))
    .filter(({ count }) => count > 0)
    .toSorted((a, b) => b.count - a.count)
  if (counted.length === 0) return null
  return (
    <Stack gap="sm">
      <Title order={4} size="h3">
        {t('Why requests were refused')}
      </Title>
      {counted.map(({ reason, count, meaning, remedy }) => (
        <div key={reason}>
          <Text size="sm" fw={550}>
            {count.toLocaleString(language)} × {wordsOf(reason)}
          </Text>
          <Text size="sm" c="dimmed">
            {toPeople(`${meaning} ${remedy}`)}
          </Text>
        </div>
      ))}
    </Stack>
  )
}

const countOf = (items: RefusalReasonsProps['items'], reason: string): number =>
  items.flatMap(({ refusals }) => refusals).reduce((sum, each) => sum + (each.reason === reason ? each.count : 0), 0)
