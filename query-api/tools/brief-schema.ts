import type { Field } from './field.ts'
import { firstSentence } from './field-description.ts'

/** Limits are the call's to keep: it refuses what breaks one by name, with what is allowed. */
const UNSAID = new Set([
  'minLength',
  'maxLength',
  'pattern',
  'format',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
  'minProperties',
  'uniqueItems',
  'additionalProperties',
  'patternProperties',
])

/** A field's schema without what an agent can do without, however deep. What the field itself means is said elsewhere. */
export const briefSchema = (schema: Field): Field =>
  Object.fromEntries(
    Object.entries(schema).flatMap(([keyword, value]) => {
      if (UNSAID.has(keyword) || keyword === 'description') return []
      if (keyword === 'items' || keyword === 'anyOf') return [[keyword, each(value, briefSchema)]]
      return [[keyword, keyword === 'properties' ? briefFields(value) : value]]
    }),
  )

// Under these keywords is a schema, or a list of schemas.
const each = (value: unknown, change: (schema: Field) => Field): unknown =>
  Array.isArray(value) ? value.map(one => change(one as Field)) : change(value as Field)

/** Fields of an object in a field: nothing else says what they mean, and what several mean alike is said at the first. */
const briefFields = (fields: unknown): object => {
  const said = new Set([''])
  return Object.fromEntries(
    Object.entries(fields as Readonly<Record<string, Field>>).map(([name, schema]) => {
      const text = firstSentence(schema.description)
      const description = said.has(text) ? {} : { description: text }
      said.add(text)
      return [name, { ...briefSchema(schema), ...description }]
    }),
  )
}

const LONG = 5
const FEW = 2

/** Lists a long vocabulary once: another field with the same, or with a few words more, says whose it has. */
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
    const description = [inside.description, said.description].filter(text => text !== undefined).join(' ')
    return { ...inside, ...said, ...(description === '' ? {} : { description }) }
  }
  return fields.map(([name, schema]) => [name, once(name, schema)])
}
