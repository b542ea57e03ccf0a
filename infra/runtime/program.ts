import type { TelemetrySettings } from '../telemetry/config.ts'
import { startTelemetry } from '../telemetry/telemetry.ts'
import { createHealth, type Health, measureHealth } from './health.ts'
import { createLogger, type Logger, type LogLevel } from './logger.ts'
import { createMetrics, type Metrics } from './metrics.ts'
import { measureVersion } from './product-version.ts'
import { withDeadline } from './promises.ts'

interface LifecycleOptions {
  readonly logger: Logger
  /** How long everything that is stopped may take together. Default 25 s: orchestrators kill after 30. */
  readonly deadlineMs?: number
  /** Of a command: a signal keeps it from its end, and whoever waits for that must not go on. */
  readonly endsByItself?: boolean
  /** Called once, before anything is stopped. */
  readonly onStopping?: () => void
  /** The process to listen to and end; another one in tests. */
  readonly process?: Pick<NodeJS.Process, 'on' | 'off' | 'exit'>
  /** Milliseconds of a clock that never goes back. */
  readonly now?: () => number
}

/**
 * What a program has started, to be stopped in the opposite order: what was started last may need what was started
 * before.
 */
export interface Lifecycle {
  onStop(name: string, stop: () => void | Promise<void>): void
  /**
   * Stops everything once, however often it is called, and resolves with the exit code: 1 if something failed to stop.
   */
  stop(): Promise<number>
  /**
   * Stops and exits on SIGINT and SIGTERM: a program with 0, a command that is kept from its end with the code of the
   * signal. A second signal, a second later or more, exits at once: one press of Ctrl+C comes twice under npm, from the
   * terminal and from npm. An error that nobody caught is logged and stops with code 1: after one, nobody knows what
   * state the process is in.
   */
  listen(): void
}

const DEADLINE_MS = 25_000
/** Signals that come so close together are one. */
const SAME_SIGNAL_MS = 1000
/** Exit codes of a process that a signal ended: 128 and the signal's number. */
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
    // Most commands keep no log: whoever runs one would see it end with 1 and not a word.
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

/** What every program has from its first moment. */
export interface Program {
  readonly logger: Logger
  readonly metrics: Metrics
  readonly health: Health
  readonly lifecycle: Lifecycle
}

interface ProgramOptions {
  /** In every line of its log and on every metric. */
  readonly name: string
  readonly logLevel: LogLevel
  /** What is told a collector; absent for a command that ends by itself. */
  readonly telemetry?: TelemetrySettings
}

/**
 * Runs a program: signals stop it, and when `start` rejects, what it has started by then is stopped again.
 * Resolves once `start` does; the program goes on.
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
