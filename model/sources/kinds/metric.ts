import { MetricBody } from '../../../schemas/http/metric.ts'
import type { PostedIntake, SourceKindDescription } from './kind.ts'

/** The metric webhook: a number with its time. It makes no signal. */
export const metric: SourceKindDescription<PostedIntake> = {
  intake: {
    reachedBy: 'post',
    segment: () => 'metric',
    contentTypes: ['application/json'],
    maxBodyBytes: 16 * 1024,
    limit: { requests: 60, seconds: 60 },
    proof: { scheme: 'bearer' },
    headers: [
      {
        name: 'X-Idempotency-Key',
        description:
          'The sender’s own key: under it one date is one point, whose last value counts, and without a date one value is.',
        required: false,
      },
    ],
    body: MetricBody,
    answer: {
      properties: {
        metric_id: { type: 'string', format: 'uuid' },
        occurred_at: { type: 'string', format: 'date-time' },
      },
      required: ['metric_id', 'occurred_at'],
    },
    operation: {
      id: 'receive_metric_point',
      summary: 'Send a value of a metric',
      description:
        'Shows on the nodes of the map that the metric is bound to; makes no signal. The first of occurred_at, timestamp, date and time dates the point, else its receipt.',
    },
    example: () => ({ headers: {}, body: JSON.stringify({ value: 1 }) }),
    expectedResponse: '200 with {"ok": true}: a point of value 1, received now. Nothing takes it back.',
  },
  createdBy: 'person',
  oneOnly: null,
  connectables: [
    {
      code_host: null,
      title: 'Metric webhook',
      accepts: 'A number over time. It makes no Signal; bound to a node of the map, it shows there.',
      words:
        'metric metrics kpi number value analytics dashboard prometheus grafana datadog mixpanel amplitude posthog bigquery sql warehouse nps retention conversion revenue',
      steps: [
        'Post {"value": number} to the URL, with the secret as the bearer token; occurred_at dates a point of the past.',
        'Bind the metric to a node of the product map: the node then shows the newest value.',
      ],
    },
  ],
  form: {
    label: 'Metric webhook',
    about: 'Posts values of one metric, which map nodes can show. It makes no signals.',
    icon: 'chart',
    exampleName: 'Weekly active teams',
    fields: [],
    asksValue: true,
  },
}
