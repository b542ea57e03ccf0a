import { Anchor, Button, Group, SegmentedControl, Select, Text, Title } from '@mantine/core'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_CHARACTERS, MAX_LIMIT } from '../../../../schemas/domain/limits.ts'
import type { MetricDirection } from '../../../../schemas/domain/vocabulary.ts'
import { useChange, useEveryPage, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ChangeForm } from '../../parts/change-dialog.tsx'
import { NumberField } from '../../parts/controls.tsx'
import type { FormValues } from '../../parts/forms/form-model.ts'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { useForm } from '../../parts/forms/use-form.ts'
import { type BoundMetric, MetricCard } from './metric-card.tsx'
import { MAP_READS } from './use-map-changes.ts'

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
        <Title order={3}>{t('Metrics')}</Title>
        {canEdit && binding === null && (
          <Button
            size="compact-sm"
            variant="subtle"
            leftSection={<IconPlus size={14} />}
            onClick={() => setBinding('new')}
          >
            {t('Bind a metric')}
          </Button>
        )}
      </Group>
      {metrics.length === 0 && binding === null && (
        <Text size="sm" c="dimmed">
          {t('None is bound. A metric shows whether what people say here is getting better.')}
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

const DIRECTIONS: readonly { readonly value: MetricDirection; readonly label: string }[] = [
  { value: 'up_is_good', label: t('Up is good') },
  { value: 'down_is_good', label: t('Down is good') },
]

interface BindMetricProps {
  readonly id: string
  /** The metrics that the node has. */
  readonly bound: readonly BoundMetric[]
  /** The one whose binding is changed; none is chosen yet without it. */
  readonly metric?: BoundMetric
  readonly onDone: () => void
}

interface Binding extends FormValues {
  readonly chosen: string | null
  readonly direction: MetricDirection
  readonly name: string
  readonly target: number | ''
}

const bindingOf = ({ name, direction, target }: Binding) => ({
  name: name.trim(),
  direction,
  target: target === '' ? null : target,
})

/** Binds a metric to the node, or changes what it says there. */
const BindMetric = ({ id, bound, metric, onDone }: BindMetricProps) => {
  const form = useForm<Binding>({
    name: `metric ${metric?.metric_id ?? ''} of node ${id}`,
    labels: { chosen: t('Metric'), direction: t('Good direction'), name: t('Label on the map'), target: t('Target') },
    now: {
      version: undefined,
      values: {
        chosen: metric?.metric_id ?? null,
        direction: metric?.direction ?? 'up_is_good',
        name: metric?.name ?? '',
        target: metric?.target ?? '',
      },
    },
    words: (field, value) => {
      const said = field === 'direction' ? DIRECTIONS.find(each => each.value === value)?.label : undefined
      return said ?? (value === '' ? t('(nothing)') : String(value))
    },
  })
  const { chosen, direction, name, target } = form.values
  const sources = useOperationPages('list_sources', { limit: MAX_LIMIT }, { enabled: metric === undefined })
  useEveryPage(sources)
  const done = () => {
    form.forget()
    onDone()
  }
  const binding = useChange('bind_metric', { invalidates: MAP_READS, onSuccess: done })
  const taken = new Set<string>(bound.map(({ metric_id }) => metric_id))
  const free = sources.items.filter(source => source.kind === 'metric' && !taken.has(source.id))

  const bind = () => {
    if (chosen === null) return
    const { name, direction, target } = bindingOf(form.whole)
    binding.mutate({
      id,
      metric_id: chosen,
      direction,
      target,
      ...(name !== '' && { metric_name: name }),
      ...(metric !== undefined && { expected: bindingOf(form.seen) }),
    })
  }
  if (metric === undefined && sources.isSuccess && !sources.hasNextPage && free.length === 0) {
    return (
      <Text size="sm" c="dimmed">
        {rich(
          'There is no metric to bind. A metric is a source of its own: make one under <link>Settings → Sources</link> and send it numbers. <link2>Close</link2>',
          {
            link: inner => (
              <Anchor href="/app/settings/sources" inherit>
                {inner}
              </Anchor>
            ),
            link2: inner => (
              <Anchor component="button" type="button" inherit onClick={onDone}>
                {inner}
              </Anchor>
            ),
          },
        )}
      </Text>
    )
  }
  return (
    <ChangeForm
      action={metric === undefined ? t('Bind') : t('Save')}
      change={binding}
      form={form}
      failed={t('The metric was not bound')}
      missing={chosen === null ? t('a metric') : null}
      onSubmit={bind}
      onCancel={onDone}
    >
      {metric === undefined && (
        <Select
          label={t('Metric')}
          searchable
          data={free.map(source => ({ value: source.id, label: source.name }))}
          value={chosen}
          onChange={value => form.write({ chosen: value })}
          nothingFoundMessage={t('No metric of that name.')}
          error={sources.error?.detail}
        />
      )}
      <SegmentedControl
        aria-label={t('Good direction')}
        data={[...DIRECTIONS]}
        value={direction}
        // The control answers one of the values that it was given.
        onChange={value => form.write({ direction: value as MetricDirection })}
      />
      <Group grow align="flex-start">
        <LimitedInput
          label={t('Label on the map')}
          placeholder={t('The metric’s own')}
          most={MAX_CHARACTERS.name}
          value={name}
          onChange={event => form.write({ name: event.currentTarget.value })}
        />
        <NumberField
          label={t('Target')}
          placeholder={t('None')}
          value={target}
          onChange={value => form.write({ target: value })}
        />
      </Group>
    </ChangeForm>
  )
}
