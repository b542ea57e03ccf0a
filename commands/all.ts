import { classifierEndpoint, embeddingsEndpoint, judgeEndpoint, MODELS_CONFIG } from '../infra/models/config.ts'
import type { ConfigOf } from '../infra/runtime/config.ts'
import { openDataDirectory } from '../infra/runtime/data-directory.ts'
import { exposeTogether } from '../infra/runtime/metrics.ts'
import { runProgram } from '../infra/runtime/program.ts'
import { EMBEDDED_CONFIG, KEY_CONFIG, PROGRAM_CONFIG } from '../infra/runtime/program-config.ts'
import { optional } from '../infra/runtime/settings.ts'
import { STORES_CONFIG, startStores } from '../infra/stores.ts'
import { INGEST_CONFIG } from '../ingest/config.ts'
import { openIngest } from '../ingest/main.ts'
import { PROCESSORS_CONFIG } from '../processors/config.ts'
import { assertWorking } from '../processors/framework/health.ts'
import { startProcessorsThread } from '../processors/start-thread.ts'
import { QUERY_API_CONFIG } from '../query-api/config.ts'
import { openQueryApi } from '../query-api/main.ts'

export const ALL_CONFIG = {
  ...PROGRAM_CONFIG,
  ...EMBEDDED_CONFIG,
  installationKey: optional(KEY_CONFIG.installationKey),
  ...STORES_CONFIG,
  ...QUERY_API_CONFIG,
  ...INGEST_CONFIG,
  ...PROCESSORS_CONFIG,
  ...MODELS_CONFIG,
}

const greeting = (address: string, dataDirectory: string): string => `
Assay is running at ${address}, with its data in ${dataDirectory}

  1. Sign up:            ${address}/sign-up
  2. Create a source:    ${address}/app/settings/sources (shows a curl that sends your first signal)
  3. Connect an agent:   ${address}/app/settings/connect-agents

Ctrl+C stops it. What was answered 200 is kept.
`

/**
 * The three programs in this process, on stores that are embedded unless they are configured. Parts stop in the opposite order: the
 * edge first, the stores last. Resolves once it serves.
 */
export const runAll = (config: ConfigOf<typeof ALL_CONFIG>): Promise<void> =>
  runProgram({ name: 'assay', logLevel: config.logLevel }, async program => {
    const { logger, metrics, health, lifecycle } = program
    const data = await openDataDirectory(config.dataDirectory)
    lifecycle.onStop('the data directory', data.release)
    const installationKey = config.installationKey ?? data.installationKey
    const { connectLog, postgres, analytics } = await startStores({ config, data, logger, lifecycle })
    const embeddings = embeddingsEndpoint(config)

    const processors = await startProcessorsThread({
      log: connectLog(),
      postgres,
      analytics,
      embeddings,
      judge: judgeEndpoint(config),
      classifier: classifierEndpoint(config),
      installationKey,
      settings: config,
      logLevel: config.logLevel,
    })
    lifecycle.onStop('the processors', processors.stop)
    health.check('processors', async () => assertWorking(await processors.health()))

    const baseUrl = config.baseUrl ?? `http://localhost:${config.port}`
    const queryApi = await openQueryApi({
      program,
      log: connectLog(),
      postgres,
      analytics,
      embeddings,
      installationKey,
      settings: { ...config, baseUrl },
    })
    await openIngest({
      program: { ...program, metrics: { ...metrics, expose: exposeTogether(metrics, processors.metrics) } },
      log: connectLog(),
      postgres,
      installationKey,
      settings: config,
      fallback: queryApi.fetch,
    })
    lifecycle.onStop('the event streams', queryApi.drain)
    process.stdout.write(greeting(baseUrl, data.path))
  })
