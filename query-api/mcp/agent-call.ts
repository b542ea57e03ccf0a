import { visibleJson } from '../../schemas/domain/visible-text.ts'
import { isShallow } from '../../schemas/http/json-values.ts'
import type { Call } from '../operations/call/call.ts'
import { marked, withoutMarks } from './strangers-marks.ts'

/**
 * A call as an agent makes it: what comes back is no more than a person sees, with the words of strangers between marks; of what the agent
 * sends, marks that it copied are taken off again.
 */
export const createAgentCall =
  (call: Call): Call =>
  async (operation, request) => {
    // What nests deeper is refused by the call, and nothing walks it before.
    const input = Object.values(request.input).every(isShallow) ? withoutMarks(request.input) : request.input
    const { data, meta } = visibleJson(await call(operation, { ...request, input }))
    return { data: marked(operation.output, data), meta }
  }
