import type { Operation } from '../operations/define.ts'

/**
 * Runs an operation as the key of the request, metered and permitted like any call, and answers it as agents read it. Rejects with
 * `unauthorized` without a key.
 */
export type Ask = (
  operation: Operation,
  input: Readonly<Record<string, unknown>>,
) => Promise<{ readonly data: unknown; readonly meta: { readonly next_cursor: string | null } }>

/** What an argument may be completed to, the best first: a list of words, or what the workspace has for the beginning that was typed. */
export type Completion = readonly string[] | ((typed: string, ask: Ask) => Promise<readonly string[]>)
