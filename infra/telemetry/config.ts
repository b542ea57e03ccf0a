import type { ConfigOf, ConfigSchema } from '../runtime/config.ts'
import { choice, flag, integer, optional, text, url } from '../runtime/settings.ts'

const SENT = ['otlp', 'none'] as const

const sent = (env: string, what: string) =>
  choice({ env, values: SENT, default: 'otlp', doc: `Whether ${what} are sent, once there is an endpoint.` })

/**
 * OpenTelemetry's own variables. Its packages read some of them from the environment themselves, such as headers,
 * sampler and resource attributes; these are listed so that every program of an installation gets them.
 * https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/
 */
export const TELEMETRY_CONFIG = {
  otlpEndpoint: optional(
    url({
      env: 'OTEL_EXPORTER_OTLP_ENDPOINT',
      doc: 'The address of an OpenTelemetry collector, such as http://localhost:4318: traces, metrics and logs are sent there. Unless set nothing is.',
    }),
  ),
  otlpProtocol: choice({
    env: 'OTEL_EXPORTER_OTLP_PROTOCOL',
    values: ['http/protobuf'],
    default: 'http/protobuf',
    doc: 'How they are sent: OTLP over HTTP is what there is.',
  }),
  otlpHeaders: optional(
    text({
      env: 'OTEL_EXPORTER_OTLP_HEADERS',
      doc: 'Headers that go along, such as `authorization=Bearer%20…`.',
      secret: true,
    }),
  ),
  isTelemetryDisabled: flag({ env: 'OTEL_SDK_DISABLED', default: false, doc: 'Send nothing, whatever else is set.' }),
  traces: sent('OTEL_TRACES_EXPORTER', 'traces'),
  metrics: sent('OTEL_METRICS_EXPORTER', 'metrics'),
  logs: sent('OTEL_LOGS_EXPORTER', 'logs'),
  sampler: optional(
    text({
      env: 'OTEL_TRACES_SAMPLER',
      doc: 'Which traces are recorded, such as parentbased_traceidratio. Without it all are.',
    }),
  ),
  samplerArgument: optional(
    text({ env: 'OTEL_TRACES_SAMPLER_ARG', doc: 'The share of traces that such a sampler records, such as 0.05.' }),
  ),
  resourceAttributes: optional(
    text({
      env: 'OTEL_RESOURCE_ATTRIBUTES',
      doc: 'What is said of every program, such as deployment.environment.name=production.',
    }),
  ),
  metricExportMs: integer({
    env: 'OTEL_METRIC_EXPORT_INTERVAL',
    min: 100,
    max: 3_600_000,
    default: 60_000,
    doc: 'How often metrics are sent, in milliseconds.',
  }),
} satisfies ConfigSchema

export type TelemetrySettings = ConfigOf<typeof TELEMETRY_CONFIG>
