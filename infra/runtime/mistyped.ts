import type { ConfigSchema } from './config.ts'

/** Levenshtein's distance: how many letters must be changed, added or left out to turn one word into the other. */
const distance = (one: string, other: string): number => {
  let row = Array.from({ length: other.length + 1 }, (_, at) => at)
  for (const [at, letter] of [...one].entries()) {
    let diagonal = at
    row = row.reduce<number[]>((next, above, column) => {
      const left = next.at(-1)
      const same = other[column - 1] === letter ? 0 : 1
      next.push(left === undefined ? at + 1 : Math.min(above + 1, left + 1, diagonal + same))
      diagonal = above
      return next
    }, [])
  }
  return row.at(-1) ?? one.length
}

const LONGEST = 60

/**
 * The word that was probably meant: it differs by two letters at most, by one in a word under six letters. Null when no
 * word is that near, or `word` is among the words.
 */
export const nearest = (word: string, words: Iterable<string>): string | null => {
  const most = word.length < 6 ? 1 : 2
  let found: { readonly word: string; readonly edits: number } | null = null
  for (const candidate of words) {
    if (candidate === word) return null
    if (word.length > LONGEST || Math.abs(candidate.length - word.length) > most) continue
    const edits = distance(word, candidate)
    if (edits <= most && edits < (found?.edits ?? Number.POSITIVE_INFINITY)) found = { word: candidate, edits }
  }
  return found?.word ?? null
}

/** Shorter names, such as HOST, are too near to variables of other programs. */
const MIN_LENGTH = 8

/** A sentence for each environment variable that is nearly a setting's name. The value is not shown. */
export const mistypedSettings = (
  schema: ConfigSchema,
  env: Readonly<Record<string, string | undefined>>,
): readonly string[] => {
  const names = Object.values(schema).map(setting => setting.env)
  return Object.keys(env).flatMap(name => {
    const meant = name.length < MIN_LENGTH ? null : nearest(name, names)
    return meant === null || env[meant] ? [] : [`${name} is no setting and is not read. Did you mean ${meant}?`]
  })
}
