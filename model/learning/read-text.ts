import type { Classification } from '../../schemas/domain/vocabulary.ts'
import type { Terms } from './terms.ts'

/** A text, and how likely the built-in classifier says each of CLASSIFICATIONS is. */
export interface ReadText {
  readonly terms: Terms
  readonly builtIn: readonly number[]
}

/** What people said of it. */
export interface ReadLesson extends ReadText {
  readonly label: Classification
  readonly is_correction: boolean
}

/** Signals that nobody spoke of, and how many of them there are in all. */
export interface Left {
  readonly some: readonly ReadText[]
  readonly inAll: number
}
