import { type Static, Type } from 'typebox'
import type { MetricBinding } from '../../../model/metrics/bindings.ts'
import { hasReached, METRIC_CHANGES, metricChangeOf } from '../../../model/metrics/points.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { METRIC_DIRECTIONS } from '../../../schemas/domain/vocabulary.ts'
import { identifier, instant, nullable, oneOf, uuid } from '../parts/fields.ts'

export const metricId = Type.With(identifier, { description: 'The metric webhook. A UUID or exact name.' })

const Reading = Type.Object({ value: Type.Number(), occurred_at: instant })

/** A metric bound to a node of the product map. */
export const MetricShape = Type.Object({
  metric_id: uuid,
  name: ownText(),
  direction: oneOf(METRIC_DIRECTIONS),
  target: nullable(Type.Number()),
  is_receiving: Type.Boolean({ description: 'False once its webhook is deleted: no more points come.' }),
  newest: nullable(Reading),
  previous: nullable(Reading),
  change: nullable(oneOf(METRIC_CHANGES)),
  on_target: nullable(Type.Boolean()),
  from_target: nullable(Type.Number({ description: 'The newest value minus the target.' })),
})
type MetricShape = Static<typeof MetricShape>

export const metricShape = (binding: MetricBinding): MetricShape => {
  const { metric_id, name, direction, target, is_receiving, newest, previous } = binding
  return {
    metric_id,
    name,
    direction,
    target,
    is_receiving,
    newest: newest && { value: newest.value, occurred_at: newest.occurred_at.toISOString() },
    previous: previous && { value: previous.value, occurred_at: previous.occurred_at.toISOString() },
    change: newest && previous && metricChangeOf(direction, previous.value, newest.value),
    on_target: newest && target !== null ? hasReached(direction, target, newest.value) : null,
    from_target: newest && target !== null ? newest.value - target : null,
  }
}
