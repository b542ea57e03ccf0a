import { setFlagsFromString } from 'node:v8'
import { KAFKA_CONFIG, kafkaConnection } from '../infra/log/config.ts'
import { connectLog, type LogConnection } from '../infra/log/connect.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { assertPostgresMigrated } from '../infra/postgres/migrate.ts'
import { createPool, POSTGRES_CONFIG, type PostgresConnection } from '../infra/postgres/pool.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { type Program, runProgram } from '../infra/runtime/program.ts'
import { KEY_CONFIG, keyOf, PROGRAM_CONFIG } from '../infra/runtime/program-config.ts'
import { waitFor } from '../infra/runtime/promises.ts'
import { createSealer, type InstallationKey } from '../infra/runtime/secrets.ts'
import { TELEMETRY_CONFIG } from '../infra/telemetry/config.ts'
import { createValkey } from '../infra/valkey/client.ts'
import { createCodecs } from '../model/codecs.ts'
import { createKeyCheck } from '../model/installation/installation-key.ts'
import { INGEST_CONFIG, type IngestSettings } from './config.ts'
import type { FetchHandler } from './fallback/serve.ts'
import { type Ingest, type IngestPorts, startIngest } from './ingest.ts'
import { createSourceLoader } from './registry/loader.ts'

/** The settings of the edge as a separate program. */
export const INGEST_PROGRAM_CONFIG = {
  ...PROGRAM_CONFIG,
  ...TELEMETRY_CONFIG,
  ...KEY_CONFIG,
  ...KAFKA_CONFIG,
  ...POSTGRES_CONFIG,
  ...INGEST_CONFIG,
}

export interface IngestOptions extends Pick<IngestPorts, 'claimed' | 'probes' | 'limitsFile'> {
  readonly program: Program
  readonly log: LogConnection
  readonly postgres: PostgresConnection
  readonly installationKey: InstallationKey
  readonly acceptNewKey: boolean
  readonly settings: IngestSettings
  /** Handles every path that is not the edge's own, such as the query API's. */
  readonly fallback?: FetchHandler
}

export interface OpenIngest extends Ingest {
  /**
   * Rejects while migrations are missing, and with `invalid_configuration` when the database was sealed with another
   * key.
   */
  readonly assertMigrated: () => Promise<void>
}

/** The registry of sources runs one query at a time. */
const CONNECTIONS = 1

/** Starts the edge on stores that may still be away. The lifecycle stops it. */
export const openIngest = async ({
  program,
  postgres,
  installationKey,
  acceptNewKey,
  ...options
}: IngestOptions): Promise<OpenIngest> => {
  const { logger, health, lifecycle } = program
  const { log, registry } = connectLog(options.log, 'ingest', logger)
  lifecycle.onStop('the edge’s log', log.close)
  const pool = createPool({ connection: postgres, max: CONNECTIONS, priority: 'polling', logger })
  const database = createDatabase(pool)
  lifecycle.onStop('the registry of sources', database.close)
  // Without the database the edge only misses changes of sources.
  const assertOwnKey = createKeyCheck(database, { installationKey, acceptNewKey })
  const assertMigrated = async () => {
    await assertPostgresMigrated(pool)
    await assertOwnKey()
  }
  health.check('news of sources', assertMigrated, 'degrading')
  const { settings, fallback, claimed, probes, limitsFile = null } = options
  const valkey = settings.valkeyUrl === null ? null : createValkey({ url: settings.valkeyUrl, logger })
  if (valkey) {
    lifecycle.onStop('the shared limits', valkey.close)
    health.check('shared limits', valkey.assertAnswers, 'degrading')
  }
  const ingest = await startIngest({
    ...program,
    settings,
    limitsFile,
    log,
    ...createCodecs(registry),
    sources: createSourceLoader({
      database,
      assertMigrated,
      unseal: createSealer(installationKey).unseal,
      onUnreadable: (source, error) => logger.error({ err: error, source }, 'the secret of a source cannot be read'),
    }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(claimed === undefined ? {} : { claimed }),
    ...(probes === undefined ? {} : { probes }),
    ...(valkey === null ? {} : { valkey }),
  })
  lifecycle.onStop('the edge', ingest.stop)
  return { ...ingest, assertMigrated }
}

/** Runs the edge as a separate program. It listens at once. Resolves once the database has confirmed the key. */
export const runIngest = (config: ConfigOf<typeof INGEST_PROGRAM_CONFIG>): Promise<void> =>
  runProgram({ name: 'ingest', logLevel: config.logLevel, telemetry: config }, async program => {
    // Few objects of a request outlive it: waking threads to move them takes longer than moving them.
    setFlagsFromString('--no-parallel-scavenge')
    const { port, smtpPort, assertMigrated } = await openIngest({
      program,
      log: kafkaConnection(config),
      postgres: config.databaseUrl,
      installationKey: keyOf(config),
      acceptNewKey: config.acceptNewKey,
      settings: config,
    })
    process.stdout.write(`The edge listens on http://${config.host}:${port}\n`)
    if (smtpPort !== null) process.stdout.write(`It takes mail on smtp://${config.smtpHost}:${smtpPort}\n`)
    await waitFor(assertMigrated, { what: 'the database', logger: program.logger })
  })
