import type { AssayError, Operation } from './define.ts'

/**
 * For tests over the whole registry: inputs that are right in all but one id, made from the operations' own schemas.
 */

type Input = Readonly<Record<string, unknown>>
type Schema = Readonly<Record<string, unknown>>

/** A workspace's own ids, by table. */
export type OwnIds = Readonly<Record<string, string>>

/** A field that says which object is meant, and the value that puts an id there. */
export interface Identifying {
  readonly name: string
  readonly put: (id: string, own: OwnIds) => unknown
}

const NAMES_AN_OBJECT = /^(id|about)$|_ids?$/

/** They say what is away, so they answer while a store is. */
const SAY_WHAT_IS_AWAY: readonly string[] = ['inspect_dependencies', 'diagnose_workspace']

/** Whether an operation's answer is right while the database fails it: the others are refused as unavailable. */
export const answersWithoutDatabase = (operation: Operation): boolean => SAY_WHAT_IS_AWAY.includes(operation.name)

// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  ((schema as Schema | undefined)?.properties ?? {}) as Readonly<Record<string, Schema>>

/** The fields of an operation that name objects, those in lists of objects too. */
export const idFieldsOf = (operation: Operation): Identifying[] =>
  Object.entries(fieldsOf(operation.input)).flatMap(([name, schema]): Identifying[] => {
    if (NAMES_AN_OBJECT.test(name) || (name === 'query' && operation.name === 'lookup_reference')) {
      return [{ name, put: id => ('items' in schema ? [id] : id) }]
    }
    return Object.keys(fieldsOf(schema.items))
      .filter(inner => NAMES_AN_OBJECT.test(inner))
      .map(inner => ({ name, put: (id, own) => [{ ...sampleObject(schema.items, own, operation), [inner]: id }] }))
  })

/** Which table's object a field means, by the field's name; `id` by the operation's. */
const TABLES: readonly (readonly [field: RegExp, table: string])[] = [
  [/claim|survivor/, 'claims'],
  [/comment_id/, 'comments'],
  [/comment|owner/, 'solutions'],
  [/solution|document|outcome|knowledge/, 'solutions'],
  [/signal|repeats/, 'signals'],
  [/decision/, 'decisions'],
  [/proposal/, 'merge_proposals'],
  [/group/, 'groups'],
  [/theme/, 'themes'],
  [/strategy/, 'strategy_elements'],
  [/metric_id|source/, 'sources'],
  [/job/, 'jobs'],
  [/review/, 'product_reviews'],
  [/import|transfer/, 'transfers'],
  [/^change_id$/, 'changes'],
  [/node|parent|metric/, 'map_nodes'],
]

const ownId = (name: string, own: OwnIds, operation: Operation): string | undefined => {
  const meaning = name === 'id' ? operation.name : name
  const table = TABLES.find(([field]) => field.test(meaning))?.[1]
  return table === undefined ? undefined : own[table]
}

const sampleObject = (schema: unknown, own: OwnIds, operation: Operation): Input =>
  Object.fromEntries(
    ((schema as { readonly required?: readonly string[] }).required ?? []).map(name => [
      name,
      sample(name, fieldsOf(schema)[name] ?? {}, own, operation),
    ]),
  )

/** The fields that an operation cannot do without, with own ids where they name an object. */
export const sampleInput = (operation: Operation, own: OwnIds): Input => sampleObject(operation.input, own, operation)

/** A value that a field takes. */
const sample = (name: string, schema: Schema, own: OwnIds, operation: Operation): unknown => {
  if (Array.isArray(schema.enum)) return schema.enum[0]
  if (Array.isArray(schema.anyOf)) return sample(name, schema.anyOf[0] as Schema, own, operation)
  if (schema.type === 'array') return [sample(name, schema.items as Schema, own, operation)]
  if (schema.type === 'object') return sampleObject(schema, own, operation)
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return schema.minimum ?? 1
  return (
    (NAMES_AN_OBJECT.test(name) ? ownId(name, own, operation) : undefined) ??
    (/url/.test(name) ? 'https://assay.test/x' : '2026-05-01')
  )
}

/** What a change may need to be one. */
const USUAL = ['comment', 'priority_boost', 'name', 'markdown', 'title', 'horizon']
const MAX_REPAIRS = 8

/** Without what was refused, or with what was missed; null when nothing is left to try. */
const repaired = (operation: Operation, field: string, input: Input, error: AssayError, own: OwnIds): Input | null => {
  const fields = fieldsOf(operation.input)
  const named = error.violations.map(({ pointer }) => pointer.split('/')[1] ?? '')
  const name =
    named.length > 0 ? named.find(each => each !== field) : USUAL.find(each => each in fields && !(each in input))
  if (error.code !== 'invalid_input' || name === undefined || fields[name] === undefined) return null
  const { [name]: present, ...others } = input
  return present === undefined ? { ...input, [name]: sample(name, fields[name], own, operation) } : others
}

interface Search {
  readonly operation: Operation
  readonly field: Identifying
  /** An id that is nobody's. */
  readonly id: string
  readonly own: OwnIds
  /** What the operation refuses an input with. */
  readonly refusal: (operation: Operation, input: Input) => Promise<AssayError>
}

/** The inputs, one for each action that takes the field, with which the operation looks up an id in it. */
export const inputsThatReach = async ({
  operation,
  field,
  id,
  own,
  refusal,
}: Search): Promise<((id: string) => Input)[]> => {
  const fields = fieldsOf(operation.input)
  const actions = Array.isArray(fields.action?.enum) ? fields.action.enum : [undefined]
  const found: ((id: string) => Input)[] = []
  for (const action of actions) {
    const { [field.name]: _, ...required } = sampleObject(operation.input, own, operation)
    const grounds = 'comment' in fields && field.name !== 'decision_id' ? { comment: 'Agreed.' } : {}
    let input: Input | null = { ...required, ...grounds, ...(action === undefined ? {} : { action }) }
    for (let tries = 0; input !== null && tries < MAX_REPAIRS; tries += 1) {
      const right: Input = input
      const error = await refusal(operation, { ...right, [field.name]: field.put(id, own) })
      // Not every refusal repeats the id: then it must have been the only one.
      const isOnly = !Object.keys(right).some(name => NAMES_AN_OBJECT.test(name))
      if (error.code === 'not_found' && (isOnly || error.publicMessage.includes(id))) {
        found.push(other => ({ ...right, [field.name]: field.put(other, own) }))
        break
      }
      input = repaired(operation, field.name, right, error, own)
    }
  }
  return found
}

/** An input that the operation's schema takes, in which every id is one that `make` made: nobody's. */
export const completeInput = (operation: Operation, make: () => string): Input => {
  const own: OwnIds = Object.fromEntries([...TABLES.map(([, table]) => table), 'others'].map(table => [table, make()]))
  const { token, user_id, id, ...rest } = sampleInput(operation, own)
  return {
    ...rest,
    ...(token !== undefined && { token: 'x'.repeat(43) }),
    ...(user_id !== undefined && { user_id: make() }),
    ...(id !== undefined && { id: make() }),
  }
}
