import { dashboardFiles } from './grafana.ts'
import { alertsPage, metricsPage, rulesFile } from './rules.ts'

const FOLDER = 'infra/deploy/chart/monitoring'

/** Every generated file of the monitoring, by its path in the repository. */
export const monitoringFiles = (): Readonly<Record<string, string>> => ({
  [`${FOLDER}/alerts.yaml`]: rulesFile(),
  ...Object.fromEntries(Object.entries(dashboardFiles()).map(([name, text]) => [`${FOLDER}/dashboards/${name}`, text])),
  'docs/reference/alerts.md': alertsPage(),
  'docs/reference/metrics.md': metricsPage(),
})
