import { ActionIcon, Group, Menu, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useState } from 'react'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { inSentence, language, moments, t } from '../../language/messages.ts'
import { LineChart } from '../../parts/chart/line-chart.tsx'
import { moment } from '../../parts/formats.ts'
import { When } from '../../parts/inline.tsx'
import { ErrorState } from '../../parts/states.tsx'
import { notifyFailed, notifyUndoable } from '../../shell/notify.tsx'
import { METRIC_TRENDS } from './metric-trend.ts'
import classes from './node.module.css'
import { MAP_READS } from './use-map-changes.ts'

/** A metric as its node shows it. */
export type BoundMetric = Output<'lookup_node'>['node']['metrics'][number]

const RANGES = [
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('A year') },
  { value: '', label: t('All') },
]
const CHART_HEIGHT = 160

interface Props {
  readonly id: string
  readonly metric: BoundMetric
  readonly canEdit: boolean
  readonly onChange: () => void
}

/** A bound metric: where it stands, which way it went, and its points. */
export const MetricCard = ({ id, metric, canEdit, onChange }: Props) => {
  const [days, setDays] = useState('90')
  const { data, error, refetch } = useOperation(
    'read_metric_points',
    { metric_id: metric.metric_id, ...(days !== '' && { days: Number(days) }) },
    { keep: true },
  )
  const rebinding = useChange('bind_metric', { invalidates: MAP_READS })
  const unbinding = useChange('unbind_metric', {
    invalidates: MAP_READS,
    onSuccess: () =>
      notifyUndoable(t('“{name}” is unbound; its points stay.', { name: metric.name }), () =>
        rebinding.mutateAsync({
          id,
          metric_id: metric.metric_id,
          direction: metric.direction,
          metric_name: metric.name,
          target: metric.target,
        }),
      ),
  })
  return (
    <section className={classes.item} aria-label={metric.name}>
      <Group justify="space-between" wrap="nowrap" align="flex-start">
        <div>
          <Text component="bdi" size="sm" fw={600} className="anywhere">
            {metric.name}
          </Text>
          <MetricTrend of={metric} />
        </div>
        {canEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={t('Change {name}', { name: metric.name })}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {metric.is_receiving && <Menu.Item onClick={onChange}>{t('Change direction, name or target')}</Menu.Item>}
              <Menu.Item
                onClick={() => unbinding.mutate({ id, metric_id: metric.metric_id }, { onError: notifyFailed })}
              >
                {t('Unbind')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data === undefined && error === null && <Skeleton height={CHART_HEIGHT} mt="sm" />}
      {data !== undefined && data.items.length === 0 && (
        <Text size="sm" c="dimmed" my="sm">
          {days === '' ? t('No point has come yet.') : t('No point in this time.')}
        </Text>
      )}
      {data !== undefined && data.items.length > 0 && (
        <MetricChart points={data.items} name={metric.name} target={metric.target} height={CHART_HEIGHT} />
      )}
      <Group justify="space-between" mt="xs">
        <SegmentedControl
          size="xs"
          aria-label={t('Time shown of {name}', { name: metric.name })}
          data={RANGES}
          value={days}
          onChange={setDays}
        />
        {data !== undefined && data.count > data.items.length && (
          <Text size="xs" c="dimmed">
            {t('{items} of {count} points', { items: data.items.length, count: data.count.toLocaleString(language) })}
          </Text>
        )}
      </Group>
    </section>
  )
}

const figure = (value: number): string => value.toLocaleString(language, { maximumFractionDigits: 4 })

const MetricTrend = ({
  of: { newest, previous, change, direction, target, on_target, is_receiving },
}: {
  readonly of: BoundMetric
}) => (
  <Text size="xs" c="dimmed">
    {newest === null ? (
      t('No point has come yet')
    ) : (
      <>
        <Text span size="sm" c="var(--mantine-color-text)" fw={600}>
          {figure(newest.value)}
        </Text>{' '}
        {previous !== null && change !== null && (
          <>
            {METRIC_TRENDS[change].sign} {inSentence(METRIC_TRENDS[change].label)}
            {change === 'same' ? '' : t(', from {figure}', { figure: figure(previous.value) })} ·{' '}
          </>
        )}
        <When at={newest.occurred_at} />
      </>
    )}
    {' · '}
    {direction === 'up_is_good' ? t('up is good') : t('down is good')}
    {target !== null &&
      ` ${t('· target {target}{what}', { target: figure(target), what: on_target === null ? '' : on_target ? t(', reached') : t(', not reached') })}`}
    {!is_receiving && ` ${t('· its source is deleted: no more points come')}`}
  </Text>
)

interface MetricChartProps {
  readonly points: Output<'read_metric_points'>['items']
  readonly name: string
  readonly target: number | null
  readonly height: number
}

const day = new Intl.DateTimeFormat(moments, { month: 'short', day: 'numeric' })
const exact = new Intl.NumberFormat(language, { maximumFractionDigits: 4 })
const short = new Intl.NumberFormat(language, { notation: 'compact', maximumFractionDigits: 1 })

/** A metric’s points over time, with its target. */
const MetricChart = ({ points, name, target, height }: MetricChartProps) => (
  <figure aria-label={t('{name}: {points} points', { name, points: points.length })} style={{ margin: 0 }}>
    <LineChart
      height={height}
      data={points.map(({ value, occurred_at }) => ({ value, at: Date.parse(occurred_at) }))}
      series={[{ name: 'value', label: name, color: 'accent.5' }]}
      format={exact.format}
      short={short.format}
      label={at => (points.length > 1 ? day.format(at) : moment(at))}
      target={target}
    />
  </figure>
)
