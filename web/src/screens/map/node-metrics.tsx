import { Button, Group, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { BindMetric } from './bind-metric.tsx'
import type { BoundMetric } from './bound-metric.ts'
import { MetricCard } from './metric-card.tsx'

interface Props {
  readonly id: string
  readonly metrics: readonly BoundMetric[]
  readonly canEdit: boolean
}

/** The metrics of a node, each with its chart. */
export const NodeMetrics = ({ id, metrics, canEdit }: Props) => {
  /** `new` while one is bound; the id of the one that is bound anew. */
  const [binding, setBinding] = useState<string | null>(null)
  const close = () => setBinding(null)
  return (
    <>
      <Group justify="space-between" mt="lg" mb="xs">
        <Title order={3}>Metrics</Title>
        {canEdit && binding === null && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => setBinding('new')}
          >
            Bind a metric
          </Button>
        )}
      </Group>
      {metrics.length === 0 && binding === null && (
        <Text size="sm" c="dimmed">
          None is bound. A metric shows whether what people say here is getting better.
        </Text>
      )}
      {binding === 'new' && <BindMetric id={id} bound={metrics} onDone={close} />}
      {metrics.map(metric =>
        metric.metric_id === binding ? (
          <BindMetric key={metric.metric_id} id={id} bound={metrics} metric={metric} onDone={close} />
        ) : (
          <MetricCard
            key={metric.metric_id}
            id={id}
            metric={metric}
            canEdit={canEdit}
            onChange={() => setBinding(metric.metric_id)}
          />
        ),
      )}
    </>
  )
}
