/** The first sentence of a description: what the compact surface says. Empty without one. */
export const firstSentence = (text: unknown): string =>
  typeof text === 'string' ? (/^.*?[.!?](?=\s+\p{Lu}|$)/su.exec(text)?.[0] ?? text).trim() : ''

/** Words that say nothing beside a field's name. */
const FILLERS = new Set(
  'a all an any are at default from good in is it its look many most new of on only read so such that the these this to what when where whether which you'.split(
    ' ',
  ),
)

/** What a description says that the field's name does not: `The Signal.` says nothing of `signal_id`. Empty where it says nothing. */
export const beyondName = (name: string, text: string): string => {
  const own = new Set(name.split('_').flatMap(word => [word, `${word}s`, word.replace(/s$/, '')]))
  const words = text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
  return words.every(word => own.has(word) || FILLERS.has(word)) ? '' : text
}

/**
 * What a field means. Modes in which it means something else are named: `signal: What was said. else: What was learned.` Which modes
 * take it at all stands with the modes.
 */
export const fieldDescription = (name: string, uses: readonly FieldUse[]): string => {
  const texts = new Map<string, string[]>()
  for (const { mode, schema } of uses) {
    const text = beyondName(name, firstSentence(schema.description))
    texts.set(text, [...(texts.get(text) ?? []), mode])
  }
  const said = [...texts].filter(([text]) => text !== '').toSorted(([a], [b]) => a.length - b.length)
  if (texts.size === 1) return said[0]?.[0] ?? ''
  return said
    .map(([text, modes], index) => {
      const isElse = index === said.length - 1 && said.length === texts.size && modes.length > 2
      return `${isElse ? 'else' : modes.join(', ')}: ${text}`
    })
    .join(' ')
}

/** A field's JSON Schema. */
export type Field = Readonly<Record<string, unknown>>

/** One mode's use of a field. */
export interface FieldUse {
  readonly mode: string
  readonly schema: Field
  readonly required: boolean
}
