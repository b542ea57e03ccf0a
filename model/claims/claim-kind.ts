import type { ClaimKind, Classification } from '../../schemas/domain/vocabulary.ts'

/** The claim that a signal starts; a question or an unclassified one starts none, unless people are asked whether it is the same as one that did. */
export const CLAIM_KIND: Readonly<Record<Classification, ClaimKind | null>> = {
  problem: 'problem',
  idea: 'opportunity',
  question: null,
  unclassified: null,
}
