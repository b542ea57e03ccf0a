import type { Referenced } from '../../schemas/domain/vocabulary.ts'

/** What an identifier can stand for. Signals and Decisions have no name, map nodes no reference. */
export type Identifiable = Referenced | 'node'
