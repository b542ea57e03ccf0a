import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Operation } from '../define.ts'
import { registry } from '../registry.ts'
import { InvalidArguments, validate } from './contract.ts'

/** What a caller sends who guesses, in every field of every operation: is the refusal enough to do it right? */

interface Schema {
  readonly type?: string
  readonly pattern?: string
  readonly format?: string
  readonly description?: string
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

interface Place {
  readonly operation: Operation
  readonly pointer: string
  readonly schema: Schema
  /** The input with a value in that place. */
  readonly put: (value: unknown) => object
}

const placesIn = ({ properties = {} }: Schema, of: Omit<Place, 'schema'>): Place[] =>
  Object.entries(properties).flatMap(([name, schema]) => {
    const place = {
      operation: of.operation,
      pointer: `${of.pointer}/${name}`,
      schema,
      put: (value: unknown) => of.put({ [name]: value }),
    }
    const element = { ...place, pointer: `${place.pointer}/0`, put: (value: unknown) => place.put([value]) }
    return [
      place,
      ...placesIn(schema, place),
      ...(schema.items === undefined ? [] : [{ ...element, schema: schema.items }, ...placesIn(schema.items, element)]),
    ]
  })

const places: readonly Place[] = [...registry.values()].flatMap(operation =>
  // TypeBox's schemas are JSON Schema objects; their own types do not say so.
  placesIn(operation.input as unknown as Schema, { operation, pointer: '', put: value => value as object }),
)

const refusal = ({ operation, put, pointer }: Place, value: unknown, at = pointer): string => {
  try {
    validate(operation, put(value) as Parameters<typeof validate>[1], operation.name)
  } catch (error) {
    assert.ok(error instanceof InvalidArguments)
    return error.violations?.find(violation => violation.pointer === at)?.message ?? ''
  }
  return ''
}

test('a field that an object has not is told with those that it has, however deep it is', () => {
  const objects = places.filter(({ schema }) => schema.properties !== undefined)
  assert.ok(objects.length > 20, String(objects.length))
  for (const place of objects) {
    const names = Object.keys(place.schema.properties ?? {}).join(', ')
    const unknown = refusal(place, { no_such_field: 1 }, `${place.pointer}/no_such_field`)
    assert.equal(unknown, `is not a field here; allowed: ${names}`, `${place.operation.name}${place.pointer}`)
    const told = refusal(place, 'last week')
    assert.ok(
      told.startsWith('must be object') && told.endsWith(names),
      `${place.operation.name}${place.pointer}: ${told}`,
    )
  }
})

test('a text of the wrong form is told what is written there', () => {
  const formed = places.filter(
    ({ schema: { type, pattern = '\\S', format, description } }) =>
      type === 'string' && description !== undefined && (pattern !== '\\S' || format !== undefined),
  )
  assert.ok(formed.length > 20, String(formed.length))
  for (const place of formed) {
    const told = refusal(place, 'data.text!')
    const said = place.schema.description?.replace(/\.$/, '') ?? ''
    assert.ok(told.includes(said), `${place.operation.name}${place.pointer}: ${told}`)
  }
})
