import { once } from 'node:events'
import { parentPort, workerData } from 'node:worker_threads'
import { type Engine, openEngine } from './engine.ts'
import { allowCancelling, clockOn } from './exchange-clock.ts'
import { startHousekeeping } from './housekeeping.ts'
import type { FromWorker, ToWorker, WorkerOptions } from './index.ts'
import { removeLeftFiles } from './left-files.ts'
import { serve } from './server.ts'

/** The thread that the engine blocks while it works. */
const start = async ({ directory, socketPath, clock: memory }: WorkerOptions) => {
  const engine: Engine = await openEngine({ directory })
  const clock = clockOn(memory)
  allowCancelling(engine, clock)
  const server = await serve({ engine, socketPath, clock })
  await removeLeftFiles(directory, server).catch(complain)
  const housekeeping = await startHousekeeping(server, complain)
  const stop = async () => {
    await housekeeping.stop()
    await server.close()
    await engine.close()
  }
  return { housekeeping, stop }
}

const say = (message: FromWorker) => parentPort?.postMessage(message)
const complain = (failure: Error) => say({ type: 'complaint', message: failure.message })

// The starter of this thread passes exactly these options.
const options = workerData as WorkerOptions

try {
  if (parentPort) await once(parentPort, 'message')
  const { housekeeping, stop } = await start(options)
  parentPort?.on('message', async (message: ToWorker) => {
    if (message.type === 'tidy') return housekeeping.resume()
    if (message.type === 'untidy') {
      await housekeeping.pause()
      return say({ type: 'untidied' })
    }
    if (message.type === 'rewrite') {
      const failure = await housekeeping.rewrite().then(
        () => null,
        error => (error instanceof Error ? error.message : String(error)),
      )
      return say({ type: 'rewritten', failure })
    }
    if (message.type === 'stop') await stop()
    process.exit(0)
  })
  say({ type: 'ready' })
} catch (error) {
  say({ type: 'failed', message: error instanceof Error ? error.message : String(error) })
}
