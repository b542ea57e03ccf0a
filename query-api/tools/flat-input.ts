import type { Operation } from '../operations/define.ts'
import { briefSchema, listVocabularyOnce } from './brief-schema.ts'
import type { Field, FieldUse } from './field.ts'
import { fieldDescription } from './field-description.ts'

interface FlatTool {
  readonly name: string
  readonly modes: Readonly<Record<string, Operation>>
}

/** A tool's input as agents read it: JSON Schema of one object, with `mode` and the fields of all modes. */
export interface FlatInput {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly ['mode']
  readonly additionalProperties: false
}

/**
 * Derives the flat schema. There is no top-level `oneOf`, which several clients refuse: each field's description names its modes
 * instead, and the call checks the arguments against the exact schema of the mode. It is short, since every agent pays for it at
 * every start: the primitive of a mode has the whole descriptions and every limit. Throws when modes disagree on a field's type.
 */
export const flatInput = ({ name, modes }: FlatTool): FlatInput => {
  const names = new Set(Object.values(modes).flatMap(operation => Object.keys(operation.input.properties)))
  const fields = listVocabularyOnce([...names].map(field => [field, mergedField(name, field, modes)]))
  return {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: Object.keys(modes), description: 'A field names its modes; * needs it.' },
      ...Object.fromEntries(fields),
    },
    required: ['mode'],
    additionalProperties: false,
  }
}

const mergedField = (tool: string, field: string, modes: FlatTool['modes']): Field => {
  const uses = usesOf(field, modes)
  const [first, ...others] = uses.map(use => use.schema)
  const clash = others.find(other => kindOf(other) !== kindOf(first))
  if (clash) throw new Error(`Modes of ${tool} give the field "${field}" different types.`)
  const description = fieldDescription(uses, Object.keys(modes))
  // A schema that is composed of others has no keywords of its own to agree on.
  return { ...briefSchema(agreed(first ?? {}, others)), ...(description === '' ? {} : { description }) }
}

const usesOf = (field: string, modes: FlatTool['modes']): FieldUse[] =>
  Object.entries(modes).flatMap(([mode, { input }]) => {
    const schema = fieldsOf(input)[field]
    return schema ? [{ mode, schema, required: (input.required ?? []).includes(field) }] : []
  })

// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (input: Operation['input']): Readonly<Record<string, Field>> =>
  input.properties as unknown as Readonly<Record<string, Field>>

/** What must be the same in every mode: the type, or the whole schema where it is composed of others. */
const kindOf = (schema: Field | undefined): string =>
  schema?.type === undefined && schema?.enum === undefined
    ? JSON.stringify(withoutDescription(schema))
    : JSON.stringify([schema.type ?? 'string', schema.items === undefined ? null : kindOf(schema.items as Field)])

const withoutDescription = ({ description: _, ...schema }: Field = {}): Field => schema

/** The keywords that all modes share; an `enum`, of the field or of its items, holds the values of every mode. */
const agreed = (first: Field, others: readonly Field[]): Field => {
  const kept = Object.entries(first).filter(([keyword, value]) =>
    others.every(other => JSON.stringify(other[keyword]) === JSON.stringify(value)),
  )
  const values = [first, ...others].map(schema => schema.enum).filter(Array.isArray)
  return {
    ...Object.fromEntries(kept),
    ...(values.length > others.length ? { enum: [...new Set(values.flat())] } : {}),
    // All have items where one has: it belongs to what must be the same.
    ...(first.items === undefined
      ? {}
      : {
          items: agreed(
            first.items as Field,
            others.map(other => other.items as Field),
          ),
        }),
  }
}
