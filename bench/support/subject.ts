import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startStack } from '../../infra/stack/index.ts'
import { startInstallation } from '../../test/support/installation.ts'
import { startPrograms } from '../../test/support/programs.ts'

/** An installation to be measured. */
export interface Subject {
  readonly name: string
  readonly baseUrl: string
  /** Where requests of the load go: the edge itself, not a proxy in front of it. */
  readonly edgeUrl: string
  /** Every program once: the addresses of their `/metrics`. */
  readonly programs: readonly string[]
  /** Where each store keeps its data. */
  readonly disks: Readonly<Record<string, string>>
  remove(): Promise<void>
}

type Environment = Readonly<Record<string, string>>

const embedded = async (environment: Environment = {}): Promise<Subject> => {
  const { baseUrl, metricsUrl, dataDirectory, remove } = await startInstallation(environment)
  return {
    name: 'one process, embedded stores',
    baseUrl,
    edgeUrl: baseUrl,
    programs: [metricsUrl],
    disks: {
      log: join(dataDirectory, 'log'),
      Postgres: join(dataDirectory, 'postgres'),
      ClickHouse: join(dataDirectory, 'clickhouse'),
    },
    remove,
  }
}

const engines = async (environment: Environment = {}): Promise<Subject> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-bench-'))
  const stack = await startStack({ engines: ['kafka', 'registry', 'postgres', 'clickhouse'], directory })
  const installation = await startPrograms(stack, environment, [
    'ingest',
    'processors',
    'processors',
    'query-api',
  ]).catch(async error => {
    await stack.stop()
    throw error
  })
  const programs = Object.values(installation.programs).flatMap(all => all.map(program => program.baseUrl))
  return {
    name: 'an edge, two processors and a query API, on Kafka, PostgreSQL and ClickHouse',
    baseUrl: installation.baseUrl,
    edgeUrl: installation.programs.ingest[0]?.baseUrl ?? installation.baseUrl,
    programs,
    disks: {
      log: join(directory, 'kafka'),
      Postgres: join(directory, 'postgres/data/base'),
      ClickHouse: join(directory, 'clickhouse'),
    },
    async remove() {
      await installation.remove()
      await stack.stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** The ways to run it, each made fresh when it is its turn. */
export const SUBJECTS: Readonly<Record<string, (environment?: Environment) => Promise<Subject>>> = { embedded, engines }
