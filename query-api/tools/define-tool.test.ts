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

test('a tool’s input is one flat object whose fields name their modes', () => {
  const schema = flatInput(
    tool({
      one: reading('One', {
        id: Type.String({ description: 'The one.' }),
        limit: Type.Optional(Type.Integer({ maximum: 10 })),
      }),
      two: reading('Two', {
        id: Type.Optional(Type.String({ description: 'The two.' })),
        depth: Type.Enum(['summary', 'full'], { description: 'How much.' }),
      }),
    }),
  )
  assert.deepEqual(JSON.parse(JSON.stringify(schema)), {
    type: 'object',
    properties: {
      mode: { type: 'string', enum: ['one', 'two'], description: 'What to do. one: One. two: Two.' },
      id: { type: 'string', description: 'one: The one. two: The two. Required in one.' },
      limit: { type: 'integer', maximum: 10, description: 'Only in one.' },
      depth: { enum: ['summary', 'full'], description: 'Only in two. How much. Required in two.' },
    },
    required: ['mode'],
    additionalProperties: false,
  })
})

test('a field that modes limit differently keeps what they share, and the values of each', () => {
  const { properties } = flatInput(
    tool({
      one: reading('One', { limit: Type.Integer({ minimum: 1, maximum: 10 }), kind: Type.Enum(['a', 'b']) }),
      two: reading('Two', { limit: Type.Integer({ minimum: 1, maximum: 99 }), kind: Type.Enum(['b', 'c']) }),
    }),
  )
  assert.deepEqual({ ...properties.limit, description: '' }, { type: 'integer', minimum: 1, description: '' })
  assert.deepEqual({ ...properties.kind, description: '' }, { enum: ['a', 'b', 'c'], description: '' })
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
