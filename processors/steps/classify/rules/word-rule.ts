import type { Classification } from '../../../../schemas/domain/vocabulary.ts'

export type Label = Exclude<Classification, 'unclassified'>

/**
 * Words that speak for a label: 3 all but says it, 2 is a strong hint, 1 a weak one. They match at the start of a word, case folded, and
 * what follows may inflect them. Words that several languages share stand in one of them.
 */
export interface WordRule {
  readonly label: Label
  readonly weight: number
  readonly words: readonly string[]
}
