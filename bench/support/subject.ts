import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { startStack } from '../../infra/stack/index.ts'
import { newId, type SourceId } from '../../schemas/domain/ids.ts'
import { startInstallation } from '../../test/support/installation.ts'
import { type CreatedSource, signUp } from '../../test/support/person.ts'
import { startPrograms } from '../../test/support/programs.ts'
import type { Target } from './load.ts'
import { sumMetric } from './metrics.ts'
import type { BenchPool } from './stored-rows.ts'

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

const CONCURRENCY = 8

/**
 * Makes a workspace and a signal source for each target, as a person would in the app: one endpoint takes 100 signals a
 * minute, so a load spreads over many.
 */
export const createTargets = async (baseUrl: string, count: number): Promise<readonly Target[]> => {
  const person = await signUp(baseUrl)
  const createTarget = async (index: number): Promise<Target> => {
    const workspace = await person.call<{ id: string }>('create_workspace', { name: `Load ${index + 1}` })
    const { url, secret } = await person.inWorkspace(workspace.id).call<CreatedSource>('create_source', {
      kind: 'signal',
      name: 'Load',
    })
    return { url, secret }
  }
  const targets: Target[] = []
  for (let begin = 0; begin < count; begin += CONCURRENCY) {
    const size = Math.min(CONCURRENCY, count - begin)
    targets.push(...(await Promise.all(Array.from({ length: size }, (_, offset) => createTarget(begin + offset)))))
  }
  return targets
}

// A workspace has one source of signals.
const COPY_WORKSPACES = `
  insert into workspaces
  select (jsonb_populate_record(workspaces, jsonb_build_object('id', copied.id, 'slug', 'w-' || copied.id))).*
  from unnest($1::uuid[], $2::uuid[]) as copied (original, id)
  join sources on sources.id = copied.original join workspaces on workspaces.id = sources.workspace_id`
const COPY_SOURCES = `
  insert into sources
  select (jsonb_populate_record(sources, jsonb_build_object(
    'id', copied.id, 'workspace_id', copied.id, 'name', copied.id, 'changed_at', now()))).*
  from unnest($1::uuid[], $2::uuid[]) as copied (original, id) join sources on sources.id = copied.original`

/**
 * Endpoints beside the targets, each with the secret of one of them, until there are so many: made by the app it would
 * take an hour.
 */
export const copyTargets = async (
  pool: BenchPool,
  targets: readonly Target[],
  upTo: number,
): Promise<readonly Target[]> => {
  const copies = Array.from({ length: upTo - targets.length }, (_, place) => {
    const { url, secret } = targets[place % targets.length] ?? { url: '', secret: '' }
    const at = url.lastIndexOf('/') + 1
    const id = newId<SourceId>()
    return { original: url.slice(at), id, target: { url: url.slice(0, at) + id, secret } }
  })
  const ids = [copies.map(({ original }) => original), copies.map(({ id }) => id)]
  for (const copy of [COPY_WORKSPACES, COPY_SOURCES]) await pool.query(copy, ids)
  return copies.map(({ target }) => target)
}

/** What an installation must be started with for so many targets of one person, whose signals are all of one tenant. */
export const quotasFor = (count: number) => ({
  QUOTAS: `workspaces_of_account=${count + 1}`,
  INGEST_TENANT_BYTES_PER_MINUTE: String(1024 ** 4),
})

/** Waits until the edge has heard of so many endpoints, so that no request pays for a look-up. */
export const untilKnown = async (programs: readonly string[], endpoints: number): Promise<void> => {
  while ((await sumMetric(programs, 'assay_ingest_sources')) < endpoints) await delay(250)
}
