import { rm } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { AssayError } from '../runtime/errors.ts'
import type { Engine } from './engine.ts'
import { requireFreePorts } from './ports.ts'
import { removePostgresHome } from './postgres-home.ts'
import { stopDaemons } from './process.ts'

const READY_DEADLINE_MS = 90_000
const PAUSE_MS = 50

const untilReady = async ({ name, daemon, ready }: Engine): Promise<void> => {
  const deadline = Date.now() + READY_DEADLINE_MS
  const giveUp = (reason: string, cause: unknown): never => {
    throw new AssayError('unavailable', `${name} ${reason}. Its last lines:\n${daemon.lastWords()}`, { cause })
  }
  for (;;) {
    try {
      return await ready()
    } catch (error) {
      if (!daemon.isRunning()) giveUp('ended while it was starting', error)
      if (Date.now() > deadline) giveUp(`was not ready after ${READY_DEADLINE_MS / 1000} s`, error)
    }
    await sleep(PAUSE_MS)
  }
}

const start = async (engine: Engine): Promise<void> => {
  if (!engine.daemon.isRunning()) {
    await engine.install()
    await engine.start()
  }
  await untilReady(engine)
}

/** Starts those engines that do not run yet, side by side, and resolves when all do their work. */
export const startEngines = async (engines: readonly Engine[]): Promise<void> => {
  for (const { daemon, ports } of engines) if (!daemon.isRunning()) await requireFreePorts(ports)
  const outcomes = await Promise.allSettled(engines.map(start))
  const failed = outcomes.find(outcome => outcome.status === 'rejected')
  if (failed !== undefined) throw failed.reason
}

/** Ends every engine that was started in a directory, and removes the directory. */
export const stopEngines = async (directory: string): Promise<void> => {
  await stopDaemons(directory)
  await removePostgresHome(directory)
  await rm(directory, { recursive: true, force: true })
}
