import { parentPort, workerData } from 'node:worker_threads'
import { createAnalytics } from '../infra/clickhouse/client.ts'
import { connectEmbeddedLog } from '../infra/log/embedded/index.ts'
import { chooseEmbedder, chooseJudge } from '../infra/models/choose.ts'
import { createDatabase } from '../infra/postgres/database.ts'
import { createPool } from '../infra/postgres/pool.ts'
import { asAssayError } from '../infra/runtime/errors.ts'
import { createLogger, type Logger } from '../infra/runtime/logger.ts'
import { createMetrics } from '../infra/runtime/metrics.ts'
import { createPseudonymizer, createSealer } from '../infra/runtime/secrets.ts'
import { createCodecs } from '../model/codecs.ts'
import { startProcessors } from './main.ts'
import type { Answers, Asked, FromThread, ThreadOptions } from './thread-messages.ts'

/** The processors on a thread of their own, for the embedded default; see `embedded.ts`. */

const MAX_CONNECTIONS = 6

interface Running {
  answer(ask: Asked['ask']): Promise<Answers[Asked['ask']]>
}

const start = async (options: ThreadOptions, logger: Logger): Promise<Running> => {
  const { installationKey, settings } = options
  const metrics = createMetrics({ program: 'processors', ofProcess: false })
  const log = connectEmbeddedLog(options.logPort, { logger })
  const database = createDatabase(createPool({ connection: options.postgres, max: MAX_CONNECTIONS, logger }))
  const analytics = createAnalytics(options.analytics, { logger })
  const processors = await startProcessors({
    log,
    ...createCodecs(log.registry),
    database,
    analytics,
    embedder: chooseEmbedder(options.embeddings),
    judge: chooseJudge(options.judge),
    actorKey: createPseudonymizer(installationKey, 'actors'),
    sealer: createSealer(installationKey),
    settings,
    logger,
    metrics,
  })

  const stop = async (): Promise<null> => {
    await processors.stop()
    await Promise.all([log.close(), database.close(), analytics.close()])
    return null
  }
  return {
    answer: async ask => {
      if (ask === 'health') return processors.health()
      if (ask === 'metrics') return (await metrics.expose()).body
      return stop()
    },
  }
}

const port = parentPort
if (port === null) throw new TypeError('The processors’ thread is started by `startProcessorsThread`.')
const tell = (message: FromThread): void => port.postMessage(message)
// `startProcessorsThread` gives nothing else.
const options = workerData as ThreadOptions
const logger = createLogger({ level: options.logLevel, program: 'processors' })

try {
  const running = await start(options, logger)
  port.on('message', async ({ id, ask }: Asked) => {
    try {
      tell({ kind: 'answer', id, answer: await running.answer(ask) })
    } catch (error) {
      const { code, publicMessage } = asAssayError(error)
      tell({ kind: 'failure', id, code, message: publicMessage })
    }
    if (ask === 'stop') port.close()
  })
  tell({ kind: 'ready' })
} catch (error) {
  const { code, publicMessage } = asAssayError(error)
  if (code === 'internal') logger.error({ err: error }, 'The processors could not start.')
  tell({ kind: 'refused', code, message: publicMessage })
  process.exit(1)
}
