import { word } from '../language/messages.ts'

/** The words of a closed vocabulary as choices, each called what it is in the language of the app. */
export const wordChoices = <Word extends string>(words: readonly Word[]) =>
  words.map(value => ({ value, label: word(value) }))
