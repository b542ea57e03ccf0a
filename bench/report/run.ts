import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { FIGURES_FILE, type Figure } from '../support/measuring.ts'
import { describeAsked, formatFigure, renderPage } from './page.ts'
import {
  describeMachine,
  keepReport,
  keyOf,
  mediansOf,
  type Report,
  readCommit,
  readLast,
  summarize,
} from './report.ts'
import { beginReport, continueReport } from './under-way.ts'

const ROOT = new URL('../../', import.meta.url).pathname
const REPORTS = join(ROOT, 'bench/reports')
const PAGE = join(ROOT, 'bench/report.html')
const ROUNDS = 3

/**
 * What is run in each round: a round of all of them, and then the next, so that what else the machine does meets all
 * alike.
 */
const IN_ROUNDS = ['pipeline throughput', 'pipeline embedded', 'query endpoint']
/** What takes long, or has rounds of its own, or shows how something grows. */
const ONCE = [
  'smoke',
  'edge',
  'edge-memory',
  'pipeline latency',
  'pipeline recall',
  'pipeline themes',
  'pipeline growth',
  'pipeline hostile',
  'machines',
  'query reads --largest',
  'query activity --largest',
  'app',
]
const QUICK = ['edge --quick', 'pipeline throughput --quick', 'query endpoint --quick']

/**
 * Every benchmark but `evidence`, which needs labelled sets, and `segments` and `telemetry`, which compare settings.
 * Hours, so it is for a machine that does nothing else. With `--continue` it goes on where one was ended.
 */
export const all = (flags: readonly string[]): Promise<void> =>
  runReport('all', [...IN_ROUNDS, ...ONCE, ...Array.from({ length: ROUNDS - 1 }, () => IN_ROUNDS).flat()], flags)

/** The three that show most, small: for a change under way. */
export const quick = (flags: readonly string[]): Promise<void> => runReport('quick', QUICK, flags)

/**
 * Runs the benchmarks, each as a process of its own, and makes the report. One that fails is told of; the others go on.
 */
const runReport = async (
  kind: Report['kind'],
  benchmarks: readonly string[],
  flags: readonly string[],
): Promise<void> => {
  const { values } = parseArgs({ args: [...flags], options: { continue: { type: 'boolean', default: false } } })
  const now = { kind, startedAt: new Date().toISOString(), commit: readCommit(ROOT), machine: describeMachine() }
  const underWay = values.continue ? continueReport(REPORTS, now) : beginReport(REPORTS, now)
  for (const benchmark of benchmarks.slice(underWay.ended.length)) {
    console.log(`\n== ${benchmark}`)
    underWay.keep({ benchmark, ...(await runBenchmark(benchmark)) })
  }
  const { begun, ended } = underWay
  const failed = new Set(ended.filter(({ hasFailed }) => hasFailed).map(({ benchmark }) => benchmark))
  const figures = summarize(ended.flatMap(one => one.figures))
  const report: Report = { ...begun, figures, failed: [...failed] }
  const last = readLast(REPORTS, report)
  writeFileSync(PAGE, renderPage(report, last))
  const kept = keepReport(REPORTS, report)
  underWay.remove()
  printReport(report, last)
  console.log(`\n${PAGE}\n${kept}`)
  if (failed.size > 0) process.exitCode = 1
}

/** What a benchmark measured, and whether it failed or missed a budget of its own. */
const runBenchmark = async (benchmark: string): Promise<{ hasFailed: boolean; figures: readonly Figure[] }> => {
  const directory = mkdtempSync(join(tmpdir(), 'assay-bench-report-'))
  const file = join(directory, 'figures.jsonl')
  try {
    const words = [...process.execArgv, join(ROOT, 'bench/main.ts'), ...benchmark.split(' ')]
    const child = spawn(process.execPath, words, {
      cwd: ROOT,
      env: { ...process.env, [FIGURES_FILE]: file },
      stdio: 'inherit',
    })
    const [code] = await once(child, 'exit')
    const lines = existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : []
    return { hasFailed: code !== 0, figures: lines.map(line => JSON.parse(line) as Figure) }
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

const printReport = (report: Report, last: Report | null): void => {
  const before = mediansOf(last)
  console.log(`\ncommit ${report.commit}, ${report.machine}`)
  console.log(
    last === null ? 'There is no report to compare with.' : `Compared with ${last.commit}, ${last.startedAt}.`,
  )
  for (const figure of report.figures) {
    const was = before.get(keyOf(figure))
    const change = was === undefined || was === 0 ? '' : `, ${(figure.median / was).toFixed(2)} of the last`
    const asked = describeAsked(figure)
    const verdict = figure.isKept === null ? '' : `, asked ${asked}${figure.isKept ? '' : ': missed'}`
    console.log(`  ${keyOf(figure).padEnd(64)} ${formatFigure(figure.median)} ${figure.unit}${change}${verdict}`)
  }
  for (const name of report.failed) console.log(`  ${name} failed, or missed its budget.`)
}
