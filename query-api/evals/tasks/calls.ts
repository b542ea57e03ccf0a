import type { Call, TaskCall } from '../task.ts'

/** The calls of a tool, by mode. */
const callsOf =
  (tool: string) =>
  (mode: string, input: Readonly<Record<string, unknown>> = {}): Call => ({ tool, input: { mode, ...input } })

export const orient = callsOf('service_orient')
export const lookup = callsOf('service_lookup')
export const capture = callsOf('service_capture')
export const decide = callsOf('service_decide')
export const map = callsOf('service_map')
export const connect = callsOf('service_connect')
export const analyze = callsOf('service_analyze')
export const support = callsOf('service_support')

/** A call that is refused. */
export const refused = (call: Call): TaskCall => ({ ...call, refused: true })
