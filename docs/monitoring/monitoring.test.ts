import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { prometheusConfig } from '../../infra/stack/prometheus.ts'
import { REFUSAL_REASONS } from '../../query-api/operations/sources/refusal-meanings.ts'
import { ROOT } from '../../test/files.ts'
import { ALERTS } from './alerts.ts'
import { DASHBOARDS } from './dashboards.ts'
import { monitoringFiles } from './files.ts'
import { METRICS, type Metric, PROCESS_METRICS } from './metrics.ts'
import { readPromql } from './promql.ts'

const textOf = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

for (const [path, text] of Object.entries(monitoringFiles())) {
  test(`${path} says what the definitions say; npm run docs writes it`, () => assert.equal(textOf(path), text))
}

/** What Prometheus adds to what a program says. */
const OF_PROMETHEUS = ['job', 'instance', 'program']
const UP: Metric = { name: 'up', type: 'gauge', help: '', labels: [], program: '' }

/** Each name that can be asked for, with its labels. */
const SERIES: ReadonlyMap<string, readonly string[]> = new Map(
  [...METRICS, ...PROCESS_METRICS, UP].flatMap(({ name, type, labels }): [string, readonly string[]][] => {
    const all = [...labels, ...OF_PROMETHEUS]
    if (type !== 'histogram') return [[name, all]]
    return [
      [`${name}_bucket`, [...all, 'le']],
      [`${name}_sum`, all],
      [`${name}_count`, all],
    ]
  }),
)

const EXPRESSIONS = [
  ...ALERTS.map(({ name, expr }) => [name, expr] as const),
  ...DASHBOARDS.flatMap(({ name, panels }) =>
    panels.flatMap(({ title, queries }) => Object.values(queries).map(expr => [`${name}: ${title}`, expr] as const)),
  ),
]

/**
 * What is wrong with an expression: a metric that nobody measures, a label that it does not have, what is no PromQL.
 */
const wrongWith = (expression: string): string[] => {
  const { errors, metrics, groupedBy } = readPromql(expression)
  const had = new Set(metrics.flatMap(({ name }) => SERIES.get(name) ?? []))
  return [
    ...errors.map(error => `no PromQL: ${error}`),
    ...metrics.flatMap(({ name, labels }) => {
      const known = SERIES.get(name)
      if (known === undefined) return [`no metric ${name}`]
      return labels.filter(label => !known.includes(label)).map(label => `${name} has no label ${label}`)
    }),
    ...groupedBy.filter(label => !had.has(label)).map(label => `nothing to group by ${label}`),
  ]
}

test('every alert and every panel asks in PromQL for metrics and labels that the programs have', () => {
  assert.ok(EXPRESSIONS.length > 60)
  const wrong = EXPRESSIONS.flatMap(([where, expression]) => wrongWith(expression).map(what => `${where}: ${what}`))
  assert.deepEqual(wrong, [])
})

test('what stack:up --watch gives Prometheus has the alerts, and the ports that the page names', () => {
  const { rule_files, scrape_configs } = JSON.parse(prometheusConfig())
  assert.deepEqual(rule_files, [join(ROOT, 'infra/deploy/chart/monitoring/alerts.yaml')])
  const [, named = ''] = /targets: \[(.*)\]/.exec(textOf('docs/operations/watch.md')) ?? []
  const ports = [...named.matchAll(/:(\d+)"/g)].map(([, port]) => `127.0.0.1:${port}`)
  assert.deepEqual(scrape_configs[0].static_configs[0].targets.toSorted(), ports.toSorted())
})

const hasPromtool = spawnSync('promtool', ['--version']).error === undefined

test('Prometheus’ own checker takes this configuration and every alert', {
  skip: !hasPromtool && 'promtool is not on the PATH',
}, t => {
  const file = join(mkdtempSync(join(tmpdir(), 'assay-prometheus-')), 'prometheus.yaml')
  t.after(() => rmSync(dirname(file), { recursive: true }))
  writeFileSync(file, prometheusConfig())
  const { status, stdout, stderr } = spawnSync('promtool', ['check', 'config', file], { encoding: 'utf8' })
  assert.equal(status, 0, stdout + stderr)
  assert.match(stdout, new RegExp(`SUCCESS: ${ALERTS.length} rules found`))
})

test('an expression that asks for what is not there is noticed', () => {
  assert.deepEqual(wrongWith('sum(rate(assay_nothing_total[5m]))'), ['no metric assay_nothing_total'])
  assert.deepEqual(wrongWith('assay_group_waiting{lane="live"}'), ['assay_group_waiting has no label lane'])
  assert.deepEqual(wrongWith('sum by (lane) (assay_group_waiting)'), ['nothing to group by lane'])
  assert.notDeepEqual(wrongWith('sum by (group) (assay_group_waiting'), [])
})

test('the metrics are all that the code measures', () => {
  const files = globSync('{infra,model,ingest,processors,query-api}/**/*.ts', { cwd: ROOT })
  const measuring = files.filter(
    file => !/test(ing)?[^/]*\.ts$/.test(file) && /\b(Counter|Gauge|Histogram|measureNow)\b/.test(textOf(file)),
  )
  const named = measuring.flatMap(file => textOf(file).match(/(?<!role: ')(?<=')assay_[a-z_]+(?=')/g) ?? [])
  assert.deepEqual(METRICS.map(({ name }) => name).toSorted(), named.toSorted())
})

test('every metric is on a dashboard', () => {
  const shown = DASHBOARDS.flatMap(({ panels }) => panels.flatMap(({ queries }) => Object.values(queries))).join('\n')
  assert.deepEqual(
    METRICS.filter(({ name }) => !shown.includes(name)).map(({ name }) => name),
    [],
  )
})

test('a refusal that an alert or a panel names is one that the edge gives', () => {
  const reasons = EXPRESSIONS.flatMap(([, expression]) =>
    [...expression.matchAll(/assay_ingest_(?:refused|source_requests)_total\{(?:reason|outcome)=~?"([^"]+)"/g)].flatMap(
      ([, values = '']) => values.split('|'),
    ),
  )
  assert.ok(reasons.length >= 4)
  for (const reason of reasons) assert.ok(REFUSAL_REASONS.includes(reason), reason)
})

test('every alert has a name of its own, a length, and a runbook that says where to look and what to do', () => {
  assert.equal(new Set(ALERTS.map(({ name }) => name)).size, ALERTS.length)
  const page = textOf('docs/reference/alerts.md')
  for (const { name, for: lasts, look, do: todo } of ALERTS) {
    assert.match(name, /^Assay[A-Z]\w+$/)
    assert.match(lasts, /^\d+[mh]$/)
    assert.ok(look.length > 0 && todo.length > 0, name)
    assert.ok(page.includes(`\n## ${name}\n`), name)
  }
  for (const [, anchor = ''] of textOf('infra/deploy/chart/monitoring/alerts.yaml').matchAll(/alerts\.md#(\w+)/g))
    assert.ok(page.toLowerCase().includes(`\n## ${anchor}\n`), anchor)
})
