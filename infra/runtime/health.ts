import { withDeadline } from './deadline.ts'
import { asAssayError } from './errors.ts'

/** Rejects when what it looks at cannot do its work. */
type ReadinessCheck = () => Promise<void>

/** An HTTP status and the JSON to send with it. */
interface HealthReport {
  readonly status: 200 | 503
  readonly body: {
    readonly status: 'ok' | 'failing' | 'stopping'
    readonly checks: Readonly<Record<string, 'ok' | string>>
  }
}

export interface Health {
  /** Adds something this program cannot work without. */
  check(name: string, check: ReadinessCheck): void
  /** From now on the program is not ready, whatever its checks say: it takes no new work. */
  stopping(): void
  /** `/livez`: that this process can answer at all. It asks nothing of others: restarting it would not help them. */
  live(): HealthReport
  /** `/readyz`: whether each thing it needs answers now, each within the time limit. */
  ready(): Promise<HealthReport>
}

const CHECK_TIMEOUT_MS = 2000

export const createHealth = ({ timeoutMs = CHECK_TIMEOUT_MS }: { readonly timeoutMs?: number } = {}): Health => {
  const checks = new Map<string, ReadinessCheck>()
  let isStopping = false

  const look = async (name: string, check: ReadinessCheck): Promise<[string, string]> => {
    try {
      await withDeadline(Promise.resolve().then(check), timeoutMs, 'The check')
      return [name, 'ok']
    } catch (error) {
      return [name, asAssayError(error).publicMessage]
    }
  }

  return {
    check: (name, check) => void checks.set(name, check),
    stopping: () => {
      isStopping = true
    },
    live: () => ({ status: 200, body: { status: 'ok', checks: {} } }),
    async ready() {
      const results = await Promise.all([...checks].map(([name, check]) => look(name, check)))
      const failing = results.some(([, result]) => result !== 'ok')
      const status = isStopping ? 'stopping' : failing ? 'failing' : 'ok'
      return { status: status === 'ok' ? 200 : 503, body: { status, checks: Object.fromEntries(results) } }
    },
  }
}
