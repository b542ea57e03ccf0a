import type { Catalogue, Language } from './languages.ts'

/** What is read for a language other than English, when it is chosen. */
const CATALOGUES: Readonly<Record<Exclude<Language, 'en'>, () => Promise<{ readonly default: Catalogue }>>> = {
  de: () => import('../../messages/de.json'),
}

/** A catalogue that cannot be read leaves the app in English. */
export const readCatalogue = async (language: Language): Promise<Catalogue> => {
  if (language === 'en') return {}
  try {
    return (await CATALOGUES[language]()).default
  } catch {
    return {}
  }
}
