import { LANGUAGES, type Language, languageOf } from './languages.ts'

const STORED = 'assay-language'

/** Of this page: as the person chose in this browser, else the browser’s. Outside of a browser, English. */
export const language: Language =
  typeof document === 'undefined' ? 'en' : languageOf([localStorage.getItem(STORED), ...navigator.languages])

export const direction = LANGUAGES.find(each => each.language === language)?.direction ?? 'ltr'

const own = new Intl.DateTimeFormat().resolvedOptions().locale

/** How moments are written in full: as in the browser’s own region, where people there speak the language. */
export const moments = own.split('-')[0] === language ? own : language

/** How dates are written. The app’s English has the day before the month. */
export const dates = language === 'en' ? 'en-GB' : language

/** Keeps the choice in this browser, and loads the page anew: what it says is decided when it begins. */
export const chooseLanguage = (chosen: Language): void => {
  if (chosen === language) return
  localStorage.setItem(STORED, chosen)
  location.reload()
}
