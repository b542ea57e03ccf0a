import type { ToolAnnotations } from '@modelcontextprotocol/sdk/types.js'
import type { TObject } from 'typebox'
import { MetaSchema, strictSchema } from '../operations/call/contract.ts'
import type { Operation } from '../operations/define.ts'
import { flatInput, type Tool } from '../tools/define-tool.ts'

/** A tool as `tools/list` shows it. */
interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: ToolAnnotations
}

export const SURFACES = ['default', 'full', 'split'] as const
export type SurfaceName = (typeof SURFACES)[number]

/** Tools and primitives that agents can find and call, in any list. */
export interface Surface {
  /**
   * `default` has the eight intent-level tools; `full` adds every primitive; `split` separates the reading modes of a
   * tool that also writes, for hosts that ask their human before a tool that may write.
   */
  readonly lists: Readonly<Record<SurfaceName, readonly ListedTool[]>>
  tool(name: string): Tool | undefined
  primitive(name: string): Operation | undefined
  /** The tools' modes with this name, or that run the primitive with this name: `service_lookup mode search`. */
  modesNamed(name: string): readonly string[]
  /** True for an operation that only people can call, in the app. */
  isForPeople(name: string): boolean
  /** Operation of a key with the scope `provisioning`; other callers do not see it. */
  provisioning(name: string): Operation | undefined
}

/** Throws at start for two equal names, because an agent could reach only one of them. */
export const createSurface = (tools: readonly Tool[], operations: Iterable<Operation>): Surface => {
  const all = [...operations]
  const primitives = all.filter(({ audience }) => audience === 'everyone')
  const compact = tools.map(listTool)
  const full = [...compact, ...primitives.map(listPrimitive)]
  const halves = tools.map(byEffect)
  const reading = halves.flatMap(([half, ...others]) => (others.length === 0 ? [] : [half]))
  const names = [...full, ...reading].map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`Two tools are named ${twice}.`)
  const toolsByName = new Map([...tools, ...reading].map(tool => [tool.name, tool]))
  const primitivesByName = new Map(primitives.map(operation => [operation.name, operation]))
  return {
    lists: { default: compact, full, split: halves.flat().map(listTool) },
    tool: name => toolsByName.get(name),
    primitive: name => primitivesByName.get(name),
    modesNamed: name =>
      tools.flatMap(tool =>
        Object.entries(tool.modes).flatMap(([mode, operation]) =>
          mode === name || operation.name === name ? [`${tool.name} mode ${mode}`] : [],
        ),
      ),
    isForPeople: name => all.some(operation => operation.name === name && operation.audience === 'people'),
    provisioning: name => all.find(operation => operation.provisioning === true && operation.name === name),
  }
}

/** Splits a tool that reads and writes into two, with a new name for the reading one; other tools stay whole. */
const byEffect = (tool: Tool): readonly [Tool] | readonly [reading: Tool, writing: Tool] => {
  const modes = Object.entries(tool.modes)
  const reading = modes.filter(([, { effect }]) => effect === 'read')
  if (reading.length === 0 || reading.length === modes.length) return [tool]
  const ofReading: Tool = {
    name: `${tool.name}_read`,
    title: `${tool.title}: only reading`,
    description: `The modes of ${tool.name} that only read: ${reading.map(([mode]) => mode).join(', ')}. ${tool.description}`,
    modes: Object.fromEntries(reading),
  }
  return [ofReading, { ...tool, modes: Object.fromEntries(modes.filter(([, { effect }]) => effect !== 'read')) }]
}

const listTool = (tool: Tool): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: flatInput(tool),
  // `data` differs by mode; the primitives' schemas describe each. Decision 9 states what all of them would cost here.
  outputSchema: { type: 'object', properties: { data: {}, meta: {} } },
  annotations: hints(Object.values(tool.modes)),
})

const listPrimitive = (operation: Operation): ListedTool => ({
  name: operation.name,
  title: operation.title,
  description: operation.summary,
  inputSchema: strictSchema(operation.input as TObject),
  outputSchema: resultSchema(operation.output),
  annotations: hints([operation]),
})

/** A client may ask its human before a call, so the strongest effect of the modes decides. Missing hints are false. */
const hints = (operations: readonly Operation[]): ToolAnnotations => {
  const readOnlyHint = operations.every(({ effect }) => effect === 'read')
  return {
    // A tool that only reads cannot destroy, so the destructive hint is left out.
    ...(readOnlyHint
      ? { readOnlyHint, idempotentHint: true }
      : { destructiveHint: operations.some(({ effect }) => effect === 'destructive') }),
    openWorldHint: false,
  }
}

const resultSchema = (data: object) => ({
  type: 'object',
  properties: { data, meta: MetaSchema },
  required: ['data', 'meta'],
})
