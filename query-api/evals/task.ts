/** A tool's name and its arguments, `mode` among them. */
export interface Call {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * A call of a task. In its input, `{2.data.items.0.id}` stands for that value of call 2's answer; a refused call offers
 * the facts beside its sentence (`{1.candidates.0.id}`). All other values come from the user's request.
 */
interface TaskCall extends Call {
  /** A call that agents really make and that is refused: its error's text alone must name the next call. */
  readonly refused?: true
}

/**
 * A value at a path that an answer of the task, or a later read, must have. Paths have field names and positions; `*`
 * means every item of a list, and `[field=text]` the first item with that field value.
 */
export type Check = ({ readonly answer: number } | { readonly read: Call }) & { readonly path: string } & Expected

/** The value itself; a part of a text or an item of a list; a pattern; a minimum of a number or a list's length. */
type Expected =
  | { readonly is: unknown }
  | { readonly includes: unknown }
  | { readonly matches: RegExp }
  | { readonly atLeast: number }

/** Most calls that an agent may need for a task. */
export const MAX_CALLS = { task: 4, bulk: 8 } as const

/** A user's request, the calls of an agent that knows only the tool list, and the checks afterwards. */
export interface Task {
  /** The request in a user's words. Every reference in the calls is in this request or in an earlier answer. */
  readonly wants: string
  /** The agent's first mistake. */
  readonly slip?: string
  /** Present when the activity shows signals in the pipeline and incoming requests. */
  readonly activity?: true
  /** Work on many things, with up to `MAX_CALLS.bulk` calls. */
  readonly bulk?: true
  readonly calls: readonly TaskCall[]
  readonly holds: readonly Check[]
}

/** Calls of a tool, by mode. */
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

/** A call that must be refused. */
export const refused = (call: Call): TaskCall => ({ ...call, refused: true })
