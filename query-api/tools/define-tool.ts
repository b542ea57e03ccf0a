import type { Operation } from '../operations/define.ts'
import { flatInput } from './flat-input.ts'

/** An intent-level tool: each of its modes is one operation, which is also listed by itself as a primitive. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** What the tool is for and what each mode answers, for an agent that reads only this. */
  readonly description: string
  readonly modes: Readonly<Record<string, Operation>>
}

/**
 * Defines a tool. Throws at start, before anything listens, when a mode is for people only, when an operation names a field
 * `mode`, or when two modes give one field different types: an agent could not read such a tool's schema.
 */
export const defineTool = (tool: Tool): Tool => {
  const modes = Object.entries(tool.modes)
  if (modes.length === 0) throw new Error(`Tool ${tool.name} has no modes.`)
  for (const [mode, operation] of modes) {
    if (operation.audience === 'people') throw new Error(`Mode ${mode} of ${tool.name} is for people only.`)
    if ('mode' in operation.input.properties) throw new Error(`${operation.name} must not name a field "mode".`)
  }
  flatInput(tool)
  return tool
}
