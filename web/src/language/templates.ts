/** English sentences of the service, with their value names in braces, and their translations. */
export type Templates = Readonly<Record<string, string>>

interface Template {
  /** The words around the values, and the values' names. */
  readonly words: readonly string[]
  readonly names: readonly string[]
  readonly said: string
}

/** Longer sentences, and texts with more sentences, do not exist in the service. */
const MAX_CHARACTERS = 4000
const MAX_SENTENCES = 12
const BETWEEN_SENTENCES = /(?<=[.!?]) (?=\S)/
const PLACE = /\{(\w+)\}/

/**
 * Values that are the service's own words, such as a state; `said_before` is one. A word without a translation is no
 * match.
 */
const IS_OWN = /^said(_|$)/
export const isOwn = (name: string): boolean => IS_OWN.test(name)
/** Name of a value that may contain several sentences. */
const ANY_WORDS = 'words'
/** Values that begin with a reference. People's own texts, such as a Decision's, seldom look like that. */
const REFERENCES: ReadonlySet<string> = new Set([
  'signal',
  'claim',
  'claims',
  'chosen',
  'because',
  'decision',
  'original',
  'names',
  'reference',
  'reference2',
])
const REFERENCE = /^[A-Z]{3}-\d/

type Values = Readonly<Record<string, string>>

const filled = (said: string, values: Values): string =>
  said.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

const firstWordOf = (text: string): string => /^\S*/.exec(text)?.[0] ?? ''

const lengthOf = ({ words }: Template): number => words.join('').length

/**
 * Templates with most words first: `No claim is {name}` before `No {kind} is {name}`. A template that begins with a
 * value is under `''`.
 */
const indexed = (templates: Templates): ReadonlyMap<string, readonly Template[]> => {
  const index = new Map<string, Template[]>()
  const read = Object.entries(templates).map(([english, said]): Template => {
    const parts = english.split(PLACE)
    return {
      words: parts.filter((_, place) => place % 2 === 0),
      names: parts.filter((_, place) => place % 2 === 1),
      said,
    }
  })
  for (const template of read.sort((one, other) => lengthOf(other) - lengthOf(one))) {
    const { words } = template
    const [first = ''] = words
    // Words that a value continues, as in `CLM-{number}`, are no words on their own.
    const key = words.length === 1 || first.includes(' ') ? firstWordOf(first) : ''
    index.set(key, [...(index.get(key) ?? []), template])
  }
  return index
}

/**
 * Values of a template in a text; undefined when the text does not fit. Reads each character once for each run of
 * words.
 */
const valuesIn = (text: string, { words, names }: Template): Values | undefined => {
  const [first = '', ...others] = words
  const last = others.pop()
  if (last === undefined) return text === first ? {} : undefined
  const end = text.length - last.length
  if (!text.startsWith(first) || !text.endsWith(last) || end <= first.length) return undefined
  const values: Record<string, string> = {}
  let from = first.length
  for (const [place, name] of names.entries()) {
    const next = others[place]
    const to = next === undefined ? end : text.indexOf(next, from + 1)
    const value = text.slice(from, to)
    if (to <= from || to > end) return undefined
    // A quoted value contains others' words; any other value lies within its sentence.
    const isFree = name === ANY_WORDS || /["“]$/.test(words[place] ?? '')
    if (!isFree && BETWEEN_SENTENCES.test(value)) return undefined
    if (REFERENCES.has(name) && !REFERENCE.test(value)) return undefined
    values[name] = value
    from = to + (next?.length ?? 0)
  }
  return values
}

/**
 * Translates the service's texts: the whole text by its template, else sentence by sentence. A text with an unknown
 * sentence stays unchanged.
 */
export const translatorBy = (
  templates: Templates,
  /** The language's word of a vocabulary; undefined for any other word. */
  wordFor: (word: string) => string | undefined,
): ((text: string) => string) => {
  const index = indexed(templates)
  const fitting = (text: string): string | undefined => {
    for (const template of [...(index.get(firstWordOf(text)) ?? []), ...(index.get('') ?? [])]) {
      const values = valuesIn(text, template)
      const said = values && translated(values)
      if (said !== undefined) return filled(template.said, said)
    }
    return undefined
  }
  /** A template's values with translated words; undefined when a word has no translation. */
  const translated = (values: Values): Values | undefined => {
    const said: Record<string, string> = {}
    for (const [name, value] of Object.entries(values)) {
      const own = isOwn(name) ? (fitting(value) ?? wordFor(value)) : value
      if (own === undefined) return undefined
      said[name] = own
    }
    return said
  }
  return text => {
    if (text.length > MAX_CHARACTERS) return text
    const whole = fitting(text)
    if (whole !== undefined) return whole
    const sentences = text.split(BETWEEN_SENTENCES)
    if (sentences.length === 1 || sentences.length > MAX_SENTENCES) return text
    const said: string[] = []
    for (let from = 0; from < sentences.length; ) {
      let to = sentences.length
      let found: string | undefined
      // The longest run of sentences that a template fits.
      for (; to > from && found === undefined; to -= found === undefined ? 1 : 0) {
        found = fitting(sentences.slice(from, to).join(' '))
      }
      if (found === undefined) return text
      said.push(found)
      from = to
    }
    return said.join(' ')
  }
}
