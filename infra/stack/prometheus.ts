import { spawnSync } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { AssayError } from '../runtime/errors.ts'
import { type Engine, type EngineOptions, HOST } from './engine.ts'
import { createDaemon } from './process.ts'

const RULES = fileURLToPath(new URL('../deploy/chart/monitoring/alerts.yaml', import.meta.url))
/** Default ports of the edge, the query API and the processors. */
const PROGRAM_PORTS = [8080, 8082, 8083]
const BETWEEN_LOOKS = '5s'
const ANSWER_TIMEOUT_MS = 1000

/** Scrape targets and alert rules, in JSON, which is YAML too. */
export const prometheusConfig = (): string =>
  JSON.stringify({
    global: { scrape_interval: BETWEEN_LOOKS, evaluation_interval: BETWEEN_LOOKS },
    rule_files: [RULES],
    scrape_configs: [
      { job_name: 'assay', static_configs: [{ targets: PROGRAM_PORTS.map(port => `${HOST}:${port}`) }] },
    ],
  })

/**
 * Prometheus for the programs of this machine. No registry of npm, pip or Maven has it, therefore the system's is used:
 * `install` rejects with `unavailable` without one.
 */
export const createPrometheus = ({ directory, config }: EngineOptions): Engine => {
  const { prometheusPort: port } = config
  const home = join(directory, 'prometheus')
  const file = join(directory, 'prometheus.yaml')
  const daemon = createDaemon({ directory, name: 'prometheus' })
  return {
    name: 'prometheus',
    variables: {},
    ports: { STACK_PROMETHEUS_PORT: port },
    daemon,
    async install() {
      if (spawnSync('prometheus', ['--version']).error === undefined) return
      throw new AssayError(
        'unavailable',
        'Prometheus is not on the PATH. Install it (apt-get install prometheus, brew install prometheus), and run this again.',
      )
    },
    async start() {
      await mkdir(home, { recursive: true })
      await writeFile(file, prometheusConfig())
      const parameters = [
        `--config.file=${file}`,
        `--storage.tsdb.path=${home}`,
        `--web.listen-address=${HOST}:${port}`,
      ]
      await daemon.start({ command: 'prometheus', parameters })
    },
    async ready() {
      const { status } = await fetch(`http://${HOST}:${port}/-/ready`, {
        signal: AbortSignal.timeout(ANSWER_TIMEOUT_MS),
      })
      if (status !== 200) throw new Error(`Prometheus answers ${status}.`)
    },
  }
}
