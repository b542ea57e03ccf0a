import { type HrTime, ValueType } from '@opentelemetry/api'
import type { Resource } from '@opentelemetry/resources'
import {
  AggregationTemporality,
  type CollectionResult,
  type DataPoint,
  DataPointType,
  type Histogram,
  type MetricData,
  type MetricProducer,
} from '@opentelemetry/sdk-metrics'
import type { Registry } from 'prom-client'

type Exposed = Awaited<ReturnType<Registry['getMetricsAsJSON']>>[number]
type Value = Exposed['values'][number] & { readonly metricName?: string }

const timeOf = (ms: number): HrTime => [Math.floor(ms / 1000), Math.round((ms % 1000) * 1e6)]

const attributesOf = ({ labels }: Value, excludedLabel?: string): Record<string, string | number> => {
  const entries = Object.entries(labels).filter(([name, value]) => name !== excludedLabel && value !== undefined)
  return Object.fromEntries(entries) as Record<string, string | number>
}

interface Times {
  readonly startTime: HrTime
  readonly endTime: HrTime
}

/** Prometheus' buckets are cumulative; OpenTelemetry's are not. */
const histogramPoints = (name: string, values: readonly Value[], times: Times): DataPoint<Histogram>[] => {
  const series = new Map<string, { values: Value[]; attributes: Record<string, string | number> }>()
  for (const value of values) {
    const attributes = attributesOf(value, 'le')
    const key = JSON.stringify(attributes)
    const known = series.get(key) ?? { values: [], attributes }
    known.values.push(value)
    series.set(key, known)
  }
  return [...series.values()].map(({ values: ofOne, attributes }) => {
    const named = (suffix: string) => ofOne.filter(({ metricName }) => metricName === `${name}${suffix}`)
    const buckets = named('_bucket')
    const counts = buckets.map(({ value }, index) => value - (buckets[index - 1]?.value ?? 0))
    const boundaries = buckets.map(({ labels }) => Number(labels.le)).filter(Number.isFinite)
    const count = named('_count')[0]?.value ?? 0
    const value = { buckets: { boundaries, counts }, sum: named('_sum')[0]?.value ?? 0, count }
    return { ...times, attributes, value }
  })
}

const metricData = ({ name, help, type, values }: Exposed, times: Times): MetricData => {
  const descriptor = { name, description: help, unit: '', valueType: ValueType.DOUBLE }
  const about = { descriptor, aggregationTemporality: AggregationTemporality.CUMULATIVE }
  // The package's types say number; the value is a word.
  const kind = String(type)
  if (kind === 'histogram') {
    return { ...about, dataPointType: DataPointType.HISTOGRAM, dataPoints: histogramPoints(name, values, times) }
  }
  const dataPoints = values.map(value => ({ ...times, attributes: attributesOf(value), value: value.value }))
  if (kind === 'counter') {
    return { ...about, dataPointType: DataPointType.SUM, isMonotonic: true, dataPoints }
  }
  return { ...about, dataPointType: DataPointType.GAUGE, dataPoints }
}

/** Prometheus metrics in OpenTelemetry's form, so that each metric is defined once. */
export const metricsOf = (
  registry: Registry,
  resource: Resource,
  scope: { readonly name: string; readonly version: string },
): MetricProducer => {
  const startTime = timeOf(Date.now())
  return {
    async collect(): Promise<CollectionResult> {
      const times = { startTime, endTime: timeOf(Date.now()) }
      const exposed = await registry.getMetricsAsJSON()
      const metrics = exposed.map(metric => metricData(metric, times))
      return { resourceMetrics: { resource, scopeMetrics: [{ scope, metrics }] }, errors: [] }
    },
  }
}
