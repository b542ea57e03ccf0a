import type { TObject } from 'typebox'
import { MetaSchema } from '../operations/call/meta.ts'
import type { Operation } from '../operations/define.ts'
import { strictSchema } from '../operations/strict.ts'
import type { Tool } from '../tools/define-tool.ts'
import { flatInput } from '../tools/flat-input.ts'

/** A tool as `tools/list` shows it. */
interface ListedTool {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: object
  readonly outputSchema: object
  readonly annotations: object
}

/** What agents can find and call. `default` is the eight intent-level tools; `full` adds every primitive. */
export interface Surface {
  readonly default: readonly ListedTool[]
  readonly full: readonly ListedTool[]
  tool(name: string): Tool | undefined
  primitive(name: string): Operation | undefined
  /** The tools' modes of that name, or that run the primitive of that name: `service_lookup mode search`. */
  modesNamed(name: string): readonly string[]
  /** What a key of the scope `provisioning` calls, which nobody else sees. */
  provisioning(name: string): Operation | undefined
}

/** Throws at start when two names are the same, as an agent could reach only one of them. */
export const createSurface = (tools: readonly Tool[], operations: Iterable<Operation>): Surface => {
  const all = [...operations]
  const primitives = all.filter(({ audience }) => audience === 'everyone')
  const listed = [...tools.map(listTool), ...primitives.map(listPrimitive)]
  const names = listed.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new Error(`Two tools are named ${twice}.`)
  const toolsByName = new Map(tools.map(tool => [tool.name, tool]))
  const primitivesByName = new Map(primitives.map(operation => [operation.name, operation]))
  return {
    default: listed.slice(0, tools.length),
    full: listed,
    tool: name => toolsByName.get(name),
    primitive: name => primitivesByName.get(name),
    modesNamed: name =>
      tools.flatMap(tool =>
        Object.entries(tool.modes).flatMap(([mode, operation]) =>
          mode === name || operation.name === name ? [`${tool.name} mode ${mode}`] : [],
        ),
      ),
    provisioning: name => all.find(operation => operation.provisioning === true && operation.name === name),
  }
}

const listTool = (tool: Tool): ListedTool => ({
  name: tool.name,
  title: tool.title,
  description: tool.description,
  inputSchema: flatInput(tool),
  // What `data` holds differs by mode; the primitives' schemas say it for each. All of them here would fill an agent's context.
  outputSchema: { type: 'object', required: ['data', 'meta'] },
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

/** A client may ask its human before a call: the strongest of the modes decides what it hears. What is not said is false. */
const hints = (operations: readonly Operation[]) => {
  const readOnlyHint = operations.every(({ effect }) => effect === 'read')
  return {
    readOnlyHint,
    destructiveHint: operations.some(({ effect }) => effect === 'destructive'),
    ...(readOnlyHint ? { idempotentHint: true } : {}),
    openWorldHint: false,
  }
}

const resultSchema = (data: object) => ({
  type: 'object',
  properties: { data, meta: MetaSchema },
  required: ['data', 'meta'],
})
