import type { PromptMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Operation } from '../operations/define.ts'

interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required?: boolean
  readonly completion?: Completion
}

/**
 * A task that a person starts by name in their client. It says which calls to make, and holds nothing of a workspace.
 */
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

/**
 * Runs an operation as the key of the request, metered and permitted like any call, and answers it as agents read it.
 * Rejects with `unauthorized` without a key.
 */
export type Ask = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
) => Promise<{ readonly data: unknown; readonly meta: { readonly next_cursor: string | null } }>

/**
 * What an argument may be completed to, the best first: a list of words, or what the workspace has for the beginning
 * that was typed.
 */
export type Completion = readonly string[] | ((typed: string, ask: Ask) => Promise<readonly string[]>)
