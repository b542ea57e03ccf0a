import { asAssayError } from '../../../infra/runtime/errors.ts'
import { Counter, Histogram, type Metrics } from '../../../infra/runtime/metrics.ts'
import { beginSpan, currentTrace, withinSpan } from '../../../infra/telemetry/spans.ts'
import type { Caller } from '../define.ts'
import type { Call } from './contract.ts'

/** A completed call: `outcome` is `ok` or its error's code. */
interface EndedCall {
  readonly caller: Pick<Caller, 'via'>
  readonly operation: string
  readonly outcome: string
  readonly milliseconds: number
  readonly workUnits: number
}

export type ObserveCall = (call: EndedCall) => void

const CALL_SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]

/** Door of a call: a person's session in the app, or an agent's key. */
const doorOf = ({ via }: EndedCall['caller']): 'app' | 'agent' => (via.kind === 'app' ? 'app' : 'agent')

/** Prometheus metrics of calls. Labels name no caller; the activity does, behind row-level security. */
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

/** Shows each call in its request's trace, with its queries below it. */
export const tracingCalls =
  (call: Call): Call =>
  async (operation, request) => {
    const { name } = operation
    const { tool, caller } = request
    const attributes = {
      'assay.operation': name,
      'assay.door': doorOf(caller),
      'assay.workspace.id': caller.workspaceId,
      ...(tool === undefined ? {} : { 'gen_ai.tool.name': tool.name, 'assay.tool.mode': tool.mode }),
    }
    const span = beginSpan({ name: `call ${name}`, kind: 'internal', parent: currentTrace(), attributes })
    try {
      const answered = await withinSpan(span, () => call(operation, request))
      span.end({ attributes: { 'assay.work_units': answered.meta.work_units } })
      return answered
    } catch (error) {
      span.end({ failed: asAssayError(error).code })
      throw error
    }
  }
