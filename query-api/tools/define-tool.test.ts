import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TProperties, type TSchema, Type } from 'typebox'
import { readOperation } from '../operations/define.ts'
import { defineTool, flatInput } from './define-tool.ts'
import { tools } from './index.ts'

const reading = (title: string, fields: TProperties, audience: 'everyone' | 'people' = 'everyone') =>
  readOperation({
    name: title.toLowerCase(),
    title,
    summary: title,
    units: 1,
    role: 'viewer',
    audience,
    input: Type.Object(fields),
    output: Type.Object({}),
    run: async () => ({ data: {} }),
  })

const tool = (modes: Parameters<typeof defineTool>[0]['modes']) => ({
  name: 'service_x',
  title: 'X',
  description: 'X',
  modes,
})

test('a tool’s input is one flat object whose mode lists the fields of each, a star where they are needed', () => {
  const schema = flatInput(
    tool({
      one: reading('One', {
        id: Type.String({ minLength: 1, description: 'The one. What else there is to know.' }),
        limit: Type.Optional(Type.Integer({ maximum: 10 })),
        cursor: Type.Optional(Type.String({ description: 'Goes on.' })),
        name: Type.String({ description: 'The name.' }),
      }),
      two: reading('Two', {
        id: Type.Optional(Type.String({ description: 'The two.' })),
        depth: Type.Enum(['summary', 'full'], { description: 'How much.' }),
        cursor: Type.Optional(Type.String({ description: 'Goes on.' })),
        name: Type.String({ description: 'The name.' }),
        which: Type.Optional(
          Type.Array(Type.Object({ of: Type.String({ pattern: 'x', description: 'Of its kind. Any.' }) })),
        ),
      }),
      three: reading('Three', {
        cursor: Type.Optional(Type.String({ description: 'Goes on.' })),
        name: Type.String({ description: 'The name.' }),
        which: Type.Optional(
          Type.Array(Type.Object({ of: Type.String({ pattern: 'x', description: 'Of its kind. Any.' }) })),
        ),
      }),
    }),
  )
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), {
    type: 'object',
    properties: {
      mode: {
        type: 'string',
        enum: ['one', 'two', 'three'],
        description: '* needed. one: id* name*; two: id depth* name*; three: name*; most: which',
      },
      id: { type: 'string', description: 'one: The one. two: The two.' },
      limit: { type: 'integer' },
      cursor: { type: 'string' },
      name: { type: 'string' },
      depth: { enum: ['summary', 'full'] },
      which: {
        type: 'array',
        items: {
          type: 'object',
          description: 'of: Of its kind.',
        },
      },
    },
    required: ['mode'],
  })
})

test('a field that modes limit differently keeps what they share, and the values of each', () => {
  const { properties } = flatInput(
    tool({
      one: reading('One', { limit: Type.Integer({ default: 20, multipleOf: 1 }), kind: Type.Enum(['a', 'b']) }),
      two: reading('Two', { limit: Type.Integer({ default: 50, multipleOf: 1 }), kind: Type.Enum(['b', 'c']) }),
    }),
  )
  assert.deepEqual(properties.limit, { type: 'integer', multipleOf: 1 })
  assert.deepEqual(properties.kind, { enum: ['a', 'b', 'c'] })
})

test('a long vocabulary is listed once, and what most modes say of a field is said of the others', () => {
  const words = ['a', 'b', 'c', 'd', 'e']
  const said = (description: string) => Type.Optional(Type.String({ description }))
  const { properties } = flatInput(
    tool({
      one: reading('One', {
        group_by: Type.Array(Type.Enum(words)),
        order: Type.Object({ by: Type.Enum([...words, 'period']) }),
        states: Type.Array(Type.Enum(['x'])),
        why: said('Here.'),
      }),
      two: reading('Two', { states: Type.Array(Type.Enum(['y'])), why: said('There.') }),
      three: reading('Three', { why: said('There.') }),
      four: reading('Four', { why: said('There.') }),
    }),
  )
  assert.deepEqual(JSON.parse(JSON.stringify(properties)), {
    mode: properties.mode,
    group_by: { type: 'array', items: { enum: words } },
    order: {
      type: 'object',
      properties: { by: { description: 'Values of group_by or period.' } },
    },
    states: { type: 'array', items: { enum: ['x', 'y'] } },
    why: { type: 'string', description: 'one: Here. else: There.' },
  })
})

test('a description that says no more than its name is left out, and fields of one kind are names', () => {
  const text = (description: string) => Type.String({ description })
  const { properties } = flatInput(
    tool({
      one: reading('One', {
        signal_id: text('The Signal. A UUID or reference.'),
        states: text('Default all states.'),
        state: text('Default waiting.'),
        figures: Type.Object({
          reach: Type.Union([Type.Number(), Type.Null()]),
          effort: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
          cost: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
        }),
      }),
    }),
  )
  assert.deepEqual(JSON.parse(JSON.stringify({ ...properties, mode: undefined })), {
    signal_id: { type: 'string' },
    states: { type: 'string' },
    state: { type: 'string', description: 'Default waiting.' },
    figures: {
      type: 'object',
      additionalProperties: { anyOf: [{ type: 'number' }, { type: 'null' }] },
      description: 'reach* effort cost.',
    },
  })
})

test('words that differ by mode and are described are not listed again, and an unlisted field is not listed at all', () => {
  const acting = (action: TSchema, more: TProperties = {}) => reading('Acting', { action, ...more })
  const { properties } = flatInput(
    tool({
      one: {
        ...acting(Type.Enum(['a', 'b'], { description: 'a, b (of it).' }), { id: Type.String() }),
        omittedFields: ['id'],
      },
      two: acting(Type.Enum(['b', 'c'], { description: 'b or c.' })),
    }),
  )
  assert.deepEqual(JSON.parse(JSON.stringify({ ...properties, mode: undefined })), {
    action: { type: 'string', description: 'two: b or c. one: a, b (of it).' },
  })
})

test('a tool that no agent could read is refused when it is defined', () => {
  const text = reading('Text', { id: Type.String() })
  assert.throws(
    () => defineTool(tool({ text, number: reading('Number', { id: Type.Number() }) })),
    /"id" different types/,
  )
  assert.throws(
    () => defineTool(tool({ text, list: reading('List', { id: Type.Array(Type.String()) }) })),
    /"id" different types/,
  )
  assert.throws(
    () => defineTool(tool({ mode: reading('Mode', { mode: Type.String() }) })),
    /must not name a field "mode"/,
  )
  assert.throws(() => defineTool(tool({ secret: reading('Secret', {}, 'people') })), /for people only/)
  assert.throws(() => defineTool(tool({})), /no modes/)
})

test('every tool’s schema is one that clients take: flat, and under 16 KB', () => {
  for (const defined of tools) {
    const schema = flatInput(defined)
    for (const keyword of ['oneOf', 'anyOf', 'allOf']) assert.ok(!(keyword in schema), `${defined.name} has ${keyword}`)
    assert.ok(JSON.stringify(schema).length < 16_000, `${defined.name} is too large`)
  }
})
