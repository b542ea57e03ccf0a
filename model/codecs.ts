import { type Codec, createCodec } from '../infra/log/codec.ts'
import type { SchemaRegistry } from '../infra/log/port.ts'
import { type ActivityRecord, activitySchema } from '../schemas/events/activity.ts'
import { type MetricPointRecord, metricPointSchema } from '../schemas/events/metric-point.ts'
import { signalSchema } from '../schemas/events/signal.avsc.ts'
import type { SignalRecord } from '../schemas/events/signal.ts'

/** Names of the schemas in the registry. */
export const SUBJECTS = ['signal', 'activity', 'metric_point'] as const

/** Codecs of the product's topics. */
export interface Codecs {
  readonly signalCodec: Codec<SignalRecord>
  readonly activityCodec: Codec<ActivityRecord>
  readonly metricPointCodec: Codec<MetricPointRecord>
}

export const createCodecs = (registry: SchemaRegistry): Codecs => ({
  signalCodec: createCodec({ registry, subject: 'signal', schema: signalSchema }),
  activityCodec: createCodec({ registry, subject: 'activity', schema: activitySchema }),
  metricPointCodec: createCodec({ registry, subject: 'metric_point', schema: metricPointSchema }),
})
