import type { FieldUse } from './field.ts'

/** The first sentence of a description: what the compact surface says. Empty without one. */
export const firstSentence = (text: unknown): string =>
  typeof text === 'string' ? (/^.*?[.!?](?=\s+\p{Lu}|$)/su.exec(text)?.[0] ?? text).trim() : ''

/**
 * What a field means, by the modes that take it: `claim, solution*: The object.` A star marks the modes that need the field. A
 * field that means the same in every mode names none, and one that most modes take names those that do not.
 */
export const fieldDescription = (uses: readonly FieldUse[], modes: readonly string[]): string => {
  const texts = new Map<string, FieldUse[]>()
  for (const use of uses) {
    const text = firstSentence(use.schema.description)
    texts.set(text, [...(texts.get(text) ?? []), use])
  }
  const [only, ...others] = texts
  if (only === undefined) return ''
  if (others.length > 0) return byMode([...texts])
  const [text] = only
  const needed = uses.filter(({ required }) => required).length
  const missing = modes.filter(mode => !uses.some(use => use.mode === mode))
  if (needed === 0 && missing.length === 0) return text
  if (needed === uses.length && missing.length === 0) return said('*', text)
  if (needed === 0 && missing.length * 2 < modes.length) return said(`not ${missing.join(', ')}`, text)
  return said(named(uses), text)
}

/** The text of most modes comes last, without their names unless one of them needs the field. */
const byMode = (texts: readonly (readonly [text: string, uses: FieldUse[]])[]): string =>
  texts
    .toSorted(([, a], [, b]) => a.length - b.length)
    .map(([text, uses], index) => {
      const isElse = index === texts.length - 1 && uses.length > 2 && uses.every(({ required }) => !required)
      return said(isElse ? 'else' : named(uses), text)
    })
    .join(' ')

const named = (uses: readonly FieldUse[]): string =>
  uses.map(({ mode, required }) => (required ? `${mode}*` : mode)).join(', ')

const said = (modes: string, text: string): string => `${modes}: ${text}`.trim()
