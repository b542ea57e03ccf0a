import { stringify } from 'yaml'
import { page } from '../reference.ts'
import { ALERTS, type Alert } from './alerts.ts'
import { METRICS, type Metric } from './metrics.ts'

const RUNBOOKS = 'docs/reference/alerts.md'

const ruleOf = ({ name, severity, expr, for: lasts, summary, means }: Alert): object => ({
  alert: name,
  expr,
  for: lasts,
  labels: { severity },
  annotations: { summary, description: means, runbook: `${RUNBOOKS}#${name.toLowerCase()}` },
})

/** A rule file of Prometheus, with every alert. */
export const rulesFile = (): string => {
  const rules = { groups: [{ name: 'assay', rules: ALERTS.map(ruleOf) }] }
  return `# Generated from docs/monitoring/alerts.ts by \`npm run docs\`; do not edit.\n${stringify(rules, { lineWidth: 0 })}`
}

const list = (items: readonly string[]): string => items.map(item => `- ${item}`).join('\n')

const runbook = ({ name, severity, for: lasts, means, look, do: todo }: Alert): string =>
  [`## ${name}`, `\`${severity}\`, after ${lasts}. ${means}`, 'Look at:', list(look), 'Then:', list(todo)].join('\n\n')

/** The page that says of each alert what to do. */
export const alertsPage = (): string =>
  page(
    'Alerts',
    'What each alert of [the rules](../../infra/deploy/chart/monitoring/alerts.yaml) means, where to look, and what to do; its expression stands there. `page` is for now: people or senders are without something. `ticket` can wait for the morning.',
    ...ALERTS.map(runbook),
  )

const listOf = (program: string, metrics: readonly Metric[]): string =>
  [
    `## ${program}`,
    list(
      metrics.map(({ name, type, labels, help }) => {
        const labelled = labels.length === 0 ? name : `${name}{${labels.join(',')}}`
        return `\`${labelled}\` (${type}): ${help}`
      }),
    ),
  ].join('\n\n')

/** The page that lists the metrics. */
export const metricsPage = (): string =>
  page(
    'Metrics',
    'Each program has them on `/metrics`, with the label `program` and beside those of its process (`process_…`, `nodejs_…`). [Watch](../operations/watch.md) says how to have them looked at.',
    ...[...Map.groupBy(METRICS, ({ program }) => program)].map(([program, metrics]) => listOf(program, metrics)),
  )
