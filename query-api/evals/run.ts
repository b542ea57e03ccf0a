import assert from 'node:assert/strict'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { createAgentCall, withoutMarks } from '../mcp/strangers-marks.ts'
import { createSurface } from '../mcp/surface.ts'
import { createToolCall } from '../mcp/tool-call.ts'
import { registry } from '../operations/registry.ts'
import type { Workspace } from '../operations/testing.ts'
import { tools } from '../tools/index.ts'
import { unnamed } from './names-call.ts'
import { type Call, type Check, MAX_CALLS, type Task } from './task.ts'

const SEGMENT = /\[(?<field>[\w.]+)=(?<text>[^\]]*)\]|(?<name>[^.[\]]+)/g

/** The value at a path of `Check`; undefined without one. */
const valueAt = (value: unknown, path: string): unknown => walk(value, [...path.matchAll(SEGMENT)])

const walk = (value: unknown, segments: readonly RegExpMatchArray[]): unknown => {
  const [segment, ...rest] = segments
  if (segment === undefined || value === undefined) return value
  const { field, text, name } = segment.groups ?? {}
  if (name === '*') return Array.isArray(value) ? value.map(item => walk(item, rest)) : undefined
  if (name !== undefined) return walk(propertyOf(value, name), rest)
  const found = Array.isArray(value) && value.find(item => String(valueAt(item, field ?? '')) === text)
  return found ? walk(found, rest) : undefined
}

const propertyOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

const PLACEHOLDER = /\{(?<call>\d+)\.(?<path>[^{}]+)\}/g

/**
 * The value with its placeholders filled from the answers, in the order of the calls. Throws for a placeholder without
 * an answer.
 */
const filled = (value: unknown, answers: readonly unknown[]): unknown => {
  if (Array.isArray(value)) return value.map(item => filled(item, answers))
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, filled(inner, answers)]))
  }
  if (typeof value !== 'string') return value
  const [match] = value.matchAll(PLACEHOLDER)
  // A placeholder alone keeps the type of its value: a version is a number.
  if (match?.[0] === value) return answered(match, answers)
  return value.replaceAll(PLACEHOLDER, (...found) => {
    const groups = found.at(-1)
    return String(answered({ groups, 0: value }, answers))
  })
}

const answered = (
  match: { readonly groups?: Readonly<Record<string, string>>; readonly 0: string },
  answers: readonly unknown[],
): unknown => {
  const { call = '', path = '' } = match.groups ?? {}
  const value = valueAt(answers[Number(call) - 1], path)
  if (value === undefined) throw new Error(`Call ${call} answered nothing at ${path}, for ${match[0]}.`)
  return value
}

const surface = createSurface(tools, registry.values())

/** An answer as an agent reads it: its text and its content; for a refusal, the facts beside its sentence. */
interface Read {
  readonly refused: boolean
  readonly text: string
  readonly value: unknown
}

/** Sends a call as an agent with a key of the workspace. */
const send = async (workspace: Workspace, { tool, input }: Call): Promise<Read> => {
  const toolCall = createToolCall(
    surface,
    createAgentCall((operation, request) => workspace.run(operation, request.input), createBodyBudget()),
  )
  try {
    const params = { name: tool, arguments: input }
    const { isError = false, content } = await toolCall({
      caller: workspace.caller,
      params,
      idempotencyKey: null,
      bodyBytes: 0,
    })
    const [first] = content
    assert.ok(first?.type === 'text')
    const { text } = first
    // An agent understands the marks and reads the text inside.
    const value = withoutMarks(JSON.parse(isError ? text.slice(text.indexOf('\n')) : text))
    return { refused: isError, text, value }
  } catch (thrown) {
    if (!isAssayError(thrown)) throw thrown
    // A malformed call is a protocol error with this message and these facts.
    return { refused: true, text: thrown.publicMessage, value: { violations: thrown.violations } }
  }
}

/**
 * Runs a task in a workspace with the story. Throws for an unexpected refusal or success, a refusal that does not name
 * the next call, a reference that the agent has not read, too many calls, and a failed check. Answers the tokens of
 * each answer.
 */
export const runTask = async (
  workspace: Workspace,
  { wants, bulk, calls, holds }: Task,
): Promise<readonly number[]> => {
  const most = bulk ? MAX_CALLS.bulk : MAX_CALLS.task
  assert.ok(calls.length <= most, `It takes ${calls.length} calls; at most ${most} are allowed.`)
  const reads: Read[] = []
  const answers = () => reads.map(({ value }) => value)
  const sent: Call[] = []
  for (const [position, { tool, input, refused = false }] of calls.entries()) {
    const call = `Call ${position + 1} (${tool} ${input.mode})`
    assert.ok(refused || surface.tool(tool), `${call} is not of a tool of the default surface.`)
    requireKnown(call, input, [wants, ...reads.map(({ text }) => text)])
    const next: Call = { tool, input: fields(filled(input, answers())) }
    const [before, wrong] = [reads.at(-1), sent.at(-1)]
    if (before?.refused && wrong) {
      const missing = unnamed(before.text, wrong, next)
      assert.equal(missing, null, `${call} follows a refusal, but ${missing}: ${before.text}`)
    }
    const read = await send(workspace, next)
    assert.equal(read.refused, refused, `${call} ${refused ? 'was not refused' : 'was refused'}: ${read.text}`)
    reads.push(read)
    sent.push(next)
  }
  assert.equal(reads.at(-1)?.refused, false, 'The last call is refused, so nothing was reached.')
  for (const check of holds) await verify(workspace, check, answers())
  return reads.map(({ text }) => countTokens(text))
}

const REFERENCE = /\b(?:SIG|CLM|SOL|DEC)-\d+\b/g

/** An agent sends only references that it has read. */
const requireKnown = (call: string, input: Call['input'], knownTexts: readonly string[]): void => {
  const unknown = (JSON.stringify(input).match(REFERENCE) ?? []).filter(
    reference => !knownTexts.some(text => new RegExp(`\\b${reference}\\b`).test(text)),
  )
  assert.deepEqual(unknown, [], `${call} names what nobody told the agent.`)
}

const fields = (value: unknown): Call['input'] => {
  assert.ok(typeof value === 'object' && value !== null)
  return { ...value }
}

const verify = async (workspace: Workspace, check: Check, answers: readonly unknown[]): Promise<void> => {
  const source = 'read' in check ? await verifying(workspace, check.read, answers) : answers[check.answer - 1]
  const value = valueAt(source, check.path)
  const where = 'read' in check ? `${check.read.tool} ${check.read.input.mode}` : `answer ${check.answer}`
  const failure = `${check.path} of ${where} is ${JSON.stringify(value)}`
  if ('is' in check) assert.deepEqual(value, check.is, failure)
  else if ('atLeast' in check) assert.ok(sizeOf(value) >= check.atLeast, `${failure}: too few`)
  else if ('matches' in check) assert.match(String(value), check.matches, failure)
  else assert.ok(includes(value, check.includes), `${failure}, without ${JSON.stringify(check.includes)}`)
}

const verifying = async (workspace: Workspace, call: Call, answers: readonly unknown[]): Promise<unknown> => {
  const read = await send(workspace, { tool: call.tool, input: fields(filled(call.input, answers)) })
  assert.equal(read.refused, false, `The look afterwards (${call.tool} ${call.input.mode}) was refused: ${read.text}`)
  return read.value
}

const sizeOf = (value: unknown): number => {
  if (Array.isArray(value)) return value.length
  return typeof value === 'number' ? value : Number.NaN
}

const includes = (value: unknown, wanted: unknown): boolean => {
  if (typeof value === 'string') return typeof wanted === 'string' && value.includes(wanted)
  return Array.isArray(value) && value.some(item => JSON.stringify(item) === JSON.stringify(wanted))
}
