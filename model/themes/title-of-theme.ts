import type { Transaction } from '../../infra/postgres/port.ts'
import { wordFormsOf } from '../../infra/word-index/terms.ts'
import type { ThemeId } from '../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../schemas/domain/limits.ts'
import type { OwnOf } from '../claims/titles.ts'
import { titlesOf } from '../claims/titles.ts'
import { readSettings } from './settings.ts'

/** What a claim is called that is made of a theme. */
export interface TitleOfTheme {
  readonly title: string
  /** Whether a person called the theme so; else it is a sentence of a sender's. */
  readonly isNamed: boolean
}

/** Of so many signals a sentence is looked for, the surest first. */
const MAX_READ = 20

/**
 * What a claim of a theme is called: as a person named the theme. Words that were found are a name for a list, and say
 * nothing of what is wanted: there it is the sentence of its signals that has most of these words. Null where none has
 * any.
 */
export const titleOfTheme = async (
  transaction: Transaction,
  id: ThemeId,
  texts: readonly string[],
): Promise<TitleOfTheme | null> => {
  const settings = await readSettings(transaction, id)
  if (settings === undefined) return null
  const { name, found_name } = settings
  if (name !== null) return { title: name.slice(0, MAX_CHARACTERS.title), isNamed: true }
  const title = tellingSentence(found_name, texts.slice(0, MAX_READ))
  return title === null ? null : { title, isNamed: false }
}

/** Of sentences that have as many of the words, the first text's first, as a title has it. */
export const tellingSentence = (name: string, texts: readonly string[]): string | null => {
  const words = new Set(wordFormsOf(name))
  let best: string | null = null
  let most = 0
  for (const text of texts)
    for (const sentence of sentencesThatTitle(text)) {
      const having = new Set(wordFormsOf(sentence).filter(form => words.has(form))).size
      if (having <= most) continue
      best = sentence
      most = having
    }
  return best
}

/** Not all of them as one, which is the last of the titles that a text can give. */
const sentencesThatTitle = (text: string): readonly string[] => titlesOf(text).slice(0, -1)

/** Whether a title was found in a text: what a person wrote in its place stays. */
export const isFoundTitle = (title: string, texts: readonly string[], ownOf: OwnOf): boolean =>
  texts.some(text => titlesOf(text, ownOf).includes(title))
