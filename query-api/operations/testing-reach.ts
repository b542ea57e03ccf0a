import type { AssayError, Operation } from './define.ts'

/** For tests over the whole registry: inputs with one wrong id, generated from the operations' own schemas. */

type Input = Readonly<Record<string, unknown>>
type Schema = Readonly<Record<string, unknown>>

/** Ids of a workspace, by table. */
export type OwnIds = Readonly<Record<string, string>>

/** A field that identifies an object, and the function that puts an id there. */
export interface Identifying {
  readonly name: string
  /** The field's name; behind a slash, the field with the id in its list's objects. */
  readonly path: string
  readonly put: (id: string, own: OwnIds) => unknown
}

const NAMES_AN_OBJECT = /^(id|about)$|_ids?$/

/** These operations report outages, so they answer during one. */
const SAY_WHAT_IS_AWAY: readonly string[] = ['inspect_dependencies', 'diagnose_workspace']

/** True when an operation answers correctly without the database; others are refused as unavailable. */
export const answersWithoutDatabase = (operation: Operation): boolean => SAY_WHAT_IS_AWAY.includes(operation.name)

// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  ((schema as Schema | undefined)?.properties ?? {}) as Readonly<Record<string, Schema>>

/** Fields of an operation that identify objects, also within lists of objects. */
export const idFieldsOf = (operation: Operation): Identifying[] =>
  Object.entries(fieldsOf(operation.input)).flatMap(([name, schema]): Identifying[] => {
    if (NAMES_AN_OBJECT.test(name) || (name === 'query' && operation.name === 'lookup_reference')) {
      return [{ name, path: name, put: idIn(schema) }]
    }
    return Object.entries(fieldsOf(schema.items))
      .filter(([inner]) => NAMES_AN_OBJECT.test(inner))
      .map(([inner, its]) => ({
        name,
        path: `${name}/${inner}`,
        put: (id, own) => [{ ...sampleObject(schema.items, own, operation), [inner]: idIn(its)(id) }],
      }))
  })

/** A field's value for one id. */
const idIn =
  (schema: Schema) =>
  (id: string): unknown =>
    'items' in schema ? [id] : id

/** Table of a field's object, by the field's name; for `id` by the operation's. */
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

/** The required fields of an operation, with own ids where they identify an object. */
export const sampleInput = (operation: Operation, own: OwnIds): Input => sampleObject(operation.input, own, operation)

/** A valid value of a field. */
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

/** Fields that an operation may need to change anything. */
const USUAL = ['comment', 'priority_boost', 'name', 'markdown', 'title', 'horizon']
const MAX_REPAIRS = 8

/** The input without a refused field, or with a missing one; null when nothing is left to try. */
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
  /** An id of no object. */
  readonly id: string
  readonly own: OwnIds
  /** The operation's refusal of an input. */
  readonly refusal: (operation: Operation, input: Input) => Promise<AssayError>
}

const ID = /[0-9a-f]{8}-[0-9a-f]{4}-/

/** Inputs, one for each action with the field, that make the operation look up an id in it. */
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
      // A refusal that names another id is about that one.
      const isOther = ID.test(error.publicMessage) && !error.publicMessage.includes(id)
      if (error.code === 'not_found' && !isOther) {
        found.push(other => ({ ...right, [field.name]: field.put(other, own) }))
        break
      }
      input = repaired(operation, field.name, right, error, own)
    }
  }
  return found
}

/** A valid input in which `make` makes every id, so that none exists. */
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
