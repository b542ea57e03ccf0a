/** What is sent to a tool: a tool's name and its arguments, `mode` among them. */
export interface Call {
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
}

/**
 * A call of a task. In its input, `{2.data.items.0.id}` stands for what call 2 answered there; of a refused call there
 * are the facts beside its sentence (`{1.candidates.0.id}`). What is no placeholder is what the user said.
 */
interface TaskCall extends Call {
  /** A call that agents really make and that is refused: its error's text alone must name the call that follows it. */
  readonly refused?: true
}

/**
 * What must be true of an answer of the task, or of a read that looks afterwards, as the value at a path. Paths have
 * field names and positions; `*` is every item of a list, and `[field=text]` the first item whose field says so.
 */
export type Check = ({ readonly answer: number } | { readonly read: Call }) & { readonly path: string } & Expected

/**
 * The value itself; a part of a text or an item of a list; what a text matches; the least that a number or a list's
 * length is.
 */
type Expected =
  | { readonly is: unknown }
  | { readonly includes: unknown }
  | { readonly matches: RegExp }
  | { readonly atLeast: number }

/** How many calls an agent may need for a task. */
export const MAX_CALLS = { task: 4, bulk: 8 } as const

/**
 * What somebody wants, the calls by which an agent that knows nothing but the tool list reaches it, and what then
 * holds.
 */
export interface Task {
  /** As a user would say it. Every reference in the calls is said here or was answered before. */
  readonly wants: string
  /** What the agent gets wrong at first. */
  readonly slip?: string
  /** Whether signals have gone through the pipeline and requests have come in, as far as the activity tells. */
  readonly activity?: true
  /** Work on many things, for which an agent may need as many calls as `MAX_CALLS.bulk`. */
  readonly bulk?: true
  readonly calls: readonly TaskCall[]
  readonly holds: readonly Check[]
}

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
