export type Field = Readonly<Record<string, unknown>>

/** Use of a field by one mode. */
export interface FieldUse {
  readonly mode: string
  readonly schema: Field
  readonly required: boolean
}

/**
 * Limits, and required fields of nested objects, are left out: a call that breaks one is refused by name, with the
 * allowed values.
 */
const UNSAID = new Set([
  'required',
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'maxProperties',
  'uniqueItems',
  'additionalProperties',
  'patternProperties',
])

/**
 * A field's schema without the parts that agents do not need, at any depth. The field's own description is made
 * elsewhere.
 */
export const briefSchema = (schema: Field): Field => {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (UNSAID.has(keyword) || keyword === 'description') return []
      if (keyword === 'items' || keyword === 'anyOf') return [[keyword, each(value, briefSchema)]]
      return keyword === 'properties' ? Object.entries(briefObject(value, schema.required)) : [[keyword, value]]
    }),
  )
}

// These keywords contain a schema, or a list of schemas.
const each = (value: unknown, change: (schema: Field) => Field): unknown =>
  Array.isArray(value) ? value.map(one => change(one as Field)) : change(value as Field)

type Fields = Readonly<Record<string, Field>>

/** Fields of a nested object. Fields of the same type are names in its description, with a star for required ones. */
const briefObject = (properties: unknown, required: unknown): Field => {
  const fields = properties as Fields
  const [[name, first] = ['', undefined]] = Object.entries(fields)
  if (first === undefined) return { properties: {} }
  if (!isOfAlike(properties)) {
    const words = Object.entries(fields).map(([field, schema]) => inWords(field, schema))
    return words.every(text => text !== null) ? { description: words.join(' ') } : { properties: briefFields(fields) }
  }
  const needed = new Set(Array.isArray(required) ? required : [])
  const names = Object.keys(fields).map(name => (needed.has(name) ? `${name}*` : name))
  return {
    additionalProperties: briefSchema(first),
    description: [`${names.join(' ')}.`, meaningOf(name, first)].join(' ').trim(),
  }
}

/** A nested simple field in words with its meaning: `direction (asc desc).` Null for a field that is not simple. */
const inWords = (name: string, schema: Field): string | null => {
  const { type, enum: values, items } = briefSchema(schema)
  const isTexts = type === 'array' && JSON.stringify(items) === '{"type":"string"}'
  if (type !== 'string' && type !== 'integer' && type !== 'boolean' && !isTexts) return null
  const words = isTexts ? ' (list)' : Array.isArray(values) ? ` (${values.join(' ')})` : ''
  const meaning = meaningOf(name, schema)
  return `${name}${words}${meaning === '' ? '.' : `: ${meaning}`}`
}

/** A field's meaning beyond its name. */
const meaningOf = (name: string, { description }: Field): string => beyondName(name, firstSentence(description))

/** True when an object has several fields of one simple type (or null), and only the first has a description. */
const isOfAlike = (properties: unknown): boolean => {
  const [[name, first] = ['', undefined], ...others] = Object.entries((properties ?? {}) as Fields)
  if (first === undefined || others.length < FEW) return false
  const kind = briefSchema(first)
  return (
    isSimple(kind) &&
    others.every(
      ([other, schema]) =>
        JSON.stringify(briefSchema(schema)) === JSON.stringify(kind) &&
        ['', meaningOf(name, first)].includes(meaningOf(other, schema)),
    )
  )
}

const isSimple = (kind: Field): boolean =>
  Array.isArray(kind.anyOf) ? kind.anyOf.every(isSimple) : Object.keys(kind).join() === 'type'

/** Fields of a nested object, each with its meaning; a repeated meaning stands only at the first field. */
const briefFields = (fields: Fields): object => {
  const said = new Set([''])
  return Object.fromEntries(
    Object.entries(fields).map(([name, schema]) => {
      const text = meaningOf(name, schema)
      const brief = briefSchema(schema)
      const description = joined(brief.description, said.has(text) ? '' : text)
      said.add(text)
      return [name, { ...brief, ...(description === '' ? {} : { description }) }]
    }),
  )
}

/** Joins the descriptions of a field's parts and of the field. */
export const joined = (...texts: readonly unknown[]): string => texts.filter(text => text).join(' ')

const LONG = 5
const FEW = 2

/** Lists a long vocabulary once: another field with the same words, or with a few more, refers to the first field. */
export const listVocabularyOnce = (fields: readonly (readonly [name: string, schema: Field])[]): [string, Field][] => {
  const owners = new Map<string, readonly unknown[]>()

  const reworded = (name: string, values: readonly unknown[]): Field => {
    for (const [owner, own] of owners) {
      const others = values.filter(value => !own.includes(value))
      if (owner === name || others.length > FEW || own.length + others.length !== values.length) continue
      return { description: [`Values of ${owner}`, ...others].join(' or ').concat('.') }
    }
    if (values.length >= LONG) owners.set(name, values)
    return { enum: values }
  }

  const once = (name: string, schema: Field): Field => {
    const { enum: values, ...rest } = schema
    const inside = Object.fromEntries(
      Object.entries(rest).map(([keyword, value]) => {
        if (keyword === 'items') return [keyword, each(value, one => once(name, one))]
        if (keyword !== 'properties') return [keyword, value]
        const properties = Object.entries(value as Readonly<Record<string, Field>>)
        return [keyword, Object.fromEntries(properties.map(([key, one]) => [key, once(name, one)]))]
      }),
    )
    if (!Array.isArray(values)) return inside
    const said = reworded(name, values)
    const description = joined(inside.description, said.description)
    return { ...inside, ...said, ...(description === '' ? {} : { description }) }
  }
  return fields.map(([name, schema]) => [name, once(name, schema)])
}

/** First sentence of a description, for the compact surface; empty without one. */
export const firstSentence = (text: unknown): string =>
  typeof text === 'string' ? (/^.*?[.!?](?=\s+\p{Lu}|$)/su.exec(text)?.[0] ?? text).trim() : ''

/** Words that add nothing to a field's name. */
const FILLERS = new Set(
  'a all an any are at default from good in is it its look many most new of on only read so such that the these this to what when where whether which you'.split(
    ' ',
  ),
)

/**
 * The description's information beyond the field's name: `The Signal.` adds nothing to `signal_id`. Empty without any.
 */
const beyondName = (name: string, text: string): string => {
  const own = new Set(name.split('_').flatMap(word => [word, `${word}s`, word.replace(/s$/, '')]))
  const words = text.toLowerCase().match(/\p{L}+|\p{N}+/gu) ?? []
  return words.every(word => own.has(word) || FILLERS.has(word)) ? '' : text
}

/**
 * Meaning of a field. When modes differ, each is named: `signal: What was said. else: What was learned.` The
 * description of `mode` lists which modes take the field.
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
