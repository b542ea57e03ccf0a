import type { TelemetrySettings } from '../telemetry/config.ts'
import { startTelemetry } from '../telemetry/telemetry.ts'
import { createHealth, type Health, measureHealth } from './health.ts'
import { createLogger, type Logger, type LogLevel } from './logger.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { measureVersion } from './product-version.ts'
import { withDeadline } from './promises.ts'

interface LifecycleOptions {
  readonly logger: Logger
  /** How long all stops may take together, ms. Default 25 s: orchestrators kill after 30 s. */
  readonly deadlineMs?: number
  /**
   * True for a command: after a signal it exits with the signal's code, so that what runs next in a script does not go
   * on.
   */
  readonly endsByItself?: boolean
  /** Called once, before anything is stopped. */
  readonly onStopping?: () => void
  /** The process to listen to and end; another object in tests. */
  readonly process?: Pick<NodeJS.Process, 'on' | 'off' | 'exit'>
  /** Milliseconds of a monotonic clock. */
  readonly now?: () => number
}

/** The started parts of a program. Stops run in the opposite order: a later part may need an earlier one. */
export interface Lifecycle {
  onStop(name: string, stop: () => void | Promise<void>): void
  /** Stops everything once, however often it is called. Resolves with the exit code: 1 if something failed to stop. */
  stop(): Promise<number>
  /**
   * Stops and exits on SIGINT and SIGTERM: a program with 0, a command with the signal's code. A second signal at least
   * 1 s later exits at once; under npm one Ctrl+C sends two signals, from the terminal and from npm. An uncaught error
   * is logged and stops the program with code 1, since the process may be in any state.
   */
  listen(): void
}

const DEADLINE_MS = 25_000
/** Signals within this time count as one. */
const SAME_SIGNAL_MS = 1000
/** Exit codes of a process that a signal ended: 128 plus the signal's number. */
const SIGNALS = { SIGINT: 130, SIGTERM: 143 } as const

export const createLifecycle = (options: LifecycleOptions): Lifecycle => {
  const { logger, deadlineMs = DEADLINE_MS, endsByItself = false, onStopping, process: target = process } = options
  const { now = () => performance.now() } = options
  const stops: { readonly name: string; readonly stop: () => void | Promise<void> }[] = []
  let stopping: Promise<number> | null = null
  let signalledAt: number | null = null

  const stopAll = async (): Promise<number> => {
    onStopping?.()
    const end = Date.now() + deadlineMs
    let code = 0
    for (const { name, stop } of stops.toReversed()) {
      try {
        const remaining = Math.max(1, end - Date.now())
        await withDeadline(Promise.resolve().then(stop), remaining, `Stopping ${name}`)
        logger.debug({ part: name }, 'stopped')
      } catch (error) {
        code = 1
        logger.error({ err: error, part: name }, 'could not be stopped')
      }
    }
    return code
  }

  const stop = (): Promise<number> => {
    stopping ??= stopAll()
    return stopping
  }

  const onSignal = (signal: keyof typeof SIGNALS) => {
    if (signalledAt !== null && now() - signalledAt < SAME_SIGNAL_MS) return
    if (stopping !== null) return target.exit(SIGNALS[signal])
    signalledAt = now()
    logger.info({ signal }, 'stopping')
    void stop().then(code => target.exit(code === 0 && endsByItself ? SIGNALS[signal] : code))
  }

  const onError = (error: unknown) => {
    logger.fatal({ err: error }, 'an error that nobody caught; stopping')
    // Most commands write no log: without this line the command would end with code 1 and no message.
    if (endsByItself && logger.level === 'silent')
      process.stderr.write(`An error that nobody caught: ${error instanceof Error ? error.stack : String(error)}\n`)
    void stop().then(() => target.exit(1))
  }

  return {
    onStop: (name, part) => void stops.push({ name, stop: part }),
    stop,
    listen() {
      target.on('SIGINT', onSignal)
      target.on('SIGTERM', onSignal)
      target.on('uncaughtException', onError)
      target.on('unhandledRejection', onError)
    },
  }
}

/** The parts that every program has from the start. */
export interface Program {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly health: Health
  readonly lifecycle: Lifecycle
}

interface ProgramOptions {
  /** In every log line and on every metric. */
  readonly name: string
  readonly logLevel: LogLevel
  /** Where telemetry is sent; absent for a command, which ends by itself. */
  readonly telemetry?: TelemetrySettings
}

/**
 * Runs a program until a signal stops it. Resolves when `start` does; the program runs on. When `start` rejects,
 * everything started so far is stopped, and the error is thrown.
 *
 * @example
 * await runProgram({ name: 'ingest', logLevel, telemetry }, async ({ lifecycle }) => {
 *   const server = await listen(http, { host, port })
 *   lifecycle.onStop('server', server.stop)
 * })
 */
export const runProgram = async (
  { name, logLevel, telemetry: settings }: ProgramOptions,
  start: (program: Program) => Promise<void>,
): Promise<void> => {
  const metrics = createMetrics({ program: name })
  const telemetry = settings === undefined ? null : await startTelemetry({ name, settings, metrics })
  const logger = createLogger({
    level: logLevel,
    program: name,
    also: telemetry?.log ?? null,
    oncePerMinute: true,
  })
  const health = createHealth()
  const endsByItself = settings === undefined
  const lifecycle = createLifecycle({ logger, endsByItself, onStopping: health.stopping })
  measureHealth(metrics, health)
  measureVersion(metrics)
  lifecycle.listen()
  if (telemetry !== null) lifecycle.onStop('telemetry', telemetry.stop)
  try {
    await start({ logger, metrics, health, lifecycle })
  } catch (error) {
    await lifecycle.stop()
    throw error
  }
}
