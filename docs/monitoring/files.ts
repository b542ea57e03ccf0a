import { DASHBOARDS, type Dashboard, type Panel } from './dashboards.ts'
import { alertsPage, metricsPage, rulesFile } from './rules.ts'

// biome-ignore lint/suspicious/noTemplateCurlyInString: Grafana fills it in.
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' }
const WIDTH = 8
const HEIGHT = 8
const COLUMNS = 3

const panelOf = ({ title, unit, queries, note, kind = 'timeseries' }: Panel, index: number): object => ({
  id: index + 1,
  type: kind,
  title,
  ...(note === undefined ? {} : { description: note }),
  datasource: DATASOURCE,
  gridPos: { x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT, w: WIDTH, h: HEIGHT },
  fieldConfig: { defaults: { unit, ...(kind === 'timeseries' ? { min: 0 } : {}) }, overrides: [] },
  options: {},
  targets: Object.entries(queries).map(([legendFormat, expr], at) => ({
    refId: String.fromCharCode(65 + at),
    datasource: DATASOURCE,
    expr,
    legendFormat,
    ...(kind === 'timeseries' ? {} : { instant: true, format: 'table' }),
  })),
})

/** A dashboard as Grafana 9 and later import it. It asks for a Prometheus data source by a variable. */
const dashboardOf = ({ name, title, panels }: Dashboard): object => ({
  uid: name,
  title,
  tags: ['assay'],
  schemaVersion: 36,
  editable: true,
  refresh: '30s',
  time: { from: 'now-3h', to: 'now' },
  timezone: '',
  templating: {
    list: [{ name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {} }],
  },
  annotations: { list: [] },
  links: [{ type: 'dashboards', tags: ['assay'], title: 'Assay', asDropdown: true, keepTime: true }],
  panels: panels.map(panelOf),
})

/** The text of each dashboard, by file name. */
const dashboardFiles = (): Readonly<Record<string, string>> =>
  Object.fromEntries(
    DASHBOARDS.map(dashboard => [`${dashboard.name}.json`, `${JSON.stringify(dashboardOf(dashboard), null, 2)}\n`]),
  )

const FOLDER = 'infra/deploy/chart/monitoring'

/** Every generated file of the monitoring, by its path in the repository. */
export const monitoringFiles = (): Readonly<Record<string, string>> => ({
  [`${FOLDER}/alerts.yaml`]: rulesFile(),
  ...Object.fromEntries(Object.entries(dashboardFiles()).map(([name, text]) => [`${FOLDER}/dashboards/${name}`, text])),
  'docs/reference/alerts.md': alertsPage(),
  'docs/reference/metrics.md': metricsPage(),
})
