import { REFERENCE_PREFIXES, type Referenced } from '../../schemas/domain/vocabulary.ts'

/** What an identifier can stand for. Signals and Decisions have no name, map nodes, metrics and sources no reference. */
export type Identifiable = Referenced | 'node' | 'metric' | 'group' | 'strategy_element' | 'source'

export const isReferenced = (kind: Identifiable): kind is Referenced => Object.hasOwn(REFERENCE_PREFIXES, kind)
