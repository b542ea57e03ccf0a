import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { signCursor } from './call/cursor.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { type OwnIds, sampleInput } from './testing-reach.ts'
import { firstOf, seedEverything } from './testing-seed.ts'

/**
 * Every operation, with every field replaced by what an enemy would send there. Each is answered or refused with a code
 * that somebody foresaw: `internal` would be a 500, an alarm in the log, and a statement that the caller could choose
 * to have fail.
 */
let kit: OperationsKit
let workspace: Workspace
let own: OwnIds

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'marimba')
  own = await firstOf(kit, workspace)
})
after(() => kit.stop())

const nested = (levels: number): unknown => JSON.parse(`${'['.repeat(levels)}${']'.repeat(levels)}`)
const polluting: unknown = JSON.parse('{"__proto__":{"polluted":true},"constructor":{"prototype":{"polluted":true}}}')

const TEXTS = ['\u0000', '\ud800', '9'.repeat(200), '+275760-09-13T00:00:00Z', '(".*|(a+)+$ "a" or -"b"']
const NUMBERS = [2 ** 31, 1e300, JSON.parse('1e999') as number]
const SHAPES: readonly unknown[] = [nested(5000), polluting]

type Schema = Readonly<Record<string, unknown>>
const fieldsOf = (schema: unknown) =>
  Object.entries(((schema as Schema).properties ?? {}) as Readonly<Record<string, Schema>>)

/** What is tried in a field: what its type takes at its edges, what it does not, and the same within it. */
const tried = (schema: Schema, sample: unknown): readonly unknown[] => {
  const many = Array(2000).fill(Array.isArray(sample) ? (sample[0] ?? 'x') : 'x')
  return [...TEXTS, ...NUMBERS, ...SHAPES, many, ...inside(schema)]
}

const WITHIN = ['\u0000', 1e300]

const inside = (schema: Schema): readonly unknown[] =>
  schema.items === undefined
    ? fieldsOf(schema).flatMap(([name]) => WITHIN.map(value => ({ [name]: value })))
    : WITHIN.map(value => [value])

const attempt = async (operation: Operation, input: Readonly<Record<string, unknown>>): Promise<string> => {
  try {
    await workspace.run(operation, input)
    return 'ok'
  } catch (error) {
    if (isAssayError(error)) return error.code
    throw error
  }
}

/** Codes of what goes wrong here rather than in the call. */
const OURS = new Set(['internal', 'timeout', 'unavailable'])

for (const operation of registry.values()) {
  test(`${operation.name} foresees every value of every field`, async () => {
    const sample = sampleInput(operation, own)
    for (const [name, schema] of fieldsOf(operation.input)) {
      for (const [place, value] of tried(schema, sample[name]).entries()) {
        const code = await attempt(operation, { ...sample, [name]: value })
        assert.ok(!OURS.has(code), `${name}, value ${place} of those tried: ${code}`)
      }
    }
  })
}

test('nothing of it reached the prototype of every object', () => {
  assert.equal(({} as Record<string, unknown>).polluted, undefined)
})

const LISTS = new Set(
  readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' })
    .filter(file => file.endsWith('.ts') && !file.endsWith('.test.ts'))
    .flatMap(file => [
      ...readFileSync(join(import.meta.dirname, file), 'utf8').matchAll(/decodeCursor\(\s*'([a-z_ -]+)'/g),
    ])
    .map(([, name = '']) => name),
)

const AT = Date.UTC(2026, 5, 1)
/** An offset and a time, as an enemy would have them. */
const FORGED: readonly (readonly unknown[])[] = [
  [2 ** 31, AT],
  [Number.MAX_SAFE_INTEGER, AT],
  [0, 8.64e15],
  [0, -8.64e15],
  [1, null],
  [0, '2026'],
]

for (const operation of registry.values()) {
  if (!fieldsOf(operation.input).some(([name]) => name === 'cursor')) continue
  test(`${operation.name} refuses a forged cursor`, async () => {
    const sample = sampleInput(operation, own)
    for (const cursor of ['nonsense', '', '.']) {
      assert.equal(await attempt(operation, { ...sample, cursor }), 'invalid_input', cursor)
    }
    for (const list of LISTS) {
      const cursor = (...position: readonly unknown[]) =>
        signCursor(
          operation,
          workspace.caller,
          sample,
          Buffer.from(JSON.stringify([list, ...position])).toString('base64url'),
        )
      if ((await attempt(operation, { ...sample, cursor: cursor(0, AT) })) === 'invalid_input') continue
      for (const forged of FORGED) {
        const code = await attempt(operation, { ...sample, cursor: cursor(...forged) })
        assert.equal(code, 'invalid_input', `${list} ${JSON.stringify(forged)}`)
      }
    }
  })
}
