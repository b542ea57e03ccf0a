import { ActionIcon, Group, Menu, SegmentedControl, Skeleton, Text } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { useChange, useOperation } from '../../api/hooks.ts'
import { loadPart } from '../../load-part.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { When } from '../../parts/when.tsx'
import { notifyFailed, notifyUndoable } from '../../shell/notify.tsx'
import type { BoundMetric } from './bound-metric.ts'
import { METRIC_TRENDS } from './metric-trend.ts'
import classes from './node.module.css'
import { MAP_READS } from './use-map-changes.ts'

const MetricChart = lazy(loadPart(() => import('./metric-chart.tsx')))

const RANGES = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: '', label: 'All' },
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
      notifyUndoable(`“${metric.name}” is unbound; its points stay.`, () =>
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
          <Text component="bdi" size="sm" fw={600} className={classes.anywhere ?? ''}>
            {metric.name}
          </Text>
          <MetricTrend of={metric} />
        </div>
        {canEdit && (
          <Menu position="bottom-end">
            <Menu.Target>
              <ActionIcon variant="subtle" color="gray" aria-label={`Change ${metric.name}`}>
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {metric.is_receiving && <Menu.Item onClick={onChange}>Change direction, name or target</Menu.Item>}
              <Menu.Item
                onClick={() => unbinding.mutate({ id, metric_id: metric.metric_id }, { onError: notifyFailed })}
              >
                Unbind
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </Group>
      {error !== null && <ErrorState error={error} retry={refetch} />}
      {data === undefined && error === null && <Skeleton height={CHART_HEIGHT} mt="sm" />}
      {data !== undefined && data.items.length === 0 && (
        <Text size="sm" c="dimmed" my="sm">
          No point {days === '' ? 'has come yet' : 'in this time'}.
        </Text>
      )}
      {data !== undefined && data.items.length > 0 && (
        <Suspense fallback={<Skeleton height={CHART_HEIGHT} mt="sm" />}>
          <MetricChart points={data.items} name={metric.name} target={metric.target} height={CHART_HEIGHT} />
        </Suspense>
      )}
      <Group justify="space-between" mt="xs">
        <SegmentedControl
          size="xs"
          aria-label={`Time shown of ${metric.name}`}
          data={RANGES}
          value={days}
          onChange={setDays}
        />
        {data !== undefined && data.count > data.items.length && (
          <Text size="xs" c="dimmed">
            {data.items.length} of {data.count.toLocaleString('en')} points
          </Text>
        )}
      </Group>
    </section>
  )
}

const figure = (value: number): string => value.toLocaleString('en', { maximumFractionDigits: 4 })

const MetricTrend = ({
  of: { newest, previous, change, direction, target, on_target, is_receiving },
}: {
  readonly of: BoundMetric
}) => (
  <Text size="xs" c="dimmed">
    {newest === null ? (
      'No point has come yet'
    ) : (
      <>
        <Text span size="sm" c="var(--mantine-color-text)" fw={600}>
          {figure(newest.value)}
        </Text>{' '}
        {previous !== null && change !== null && (
          <>
            {METRIC_TRENDS[change].sign} {METRIC_TRENDS[change].label.toLowerCase()}
            {change === 'same' ? '' : `, from ${figure(previous.value)}`} ·{' '}
          </>
        )}
        <When at={newest.occurred_at} />
      </>
    )}
    {' · '}
    {direction === 'up_is_good' ? 'up is good' : 'down is good'}
    {target !== null &&
      ` · target ${figure(target)}${on_target === null ? '' : on_target ? ', reached' : ', not reached'}`}
    {!is_receiving && ' · its source is deleted: no more points come'}
  </Text>
)
