import { asAssayError } from '../../../infra/runtime/errors.ts'
import { beginSpan, currentTrace, withinSpan } from '../../../infra/telemetry/spans.ts'
import type { Call } from './call.ts'
import { doorOf } from './call-metrics.ts'

/** Shows each call in the trace of its request, with what it asked of the stores below it. */
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
