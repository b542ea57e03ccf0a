import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Completion } from './ask.ts'

interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  readonly completion?: Completion
}

/** A task that a person starts by name in their client. It says which calls to make, and holds nothing of a workspace. */
export interface Prompt {
  readonly name: string
  readonly title: string
  readonly description: string
  readonly arguments: readonly PromptArgument[]
  /** Arguments that were not given are absent; required ones are there. */
  readonly messages: (given: Readonly<Record<string, string>>) => readonly PromptMessage[]
}

/** One message of the person's. */
export const said = (text: string): readonly PromptMessage[] => [{ role: 'user', content: { type: 'text', text } }]
