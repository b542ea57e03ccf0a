import type { Operation } from '../operations/define.ts'
import {
  briefSchema,
  type Field,
  type FieldUse,
  fieldDescription,
  firstSentence,
  joined,
  listVocabularyOnce,
} from './brief-schema.ts'

/** An intent-level tool: each of its modes is one operation, which is also listed as a primitive. */
export interface Tool {
  readonly name: string
  readonly title: string
  /** Purpose of the tool and answer of each mode, for an agent that reads only this text. */
  readonly description: string
  readonly modes: Readonly<Record<string, Operation>>
}

/**
 * Defines a tool. Throws at start, before anything listens, when a mode is for people only, an operation has a field
 * `mode`, or two modes give a field different types: agents could not read such a tool's schema.
 */
export const defineTool = (tool: Tool): Tool => {
  const modes = Object.entries(tool.modes)
  if (modes.length === 0) throw new Error(`Tool ${tool.name} has no modes.`)
  for (const [mode, operation] of modes) {
    if (operation.audience === 'people') throw new Error(`Mode ${mode} of ${tool.name} is for people only.`)
    if ('mode' in operation.input.properties) throw new Error(`${operation.name} must not name a field "mode".`)
  }
  flatInput(tool)
  return tool
}

interface FlatTool {
  readonly name: string
  readonly modes: Readonly<Record<string, Operation>>
}

/** A tool's input as agents read it: JSON Schema of one object, with `mode` and the fields of all modes. */
interface FlatInput {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, object>>
  readonly required: readonly ['mode']
}

/** Fields of every list and long answer. */
const OF_LISTS = ['depth', 'limit', 'cursor']

/**
 * Derives the flat schema. It has no top-level `oneOf`, which several clients refuse; the description of `mode` lists
 * the fields of each mode, and the call checks the arguments against the mode's exact schema. The schema is short,
 * because every agent pays for it at every start; a mode's primitive has the full descriptions and limits. Throws when
 * modes disagree on a field's type.
 */
export const flatInput = ({ name, modes }: FlatTool): FlatInput => {
  const names = new Set(Object.values(modes).flatMap(listedFields))
  const fields = listVocabularyOnce([...names].map(field => [field, mergedField(name, field, modes)]))
  return {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: Object.keys(modes), description: fieldsByMode(modes) },
      ...Object.fromEntries(fields),
    },
    required: ['mode'],
  }
}

/**
 * Fields of each mode, with a star for required ones; modes with the same fields stand together. Fields of most modes
 * are listed once, at the end.
 */
const fieldsByMode = (modes: FlatTool['modes']): string => {
  const all = Object.values(modes).flatMap(operation => listedFields(operation).filter(isOptional(operation.input)))
  const shared = new Set(all.filter(field => isShared(field, all, Object.keys(modes).length)))
  const alike = new Map<string, string[]>()
  for (const [mode, operation] of Object.entries(modes)) {
    const { input } = operation
    const fields = listedFields(operation).filter(field => !isOptional(input)(field) || !shared.has(field))
    const listed = fields.map(field => (isOptional(input)(field) ? field : `${field}*`)).join(' ')
    alike.set(listed, [...(alike.get(listed) ?? []), mode])
  }
  const own = [...alike].flatMap(([fields, takers]) => (fields === '' ? [] : [`${takers.join(', ')}: ${fields}`]))
  const most = [...shared].filter(field => !OF_LISTS.includes(field))
  return `* needed. ${[...own, ...(most.length === 0 ? [] : [`most: ${most.join(' ')}`])].join('; ')}`
}

/** Fields of an operation in the tool's list and in refusals. */
export const listedFields = ({ input, omittedFields: unlisted = [] }: Operation): string[] =>
  Object.keys(input.properties).filter(field => !unlisted.includes(field))

const isOptional =
  ({ required }: Operation['input']) =>
  (field: string): boolean =>
    !required?.includes(field)

const isShared = (field: string, all: readonly string[], modes: number): boolean =>
  OF_LISTS.includes(field) || all.filter(other => other === field).length * 2 > modes

const mergedField = (tool: string, field: string, modes: FlatTool['modes']): Field => {
  const uses = usesOf(field, modes)
  const [first, ...others] = uses.map(use => use.schema)
  const clash = others.find(other => kindOf(other) !== kindOf(first))
  if (clash) throw new Error(`Modes of ${tool} give the field "${field}" different types.`)
  const description = OF_LISTS.includes(field) ? '' : fieldDescription(field, uses)
  // A composed schema has no keywords of its own to agree on.
  const brief = briefSchema(agreed(first ?? {}, others))
  const text = joined(brief.description, description)
  if (listsItsWords(brief.enum, uses)) return { type: 'string', description: text }
  return { ...brief, ...(text === '' ? {} : { description: text }) }
}

/** True when modes take different words and the description lists the words of each mode. */
const listsItsWords = (words: unknown, uses: readonly FieldUse[]): boolean =>
  Array.isArray(words) &&
  uses.some(({ schema }) => JSON.stringify(schema.enum) !== JSON.stringify(words)) &&
  uses.every(({ schema }) => {
    const said = new Set(firstSentence(schema.description).match(/\w+/g))
    return Array.isArray(schema.enum) && schema.enum.every(word => said.has(word))
  })

const usesOf = (field: string, modes: FlatTool['modes']): FieldUse[] =>
  Object.entries(modes).flatMap(([mode, { input, omittedFields: unlisted = [] }]) => {
    const schema = fieldsOf(input)[field]
    return schema && !unlisted.includes(field)
      ? [{ mode, schema, required: (input.required ?? []).includes(field) }]
      : []
  })

// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (input: Operation['input']): Readonly<Record<string, Field>> =>
  input.properties as unknown as Readonly<Record<string, Field>>

/** The part that must be the same in every mode: the type, or the whole of a composed schema. */
const kindOf = (schema: Field | undefined): string =>
  schema?.type === undefined && schema?.enum === undefined
    ? JSON.stringify(withoutDescription(schema))
    : JSON.stringify([schema.type ?? 'string', schema.items === undefined ? null : kindOf(schema.items as Field)])

const withoutDescription = ({ description: _, ...schema }: Field = {}): Field => schema

/** A keyword's value without descriptions, in which modes may differ. */
const undescribed = (value: unknown): string | undefined =>
  typeof value === 'object'
    ? JSON.stringify(value, (key, inner) => (key === 'description' && typeof inner === 'string' ? undefined : inner))
    : JSON.stringify(value)

/** Keywords that all modes share; an `enum`, of the field or of its items, has the values of every mode. */
const agreed = (first: Field, others: readonly Field[]): Field => {
  const kept = Object.entries(first).filter(([keyword, value]) =>
    others.every(other => undescribed(other[keyword]) === undescribed(value)),
  )
  const values = [first, ...others].map(schema => schema.enum).filter(Array.isArray)
  return {
    ...Object.fromEntries(kept),
    ...(values.length > others.length ? { enum: [...new Set(values.flat())] } : {}),
    // `items` belongs to the compared part, so either all modes have it or none.
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
