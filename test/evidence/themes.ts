import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { type Static, Type } from 'typebox'
import { AssayError } from '../../infra/runtime/errors.ts'
import { CLASSIFICATIONS } from '../../schemas/domain/vocabulary.ts'
import { type LabelledSet, parseLines } from './sets.ts'

/** The sets of themes; `sets/themes/README.md` says what they are. Those kept aside are read once, at the end. */
export const THEME_SETS = ['wide', 'desk', 'hard', 'wide-aside', 'desk-aside'] as const
export type ThemeSet = (typeof THEME_SETS)[number]

const Slug = Type.String({ pattern: '^[a-z]+(-[a-z]+)*$' })

const Line = Type.Object({
  id: Type.String({ minLength: 1 }),
  text: Type.String({ minLength: 1 }),
  language: Type.String({ pattern: '^[a-z]{2}$' }),
  /** Two where the message has two needs, null for noise. */
  theme: Type.Union([Slug, Type.Array(Slug, { minItems: 2, maxItems: 2, uniqueItems: true }), Type.Null()]),
  kind: Type.Enum([...CLASSIFICATIONS]),
})

/** A message and what its author meant it for. */
export interface Themed extends Omit<Static<typeof Line>, 'theme'> {
  /** None for noise, two for a message with two needs. */
  readonly themes: readonly string[]
}

const themesOf = (theme: Static<typeof Line>['theme']): readonly string[] => {
  if (theme === null) return []
  return typeof theme === 'string' ? [theme] : theme
}

/** Throws for two lines of one id: what is in a group would be counted for the wrong one. */
const assertIdsDiffer = (file: string, lines: readonly { readonly id: string }[]): void => {
  const seen = new Set<string>()
  for (const { id } of lines) {
    if (seen.has(id)) throw new AssayError('invalid_configuration', `${file}: ${id} stands on two lines.`)
    seen.add(id)
  }
}

/** Reads lines of themes; throws with the file and the line of one that is not as it should be. */
export const parseThemed = (file: string, content: string): readonly Themed[] => {
  const lines = parseLines(Line, file, content)
  assertIdsDiffer(file, lines)
  return lines.map(({ theme, ...line }) => ({ ...line, themes: themesOf(theme) }))
}

/** One set alone, so that the one that is kept aside is read by nobody who does not name it. */
export const readThemeSet = async (name: ThemeSet): Promise<LabelledSet<Themed>> => {
  const file = fileURLToPath(new URL(`sets/themes/${name}.jsonl`, import.meta.url))
  return { name, lines: parseThemed(`themes/${name}.jsonl`, await readFile(file, 'utf8')) }
}
