import type { ClaimKind, Classification } from '../../schemas/domain/vocabulary.ts'

/** The claim that a signal starts; a question or an unclassified one stays in Triage by itself. */
export const CLAIM_KIND: Readonly<Record<Classification, ClaimKind | null>> = {
  problem: 'problem',
  idea: 'opportunity',
  question: null,
  unclassified: null,
}
