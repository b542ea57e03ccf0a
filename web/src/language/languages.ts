/**
 * Languages of the app, each with its own name. English is in the code; every other one has a file in `web/messages/`.
 */
export const LANGUAGES = [
  { language: 'en', name: 'English', direction: 'ltr' },
  { language: 'de', name: 'Deutsch', direction: 'ltr' },
] as const
export type Language = (typeof LANGUAGES)[number]['language']

/** The first supported language, whatever its region; English without one. */
export const languageOf = (wanted: readonly (string | null)[]): Language =>
  wanted
    .map(tag => LANGUAGES.find(({ language }) => language === tag?.toLowerCase().split('-')[0]))
    .find(found => found !== undefined)?.language ?? 'en'

/** Translation of an English message; for a message with a number, a form for each of the language's plural classes. */
type Translation = string | Readonly<Partial<Record<Intl.LDMLPluralRule, string>>>
export type Catalogue = Readonly<Record<string, Translation>>
