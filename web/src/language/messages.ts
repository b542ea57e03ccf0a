import { createWatchers } from '../watchers.ts'
import { type Catalogue, LANGUAGES, type Language, languageOf } from './languages.ts'

const STORED = 'assay-language'

/** Of this page: as the person chose in this browser, else the browser’s. Outside of a browser, English. */
export const language: Language =
  typeof document === 'undefined' ? 'en' : languageOf([localStorage.getItem(STORED), ...navigator.languages])

export const direction = LANGUAGES.find(each => each.language === language)?.direction ?? 'ltr'

const own = new Intl.DateTimeFormat().resolvedOptions().locale

/** How dates and moments are written: as in the browser’s own region, where people there speak the language. */
export const moments = own.split('-')[0] === language ? own : language

/** Keeps the choice in this browser, and loads the page anew: what it says is decided when it begins. */
export const chooseLanguage = (chosen: Language): void => {
  if (chosen === language) return
  localStorage.setItem(STORED, chosen)
  location.reload()
}

type Values = Readonly<Record<string, string | number | null | undefined>>

let catalogue: Catalogue = {}
const classes = new Intl.PluralRules(language)

/** Called before the part of the app that says them is loaded: constants of its modules hold messages too. */
export const addMessages = (read: Catalogue): void => {
  catalogue = { ...catalogue, ...read }
}

type Translator = (text: string) => string

/** Absent in English. */
let readTranslator: (() => Promise<{ readonly default: Translator }>) | undefined
let translator: Translator | undefined
let translatorRead: Promise<void> | undefined
const translatorWatchers = createWatchers()

/** Says where to read how the chosen language says what the service says; it is read when it is first wanted. */
export const translateService = (read: () => Promise<{ readonly default: Translator }>): void => {
  readTranslator = read
}

/** Settled once `fromService` knows the chosen language; what cannot be read stays in English. */
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

/** For who shows what the service says, to show it anew when it can be said in the chosen language. */
export const watchServiceWords = translatorWatchers.watch

export const hasServiceWords = (): boolean => translator !== undefined

/**
 * What the service said, a refusal or a reason that it stored, in the chosen language; in English where that has no
 * words for it, and until they are read.
 */
export const fromService = (text: string): string => {
  void readServiceWords()
  return translator?.(text) ?? text
}

let storedTranslator: Translator | undefined

/** Called before a screen is loaded that shows what the service stored. */
export const translateStored = (translate: Translator): void => {
  storedTranslator = translate
}

/**
 * What the service stored for people to read, in the chosen language: of a Decision, of evidence, of a merge or of a
 * change. Its sentences, `web/messages/stored.json`, come with the screens that show it. What a person or a model wrote
 * stays as it is.
 */
export const fromStored = (text: string): string => {
  const said = storedTranslator?.(text) ?? text
  return said === text ? (translator?.(text) ?? text) : said
}

/** What tells one English message from another with the same words, for who translates: `Open [verb]`. */
const withoutHint = (message: string): string => message.replace(/ \[[^[\]]+\]$/, '')

/** A message in the chosen language, or in English where it has none, with the names of its values still in braces. */
export const translated = (message: string, number = 0): string => {
  const found = catalogue[message] ?? withoutHint(message)
  return typeof found === 'string' ? found : (found[classes.select(number)] ?? found.other ?? message)
}

/**
 * The chosen language’s word for one of a vocabulary; undefined where it has none, as of words of others.
 */
export const wordFor = (value: string): string | undefined =>
  Object.hasOwn(catalogue, value) ? translated(value) : undefined

/** Puts values where a message has their names. */
export const filled = (text: string, values: Values): string =>
  text.replace(/\{(\w+)\}/g, (name, key: string) => String(values[key] ?? name))

/**
 * What the app says: an English message, which is its own name in `web/messages/`, with values for the names in braces.
 */
export const t = (message: string, values: Values = {}): string => filled(translated(message), values)

/**
 * A message with a number that its words depend on: `plural(2, '{number} signal waits', '{number} signals wait')`. The
 * second one is its name in `web/messages/`; a language has as many forms as it needs.
 */
export const plural = (number: number, one: string, many: string, values: Values = {}): string =>
  filled(language === 'en' && number === 1 ? withoutHint(one) : translated(many, number), {
    number: number.toLocaleString(language),
    ...values,
  })

/** A label within a sentence: English begins it with a small letter, other languages keep their nouns as they are. */
export const inSentence = (label: string): string => (language === 'en' ? label.toLowerCase() : label)

/** A word of a closed vocabulary, such as a state; `schemas/domain/vocabulary.ts` has them. */
export const word = (value: string): string => translated(value)

/** “1 signal”, “1,200 signals”. */
export const counted = (number: number, one: string, many = `${one}s`): string =>
  plural(number, `{number} ${one}`, `{number} ${many}`)

/** The words of a closed vocabulary as choices, each called what it is in the language of the app. */
export const wordChoices = <Word extends string>(words: readonly Word[]) =>
  words.map(value => ({ value, label: word(value) }))
