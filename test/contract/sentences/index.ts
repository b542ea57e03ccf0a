import { AGENTS } from './agents.ts'
import { OBJECTS } from './objects.ts'
import { SENDERS } from './senders.ts'

/**
 * What the service's interface says, in single sentences that a test can hold, by an id that never changes: one that is
 * added gets the next number of its section. Each has one test of its id; `docs/reference/contract.md` lists them.
 */
export const SENTENCES = { ...OBJECTS, ...SENDERS, ...AGENTS }

export type SentenceId = keyof typeof SENTENCES
