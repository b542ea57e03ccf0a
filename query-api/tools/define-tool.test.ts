import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type TProperties, Type } from 'typebox'
import { readOperation } from '../operations/define.ts'
import { defineTool } from './define-tool.ts'
import { flatInput } from './flat-input.ts'
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

test('a tool’s input is one flat object whose fields name their modes, a star where they are needed', () => {
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
          Type.Array(Type.Object({ of: Type.String({ pattern: 'x', description: 'Of what. Any.' }) })),
        ),
      }),
      three: reading('Three', {
        cursor: Type.Optional(Type.String({ description: 'Goes on.' })),
        name: Type.String({ description: 'The name.' }),
        which: Type.Optional(
          Type.Array(Type.Object({ of: Type.String({ pattern: 'x', description: 'Of what. Any.' }) })),
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
        description: 'A field names its modes; * needs it.',
      },
      id: { type: 'string', description: 'one*: The one. two: The two.' },
      limit: { type: 'integer', description: 'one:' },
      cursor: { type: 'string', description: 'Goes on.' },
      name: { type: 'string', description: '*: The name.' },
      depth: { enum: ['summary', 'full'], description: 'two*: How much.' },
      which: {
        type: 'array',
        items: {
          type: 'object',
          properties: { of: { type: 'string', description: 'Of what.' } },
          required: ['of'],
        },
        description: 'not one:',
      },
    },
    required: ['mode'],
    additionalProperties: false,
  })
})

test('a field that modes limit differently keeps what they share, and the values of each', () => {
  const { properties } = flatInput(
    tool({
      one: reading('One', { limit: Type.Integer({ default: 20, multipleOf: 1 }), kind: Type.Enum(['a', 'b']) }),
      two: reading('Two', { limit: Type.Integer({ default: 50, multipleOf: 1 }), kind: Type.Enum(['b', 'c']) }),
    }),
  )
  assert.deepEqual({ ...properties.limit, description: '' }, { type: 'integer', multipleOf: 1, description: '' })
  assert.deepEqual({ ...properties.kind, description: '' }, { enum: ['a', 'b', 'c'], description: '' })
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
        why: said('This.'),
      }),
      two: reading('Two', { states: Type.Array(Type.Enum(['y'])), why: said('That.') }),
      three: reading('Three', { why: said('That.') }),
      four: reading('Four', { why: said('That.') }),
    }),
  )
  assert.deepEqual(JSON.parse(JSON.stringify(properties)), {
    mode: properties.mode,
    group_by: { type: 'array', items: { enum: words }, description: 'one*:' },
    order: {
      type: 'object',
      properties: { by: { description: 'Values of group_by or period.' } },
      required: ['by'],
      description: 'one*:',
    },
    states: { type: 'array', items: { enum: ['x', 'y'] }, description: 'one*, two*:' },
    why: { type: 'string', description: 'one: This. else: That.' },
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
