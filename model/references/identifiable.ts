import { REFERENCE_PREFIXES, type Referenced } from '../../schemas/domain/vocabulary.ts'

/** What an identifier can stand for. Signals and Decisions have no name, map nodes and metrics no reference. */
export type Identifiable = Referenced | 'node' | 'metric'

export const isReferenced = (kind: Identifiable): kind is Referenced => Object.hasOwn(REFERENCE_PREFIXES, kind)
