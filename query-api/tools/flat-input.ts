import type { Operation } from '../operations/define.ts'

type Field = Readonly<Record<string, unknown>>
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
 * instead, and the call checks the arguments against the exact schema of the mode. Throws when modes disagree on a field's type.
 */
export const flatInput = ({ name, modes }: FlatTool): FlatInput => {
  const names = new Set(Object.values(modes).flatMap(operation => Object.keys(operation.input.properties)))
  const fields = [...names].map(field => [field, mergedField(name, field, modes)] as const)
  return {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: Object.keys(modes), description: modeDescription(modes) },
      ...Object.fromEntries(fields),
    },
    required: ['mode'],
    additionalProperties: false,
  }
}

const modeDescription = (modes: FlatTool['modes']): string =>
  ['What to do.', ...Object.entries(modes).map(([mode, operation]) => `${mode}: ${operation.title}.`)].join(' ')

interface Use {
  readonly mode: string
  readonly schema: Field
  readonly required: boolean
}

const mergedField = (tool: string, field: string, modes: FlatTool['modes']): object => {
  const uses = usesOf(field, modes)
  const [first, ...others] = uses.map(use => withoutDescription(use.schema))
  const clash = others.find(other => kindOf(other) !== kindOf(first))
  if (clash) throw new Error(`Modes of ${tool} give the field "${field}" different types.`)
  const description = fieldDescription(uses, Object.keys(modes).length)
  return { ...agreed(first ?? {}, others), description }
}

const usesOf = (field: string, modes: FlatTool['modes']): Use[] =>
  Object.entries(modes).flatMap(([mode, { input }]) => {
    const schema = fieldsOf(input)[field]
    return schema ? [{ mode, schema, required: (input.required ?? []).includes(field) }] : []
  })

// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (input: Operation['input']): Readonly<Record<string, Field>> =>
  input.properties as unknown as Readonly<Record<string, Field>>

const withoutDescription = ({ description: _, ...schema }: Field): Field => schema

/** What must be the same in every mode: the type, or the whole schema where it is composed of others. */
const kindOf = (schema: Field | undefined): string =>
  schema?.type === undefined && schema?.enum === undefined
    ? JSON.stringify(schema)
    : JSON.stringify([schema.type ?? 'string', schema.items === undefined ? null : kindOf(schema.items as Field)])

/** The keywords that all modes share; an `enum` holds the values of every mode. */
const agreed = (first: Field, others: readonly Field[]): Field => {
  const all = [first, ...others]
  const kept = Object.entries(first).filter(([keyword, value]) =>
    others.every(other => JSON.stringify(other[keyword]) === JSON.stringify(value)),
  )
  const values = all.map(schema => schema.enum).filter(Array.isArray)
  return values.length < all.length
    ? Object.fromEntries(kept)
    : { ...Object.fromEntries(kept), enum: [...new Set(values.flat())] }
}

const fieldDescription = (uses: readonly Use[], modeCount: number): string => {
  const texts = new Map<string, string[]>()
  for (const { mode, schema } of uses) {
    const text = typeof schema.description === 'string' ? schema.description : ''
    texts.set(text, [...(texts.get(text) ?? []), mode])
  }
  const [only] = texts.keys()
  const said =
    texts.size === 1
      ? [
          `${uses.length === modeCount ? 'All modes' : `Only in ${uses.map(use => use.mode).join(', ')}`}. ${only ?? ''}`,
        ]
      : [...texts].map(([text, of]) => `${of.join(', ')}: ${text}`)
  const required = uses.filter(use => use.required).map(use => use.mode)
  if (required.length > 0) said.push(`Required in ${required.join(', ')}.`)
  return said.map(part => part.trim()).join(' ')
}
