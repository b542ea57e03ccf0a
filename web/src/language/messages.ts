import { createWatchers } from '../watchers.ts'
import { type Catalogue, LANGUAGES, type Language, languageOf } from './languages.ts'

const STORED = 'assay-language'

/**
 * Language of this page: the person's choice in this browser, else the browser's language. English outside of a
 * browser.
 */
export const language: Language =
  typeof document === 'undefined' ? 'en' : languageOf([localStorage.getItem(STORED), ...navigator.languages])

export const direction = LANGUAGES.find(each => each.language === language)?.direction ?? 'ltr'

const own = new Intl.DateTimeFormat().resolvedOptions().locale

/** Locale of dates: the browser's own region when people there speak the language. */
export const moments = own.split('-')[0] === language ? own : language

/** Stores the choice in this browser and reloads the page, because constants hold messages. */
export const chooseLanguage = (chosen: Language): void => {
  if (chosen === language) return
  localStorage.setItem(STORED, chosen)
  location.reload()
}

type Values = Readonly<Record<string, string | number | null | undefined>>

let catalogue: Catalogue = {}
const classes = new Intl.PluralRules(language)

/** Called before a part of the app is loaded, because constants of its modules hold messages. */
export const addMessages = (read: Catalogue): void => {
  catalogue = { ...catalogue, ...read }
}

type Translator = (text: string) => string

/** Undefined for English. */
let readTranslator: (() => Promise<{ readonly default: Translator }>) | undefined
let translator: Translator | undefined
let translatorRead: Promise<void> | undefined
const translatorWatchers = createWatchers()

/** Sets where to read the translations of the service's texts; they are read at the first need. */
export const translateService = (read: () => Promise<{ readonly default: Translator }>): void => {
  readTranslator = read
}

/** Resolves when `fromService` has the chosen language's words; unreadable ones stay in English. */
export const readServiceWords = (): Promise<void> | undefined => {
  translatorRead ??= readTranslator?.().then(
    read => {
      translator = read.default
      translatorWatchers.tell()
    },
    () => undefined,
  )
  return translatorRead
}

/** For components that show the service's texts, to render again when their translations are loaded. */
export const watchServiceWords = translatorWatchers.watch

export const hasServiceWords = (): boolean => translator !== undefined

/**
 * A text of the service, such as a refusal or a stored reason, in the chosen language; in English when a translation is
 * missing or not loaded yet.
 */
export const fromService = (text: string): string => {
  void readServiceWords()
  return translator?.(text) ?? text
}

let storedTranslator: Translator | undefined

/** Called before a screen that shows the service's stored texts is loaded. */
export const translateStored = (translate: Translator): void => {
  storedTranslator = translate
}

/**
 * The service's stored text in the chosen language: on a Decision, evidence, a merge or a change. Its sentences,
 * `web/messages/stored.json`, are loaded with the screens that show them. Texts of people and models stay unchanged.
 */
export const fromStored = (text: string): string => {
  const said = storedTranslator?.(text) ?? text
  return said === text ? (translator?.(text) ?? text) : said
}

/** Removes the hint for translators that distinguishes equal English messages: `Open [verb]`. */
const withoutHint = (message: string): string => message.replace(/ \[[^[\]]+\]$/, '')

/** A message in the chosen language, or in English without one, with its value names still in braces. */
export const translated = (message: string, number = 0): string => {
  const found = catalogue[message] ?? withoutHint(message)
  return typeof found === 'string' ? found : (found[classes.select(number)] ?? found.other ?? message)
}

/** The chosen language's word of a vocabulary; undefined for any other word. */
export const wordFor = (value: string): string | undefined =>
  Object.hasOwn(catalogue, value) ? translated(value) : undefined

/** Replaces the names in a message by values. */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name))

/** Numbers as the language writes them: `1,234.5`, `1.234,5`. */
const written = (values: Values): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'number' ? value.toLocaleString(language) : value,
    ]),
  )

/** A message of the app: its English text is its name in `web/messages/`; names in braces are replaced by values. */
export const t = (message: string, values: Values = {}): string => filled(translated(message), written(values))

/**
 * A message whose words depend on a number: `plural(2, '{number} signal waits', '{number} signals wait')`. The second
 * text is its name in `web/messages/`; a language has as many forms as it needs.
 */
export const plural = (number: number, one: string, many: string, values: Values = {}): string =>
  filled(
    language === 'en' && number === 1 ? withoutHint(one) : translated(many, number),
    written({ number, ...values }),
  )

/** A label within a sentence: in small letters in English, unchanged in other languages. */
export const inSentence = (label: string): string => (language === 'en' ? label.toLowerCase() : label)

/**
 * A word of a closed vocabulary, such as a state, from `schemas/domain/vocabulary.ts`. English shows the stored word
 * with spaces between its parts.
 */
export const word = (value: string): string => {
  const said = translated(value)
  return said === value ? value.replaceAll('_', ' ') : said
}

/** “1 signal”, “1,200 signals”. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  plural(number, `{number} ${one}`, `{number} ${many}`)

/** Words of a closed vocabulary as choices, labelled in the app's language. */
export const wordChoices = <Word extends string>(words: readonly Word[]) =>
  words.map(value => ({ value, label: word(value) }))
