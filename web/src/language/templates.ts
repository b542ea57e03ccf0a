/** English sentences of the service, with the names of their values in braces, and the same in another language. */
export type Templates = Readonly<Record<string, string>>

interface Template {
  /** The words around the values, and the names of these. */
  readonly words: readonly string[]
  readonly names: readonly string[]
  readonly said: string
}

/** No sentence of the service is longer, and no text has more sentences. */
const MOST_CHARACTERS = 4000
const MOST_SENTENCES = 12
const BETWEEN_SENTENCES = /(?<=[.!?]) (?=\S)/
const PLACE = /\{(\w+)\}/

/** Values that the service says itself, such as a state; `said_before` is one too. What it has no words for is none. */
const IS_OWN = /^said(_|$)/
/** One that may be of several sentences. */
const ANY_WORDS = 'words'
/** Those that begin with a reference. What people wrote themselves, as the text of a Decision, is seldom like that. */
const REFERENCES: ReadonlySet<string> = new Set(['signal', 'claim', 'decision', 'original', 'names'])
const REFERENCE = /^[A-Z]{3}-\d/

type Values = Readonly<Record<string, string>>

const filled = (said: string, values: Values): string =>
  said.replace(/\{(\w+)\}/g, (place, name: string) => values[name] ?? place)

const firstWordOf = (text: string): string => /^\S*/.exec(text)?.[0] ?? ''

const lengthOf = ({ words }: Template): number => words.join('').length

/**
 * Those with the most words first: `No claim is {name}` before `No {kind} is {name}`. A template that begins with a
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
    // Words that a value goes on from, as in `CLM-{number}`, are none by themselves.
    const key = words.length === 1 || first.includes(' ') ? firstWordOf(first) : ''
    index.set(key, [...(index.get(key) ?? []), template])
  }
  return index
}

/**
 * The values of a template that a text fits; undefined for one that it does not fit. Looks at each character once for
 * each run of words.
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
    // What stands in quotes is others’ words; any other value is within its sentence.
    const isFree = name === ANY_WORDS || /["“]$/.test(words[place] ?? '')
    if (!isFree && BETWEEN_SENTENCES.test(value)) return undefined
    if (REFERENCES.has(name) && !REFERENCE.test(value)) return undefined
    values[name] = value
    from = to + (next?.length ?? 0)
  }
  return values
}

/**
 * Says what the service says in another language: the whole text by its template, else sentence by sentence. A text of
 * which one sentence fits no template stays as it is.
 */
export const translatorBy = (
  templates: Templates,
  /** The language’s word for one of a vocabulary; undefined for any other. */
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
  /** The values of a template, its own words in the other language; undefined where it has none for one of them. */
  const translated = (values: Values): Values | undefined => {
    const said: Record<string, string> = {}
    for (const [name, value] of Object.entries(values)) {
      const own = IS_OWN.test(name) ? (fitting(value) ?? wordFor(value)) : value
      if (own === undefined) return undefined
      said[name] = own
    }
    return said
  }
  return text => {
    if (text.length > MOST_CHARACTERS) return text
    const whole = fitting(text)
    if (whole !== undefined) return whole
    const sentences = text.split(BETWEEN_SENTENCES)
    if (sentences.length === 1 || sentences.length > MOST_SENTENCES) return text
    const said: string[] = []
    for (let from = 0; from < sentences.length; ) {
      let to = sentences.length
      let found: string | undefined
      // As many sentences at once as one template takes.
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
