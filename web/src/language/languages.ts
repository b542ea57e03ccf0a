/**
 * The languages that the app speaks, each by its own name. English is written in the code; each other one has a file in
 * `web/messages/`.
 */
export const LANGUAGES = [
  { language: 'en', name: 'English', direction: 'ltr' },
  { language: 'de', name: 'Deutsch', direction: 'ltr' },
] as const
export type Language = (typeof LANGUAGES)[number]['language']

/** The first of these that the app speaks, whatever region it is of; English where it speaks none. */
export const languageOf = (wanted: readonly (string | null)[]): Language =>
  wanted
    .map(tag => LANGUAGES.find(({ language }) => language === tag?.toLowerCase().split('-')[0]))
    .find(found => found !== undefined)?.language ?? 'en'

/**
 * Of one English message: the same in another language, or, of one with a number, a form for each class of numbers that
 * the language has.
 */
type Translation = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>
export type Catalogue = Readonly<Record<string, Translation>>
