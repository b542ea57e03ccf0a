/** A country's personal number: how it is written, and what tells it from any other number. */
export interface NationalScheme {
  /** Finds candidates. Global, and bounded in length, so that it stays linear. */
  readonly written: RegExp
  /** What its rules say of a candidate, its separators taken away and its letters upper case. */
  readonly isValid: (compact: string) => boolean
  /**
   * Words that must introduce it, where more than about two in a hundred random numbers written so would pass; absent where its form and its
   * check digits say enough.
   */
  readonly introducedBy?: RegExp
}
