import { Counter, Histogram, type Metrics } from '../../../infra/runtime/metrics.ts'
import type { Caller } from '../define.ts'

/** One call that ended: `outcome` is `ok` or the code of its error. */
interface EndedCall {
  readonly caller: Pick<Caller, 'via'>
  readonly operation: string
  readonly outcome: string
  readonly milliseconds: number
  readonly workUnits: number
}

export type ObserveCall = (call: EndedCall) => void

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** The doors that calls come through: a person’s session in the app, or an agent’s key. */
export const doorOf = ({ via }: EndedCall['caller']): 'app' | 'agent' => (via.kind === 'app' ? 'app' : 'agent')

/** The Prometheus metrics of calls. No label says whose they are: the activity does, behind row-level security. */
export const measureCalls = ({ registry }: Pick<Metrics, 'registry'>): ObserveCall => {
  const registers = [registry]
  const calls = new Counter({
    name: 'assay_calls_total',
    help: 'Calls of operations, by door (app, agent) and outcome: ok, or the code of the error',
    labelNames: ['door', 'operation', 'outcome'],
    registers,
  })
  const seconds = new Histogram({
    name: 'assay_call_seconds',
    help: 'How long calls took, by door',
    labelNames: ['door'],
    buckets: CALL_SECONDS,
    registers,
  })
  const units = new Counter({
    name: 'assay_work_units_total',
    help: 'Work units that calls cost, by door',
    labelNames: ['door'],
    registers,
  })
  return ({ caller, operation, outcome, milliseconds, workUnits }) => {
    const door = doorOf(caller)
    calls.inc({ door, operation, outcome })
    seconds.observe({ door }, milliseconds / 1000)
    units.inc({ door }, workUnits)
  }
}
