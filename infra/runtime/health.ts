import { asAssayError, isAssayError } from './errors.ts'
import { Gauge, type Metrics } from './metrics.ts'
import { withDeadline } from './promises.ts'

/** Rejects when the checked thing cannot do its work. */
type ReadinessCheck = () => Promise<void>

/** An HTTP status and the JSON to send with it. */
interface HealthReport {
  readonly status: 200 | 503
  readonly body: {
    readonly status: 'ok' | 'degraded' | 'failing' | 'stopping'
    readonly checks: Readonly<Record<string, 'ok' | string>>
  }
}

export interface Health {
  /**
   * Adds a dependency. The program does not work without a `vital` one, and does part of its work without a `degrading`
   * one.
   */
  check(name: string, check: ReadinessCheck, kind?: 'vital' | 'degrading'): void
  /** The health of one part of a program with several parts. A part's vital check is a degrading one of the program. */
  part(): Health
  /** Makes the program not ready from now on, whatever its checks say: it takes no new work. */
  stopping(): void
  /** `/livez`: this process can answer. Runs no check, since a restart would not repair a dependency. */
  live(): HealthReport
  /** `/readyz`: runs all checks, each with the time limit. A degraded program is ready (200) and lists what is away. */
  ready(): Promise<HealthReport>
}

const CHECK_TIMEOUT_MS = 2000

export const createHealth = ({ timeoutMs = CHECK_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Health => {
  const checks = new Map<string, { readonly check: ReadinessCheck; readonly vital: boolean }>()
  const parts: Health[] = []
  let isStopping = false

  const look = async (check: ReadinessCheck): Promise<string> => {
    try {
      await withDeadline(Promise.resolve().then(check), timeoutMs, 'The check')
      return 'ok'
    } catch (error) {
      return asAssayError(error).publicMessage
    }
  }

  const add: Health['check'] = (name, check, kind = 'vital') => {
    if (checks.has(name)) throw new TypeError(`There is a check "${name}" already; programs in one process share them.`)
    checks.set(name, { check, vital: kind === 'vital' })
  }

  return {
    check: add,
    part() {
      const part = createHealth({ timeoutMs })
      parts.push(part)
      return {
        ...part,
        check(name, check, kind) {
          part.check(name, check, kind)
          add(name, check, 'degrading')
        },
      }
    },
    stopping: () => {
      isStopping = true
      for (const part of parts) part.stopping()
    },
    live: () => ({ status: 200, body: { status: 'ok', checks: {} } }),
    async ready() {
      const results = await Promise.all(
        [...checks].map(async ([name, { check, vital }]) => ({ name, vital, result: await look(check) })),
      )
      const away = results.filter(({ result }) => result !== 'ok')
      const isFailing = away.some(({ vital }) => vital)
      const status = isStopping ? 'stopping' : isFailing ? 'failing' : away.length > 0 ? 'degraded' : 'ok'
      return {
        status: isStopping || isFailing ? 503 : 200,
        body: { status, checks: Object.fromEntries(results.map(({ name, result }) => [name, result])) },
      }
    },
  }
}

/** A gauge of each failing check, measured whenever the metrics are read. */
export const measureHealth = ({ registry }: Pick<Metrics, 'registry'>, health: Pick<Health, 'ready'>): void => {
  new Gauge({
    name: 'assay_check_failing',
    help: 'Whether a thing that the program needs does not answer: 1, else 0. /readyz says why',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { checks } = (await health.ready()).body
      for (const [check, result] of Object.entries(checks)) this.set({ check }, result === 'ok' ? 0 : 1)
    },
  })
}

/** Since when a service that is called now and then fails, and its last error. */
export interface Outage {
  /** Milliseconds since the epoch. */
  readonly since: number
  readonly reason: string
}

interface Reachability {
  /**
   * Runs a call and notes whether the service answered. A refusal counts as an answer. An error that may pass counts as
   * none, and so does `unsupported`: that service gives no usable answer to any call.
   */
  through<T>(call: () => Promise<T>): Promise<T>
  /**
   * The outage; null after an answered call, and when the last failure is older than two minutes. An outage by
   * `unsupported` does not expire, since it does not pass by itself.
   */
  away(): Outage | null
}

/** A failure older than this says nothing: callers that wait for a service retry at least twice a minute. */
const STALE_AFTER_MS = 2 * 60_000

/** Knows whether a service is reachable from the calls that are made anyway; makes none of its own. */
export const createReachability = (now: () => number): Reachability => {
  let failed: (Outage & { readonly last: number }) | null = null
  const fail = (reason: string, last: number) => {
    failed = { since: failed?.since ?? now(), last, reason }
  }
  return {
    through: async call => {
      try {
        const answer = await call()
        failed = null
        return answer
      } catch (error) {
        if (isAssayError(error) && error.retriable) fail(error.publicMessage, now())
        else if (isAssayError(error) && error.code === 'unsupported')
          fail(error.publicMessage, Number.POSITIVE_INFINITY)
        else failed = null
        throw error
      }
    },
    away: () =>
      failed === null || now() - failed.last > STALE_AFTER_MS ? null : { since: failed.since, reason: failed.reason },
  }
}
