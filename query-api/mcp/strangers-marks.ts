import type { TSchema } from 'typebox'
import { FROM_STRANGERS, MARKS, betweenMarks as mark, OWN_WORDS } from '../../schemas/domain/strangers.ts'
import { visibleJson } from '../../schemas/domain/visible-text.ts'
import { isShallow } from '../../schemas/http/json-values.ts'
import { type BodyBudget, senderOf } from '../http/body-budget.ts'
import type { Call, CallRequest } from '../operations/call/contract.ts'
import type { Operation } from '../operations/define.ts'
import { DEFAULT_LIMIT, listDepth } from '../operations/parts/fields.ts'
import { OWN_FIELDS } from './own-fields.ts'
import { saidOnce } from './said-once.ts'

/** Places of strangers' words in an answer; null when there are none. */
interface Places {
  /** True for the value itself and every text within it, keys too. */
  readonly all: boolean
  readonly fields: Readonly<Record<string, Places>>
  readonly items: Places | null
  /** Places in each value of a record. */
  readonly values: Places | null
  /** Places by an object's kind; null when the object is not one of several kinds. */
  readonly kinds: ReadonlyMap<string, Places | null> | null
}

const known = new WeakMap<object, { readonly places: Places | null }>()

/** The answer with marks around every text, except texts whose schema says that they are not strangers'. */
export const marked = (schema: TSchema, value: unknown): unknown => {
  const compiled = known.get(schema) ?? { places: placesIn(schema, '') }
  known.set(schema, compiled)
  return compiled.places === null ? value : markedAt(compiled.places, value)
}

type Schema = Readonly<Record<string, unknown>>

const placesIn = (schema: unknown, field: string): Places | null => {
  // TypeBox's schemas are JSON Schema objects; their own types do not say so.
  const { $comment, properties, items, patternProperties, additionalProperties, anyOf, allOf } = schema as Schema
  if ($comment === OWN_WORDS) return null
  const all = $comment === FROM_STRANGERS || isOfAnybody(schema as Schema, field)
  const fields = Object.fromEntries(
    Object.entries((properties ?? {}) as Schema).flatMap(([name, inner]) => {
      const places = placesIn(inner, name)
      return places === null ? [] : [[name, places]]
    }),
  )
  const records = [...Object.values((patternProperties ?? {}) as Schema), additionalProperties].filter(isSchema)
  const own: Places = {
    all,
    fields,
    items: isSchema(items) ? placesIn(items, field) : null,
    values: records.map(record => placesIn(record, field)).reduce(together, null),
    kinds: kindsIn(anyOf, field),
  }
  const parts = [anyOf, allOf].flatMap(list => (Array.isArray(list) ? list : [])).map(part => placesIn(part, field))
  const places = parts.reduce(together, own)
  const isSomewhere = places?.all || Object.keys(places?.fields ?? {}).length > 0 || places?.items || places?.values
  return isSomewhere ? places : null
}

/** Fields that name an object's kind. */
const KINDS = ['type', 'kind'] as const

/** Words of the kinds that a schema allows. */
const kindsOf = (schema: Schema): readonly string[] => {
  const properties = (schema.properties ?? {}) as Readonly<Record<string, Schema>>
  const words = KINDS.flatMap(name => properties[name]?.enum ?? [])
  return words.filter(word => typeof word === 'string')
}

/** Null unless every choice names its kinds and each kind belongs to one choice. */
const kindsIn = (anyOf: unknown, field: string): Places['kinds'] => {
  const choices = Array.isArray(anyOf) ? anyOf.filter(isSchema) : []
  const words = choices.map(kindsOf)
  const isTold = words.every(({ length }) => length > 0) && new Set(words.flat()).size === words.flat().length
  if (choices.length < 2 || !isTold) return null
  return new Map(choices.flatMap((choice, place) => (words[place] ?? []).map(word => [word, placesIn(choice, field)])))
}

/** Places for the object's kind; the union of all kinds when it names none. */
const placesFor = ({ kinds, ...any }: Places, value: Readonly<Record<string, unknown>>): Places | null => {
  const word = KINDS.map(name => value[name]).find(one => typeof one === 'string' && kinds?.has(one))
  return typeof word === 'string' ? (kinds?.get(word) ?? null) : { ...any, kinds: null }
}

/** True when a schema allows any text in a field outside `OWN_FIELDS`. */
const isOfAnybody = ({ type, enum: words, const: word, format, anyOf, allOf }: Schema, field: string): boolean => {
  if (type !== undefined) return type === 'string' && !words && word === undefined && !format && !OWN_FIELDS.has(field)
  return !words && word === undefined && !anyOf && !allOf
}

/** Fields of a refusal's facts that name an object; their text may be a claim's, so all of it is marked. */
const NAMING = new Set(['name', 'title', 'text', 'statement'])

/** Marks the names in a refusal's facts, which have no schema. */
export const markedNames = (value: unknown, field = ''): unknown => {
  if (typeof value === 'string') return NAMING.has(field) ? mark(value) : value
  if (Array.isArray(value)) return value.map(item => markedNames(item, field))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, markedNames(inner, name)]))
}

const isSchema = (value: unknown): value is Schema => typeof value === 'object' && value !== null

/** Union of two places. */
const together = (left: Places | null, right: Places | null): Places | null => {
  if (left === null || right === null) return left ?? right
  const names = new Set([...Object.keys(left.fields), ...Object.keys(right.fields)])
  return {
    all: left.all || right.all,
    fields: Object.fromEntries(
      [...names].flatMap(name => {
        const places = together(left.fields[name] ?? null, right.fields[name] ?? null)
        return places === null ? [] : [[name, places]]
      }),
    ),
    items: together(left.items, right.items),
    values: together(left.values, right.values),
    kinds: left.kinds ?? right.kinds,
  }
}

/** A list's line has this instead of an object with a reference, or of the rest of a list. */
const REFERENCE = /^(?:(?:SIG|CLM|SOL|DEC)-|\+)\d+$/

const markedAt = (places: Places, value: unknown): unknown => {
  if (places.all) return markedWhole(value)
  // A list's line has the name instead of an object without a reference.
  if (typeof value === 'string') return isNamedByStrangers(places) && !REFERENCE.test(value) ? mark(value) : value
  if (Array.isArray(value)) {
    const { items } = places
    return items === null ? value : value.map(item => markedAt(items, item))
  }
  if (typeof value !== 'object' || value === null) return value
  const of = placesFor(places, value as Readonly<Record<string, unknown>>)
  if (of === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => {
      const at = Object.hasOwn(of.fields, name) ? (of.fields[name] ?? null) : of.values
      return [name, at === null ? inner : markedAt(at, inner)]
    }),
  )
}

const isNamedByStrangers = ({ fields }: Places): boolean => [fields.name, fields.title].some(at => at?.all === true)

const markedWhole = (value: unknown): unknown => {
  if (typeof value === 'string') return mark(value)
  if (Array.isArray(value)) return value.map(markedWhole)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [mark(name), markedWhole(inner)]))
}

/** The value without the marks around whole texts: an agent that copies a marked text means the text inside. */
export const withoutMarks = <Value>(value: Value): Value => {
  // Arrays and objects keep their types.
  if (typeof value === 'string') return bare(value) as Value
  if (Array.isArray(value)) return value.map(withoutMarks) as Value
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [bare(name), withoutMarks(inner)])) as Value
}

const bare = (text: string): string =>
  text.length > 1 && text.startsWith(MARKS.opening) && text.endsWith(MARKS.closing) ? text.slice(1, -1) : text

/** Lists are read as lines, a usual page of them, unless the agent gives a depth or names one object. */
const inLines = ({ input: { properties, required } }: Operation, input: CallRequest['input']): CallRequest['input'] => {
  const isOfOne = input.id !== undefined && !required?.includes('id')
  if (properties.depth !== listDepth || input.depth !== undefined || isOfOne) return input
  // A list without pages has its own limit, or none.
  return { ...('cursor' in properties && { limit: DEFAULT_LIMIT }), ...input, depth: 'summary' }
}

/**
 * A call as an agent makes it: the answer contains only visible text, with strangers' words between marks; copied marks
 * are removed from the input.
 */
export const createAgentCall =
  (call: Call, bodies: Pick<BodyBudget, 'spending'>): Call =>
  async (operation, request) => {
    // The call refuses deeper nesting before anything walks it.
    const bare = () => (Object.values(request.input).every(isShallow) ? withoutMarks(request.input) : request.input)
    const input = inLines(operation, bodies.spending(senderOf(request.caller), bare))
    const { data, meta } = visibleJson(await call(operation, { ...request, input }))
    return { data: marked(operation.output, saidOnce(data)), meta }
  }
