import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { asAssayError } from '../../infra/runtime/errors.ts'
import { visibleJson } from '../../schemas/domain/visible-text.ts'
import { tooLarge } from '../http/body-door.ts'
import { noteError } from '../http/failed-answers.ts'
import { type Call, InvalidArguments, MAX_NAMED } from '../operations/call/contract.ts'
import { AssayError, type Caller, isProvisioning, type Operation } from '../operations/define.ts'
import { type BodyLimits, CALL_BODY } from '../operations/parts/body-limits.ts'
import { listedFields, type Tool } from '../tools/define-tool.ts'
import { isObject } from './messages.ts'
import { isOfProtocol } from './refusals.ts'
import { markedNames } from './strangers-marks.ts'
import type { Surface } from './surface.ts'

interface Resolved {
  readonly operation: Operation
  readonly input: Readonly<Record<string, unknown>>
  readonly tool?: { readonly name: string; readonly mode: string }
}

export interface ToolCallRequest {
  readonly caller: Caller
  readonly params: Readonly<Record<string, unknown>>
  readonly idempotencyKey: string | null
  /** Length of the request's body in bytes. */
  readonly bodyBytes: number
}

/**
 * Calls a tool's mode, or a primitive by its name. Rejects with `invalid_input` for a malformed call; a refusal of the
 * operation is a result with `isError`, so that the agent reads the reason and goes on.
 */
export const createToolCall =
  (surface: Surface, call: Call) =>
  async ({ caller, params, idempotencyKey, bodyBytes }: ToolCallRequest): Promise<CallToolResult> => {
    const { operation, ...called } = resolve(surface, caller, params)
    requireSize(bodyBytes, operation.body ?? CALL_BODY)
    try {
      const { data, meta } = await call(operation, { ...called, caller, idempotencyKey })
      const answered = { data, meta }
      return { structuredContent: answered, content: [{ type: 'text', text: JSON.stringify(answered) }] }
    } catch (thrown) {
      const error = asAssayError(thrown)
      if (isOfProtocol(error)) throw error
      noteError(error)
      return { isError: true, content: [{ type: 'text', text: explained(error) }] }
    }
  }

const forPeople = (name: string): string => `${name} is for people to do, in the app`

const resolve = (surface: Surface, caller: Caller, params: ToolCallRequest['params']): Resolved => {
  const { name, arguments: input = {} } = params
  if (typeof name !== 'string') throw new AssayError('invalid_input', '"params.name" must be the name of a tool.')
  if (!isObject(input)) throw new AssayError('invalid_input', '"params.arguments" must be an object.')
  const tool = surface.tool(name)
  if (tool) return resolveMode(surface, tool, input)
  const operation = (isProvisioning(caller) ? surface.provisioning(name) : undefined) ?? surface.primitive(name)
  if (operation) return { operation, input }
  const meant = surface.modesNamed(name)
  const next =
    meant.length > 0
      ? `Call ${meant.join(' or ')}.`
      : surface.isForPeople(name)
        ? `${forPeople(name)}.`
        : 'tools/list names the tools; with ?surface=full also every primitive.'
  throw new AssayError('invalid_input', `Unknown tool: ${name}. ${next}`)
}

const resolveMode = (surface: Surface, tool: Tool, { mode, ...input }: Resolved['input']): Resolved => {
  const operation = typeof mode === 'string' && Object.hasOwn(tool.modes, mode) ? tool.modes[mode] : undefined
  if (typeof mode !== 'string' || operation === undefined) {
    const modes = Object.keys(tool.modes).join(', ')
    const elsewhere = typeof mode === 'string' ? surface.modesNamed(mode).map(found => `; there is ${found}`) : []
    if (typeof mode === 'string' && surface.isForPeople(mode)) elsewhere.push(`; ${forPeople(mode)}`)
    throw new InvalidArguments(tool.name, [
      { pointer: '/mode', message: `must be one of ${modes}${elsewhere.join('')}` },
    ])
  }
  refuseFieldsOfOtherModes(tool, mode, operation, input)
  return { operation, input, tool: { name: tool.name, mode } }
}

const refuseFieldsOfOtherModes = (tool: Tool, mode: string, operation: Operation, input: Resolved['input']): void => {
  const allowed = Object.keys(operation.input.properties)
  const listed = listedFields(operation)
  // The operation refuses all further fields.
  const fields = Object.keys(input).slice(0, MAX_NAMED)
  const foreign = fields.flatMap(field => {
    if (allowed.includes(field)) return []
    const modes = Object.keys(tool.modes).filter(other => field in (tool.modes[other]?.input.properties ?? {}))
    return modes.length > 0 ? [{ field, modes }] : []
  })
  if (foreign.length === 0) return
  throw new InvalidArguments(
    `${tool.name} ${mode}`,
    foreign.map(({ field, modes }) => ({
      pointer: `/${field}`,
      message: `belongs to ${modes.join(', ')}; ${mode} allows ${listed.join(', ') || 'no other field'}`,
    })),
  )
}

/** Checks the size of a body that was read before its operation was known. Throws `too_large`. */
export const requireSize = (bodyBytes: number, limits: BodyLimits): void => {
  if (bodyBytes > limits.bytes) throw tooLarge(limits)
}

/** The sentence, then facts to act on. */
const explained = ({ publicMessage, code, violations, context, retriable }: AssayError): string => {
  const facts = {
    code,
    ...(retriable ? { retriable } : {}),
    ...(violations.length > 0 ? { violations } : {}),
    // Converted through JSON, which turns times into texts.
    ...(markedNames(visibleJson(JSON.parse(JSON.stringify(context)))) as object),
  }
  return `${publicMessage}\n${JSON.stringify(facts)}`
}
