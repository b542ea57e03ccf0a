import { parentPort, workerData } from 'node:worker_threads'
import { asAssayError } from '../infra/runtime/errors.ts'
import { createLogger, type Logger } from '../infra/runtime/logger.ts'
import { createMetrics, type Metrics } from '../infra/runtime/metrics.ts'
import { startTelemetry } from '../infra/telemetry/telemetry.ts'
import { openProcessors } from './main.ts'
import type { Answers, FromThread, ThreadOptions, ThreadRequest } from './start-thread.ts'

/** The entry of the processors' thread; see `start-thread.ts`. */

interface Running {
  answer(ask: ThreadRequest['ask']): Promise<Answers[ThreadRequest['ask']]>
}

const start = async (options: ThreadOptions, logger: Logger, metrics: Metrics): Promise<Running> => {
  const { started, stop } = openProcessors(options, { logger, metrics })
  const processors = await started
  return {
    answer: async ask => {
      if (ask === 'health') return processors.health()
      if (ask === 'metrics') return (await metrics.expose()).body
      await stop()
      await telemetry?.stop()
      return null
    },
  }
}

const port = parentPort
if (port === null) throw new TypeError('The processors’ thread is started by `startProcessorsThread`.')
const tell = (message: FromThread): void => port.postMessage(message)
// `startProcessorsThread` passes this type.
const options = workerData as ThreadOptions
const metrics = createMetrics({ program: 'processors', ofProcess: false })
const telemetry = await startTelemetry({ name: 'processors', settings: options.telemetry, metrics })
const logger = createLogger({
  level: options.logLevel,
  program: 'processors',
  also: telemetry?.log ?? null,
  oncePerMinute: true,
})

try {
  const running = await start(options, logger, metrics)
  port.on('message', async ({ id, ask }: ThreadRequest) => {
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
