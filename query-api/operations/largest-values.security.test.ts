import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../infra/clickhouse/testing.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { type Person, startTestApi, type TestApi } from '../testing.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OwnIds, sampleInput } from './testing-reach.ts'

/**
 * Every operation with the largest values that its schema allows, in each list and in all of its texts, through the
 * app's door and as far as the stores. Where they are too many together, the texts are made shorter until the call is
 * answered, so that about the largest that is accepted is tried as well.
 */
const lines: string[] = []
let analytics: TestAnalytics
let kit: TestApi
before(async () => {
  analytics = await startTestAnalytics()
  kit = await startTestApi({
    analytics: analytics.analytics,
    logger: createLogger({ level: 'debug', program: 'test', destination: { write: line => void lines.push(line) } }),
  })
})
after(async () => {
  await kit.stop()
  await analytics.stop()
})

/** What a stranger wrote. No line of the log may have it. */
const MARK = 'QZX'
/** Signs that grow most where a statement or JSON quotes them, and those that have most bytes. */
const SIGNS = ['x', "'", '\\', '漢']
/** The parts of the allowed length that texts have: each is a quarter of the one before. */
const PARTS = [1, 1 / 4, 1 / 16, 1 / 64]
/** Where the schema names no bound: more than the door takes. */
const UNBOUNDED = { characters: 300_000, items: 2000 }

type Schema = Readonly<Record<string, unknown>>

interface Size {
  readonly sign: string
  /** The part of the allowed length that texts have. */
  readonly part: number
  /** The word that this place of a list takes, of those that its schema allows. */
  readonly wordOf: (words: readonly unknown[], name: string, place: number) => unknown
}

// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (schema: unknown): Readonly<Record<string, Schema>> =>
  ((schema as Schema | undefined)?.properties ?? {}) as Readonly<Record<string, Schema>>

const textOf = (allowed: number, place: number, { sign, part }: Size): string => {
  const unlike = `${MARK}${place}`
  return `${unlike}${sign.repeat(Math.max(0, Math.floor(allowed * part) - unlike.length))}`
}

const largest = (schema: Schema, size: Size, name = '', place = 0): unknown => {
  const { enum: words, anyOf, const: only } = schema
  if (Array.isArray(words)) return size.wordOf(words, name, place)
  if (only !== undefined) return only
  if (Array.isArray(anyOf)) return largest(anyOf[0] as Schema, size, name, place)
  if (schema.type === 'array') {
    const items = schema.items as Schema
    const allWords = Array.isArray(items.enum) ? items.enum : null
    if (allWords !== null) return allWords.slice(0, Number(schema.maxItems ?? allWords.length))
    const count = Number(schema.maxItems ?? UNBOUNDED.items)
    return Array.from({ length: count }, (_, at) => largest(items, size, name, at))
  }
  if (schema.type === 'object') {
    const fields = Object.entries(fieldsOf(schema))
    return Object.fromEntries(fields.map(([field, inner]) => [field, largest(inner, size, field, place)]))
  }
  if (schema.type === 'boolean') return true
  if (schema.type === 'number' || schema.type === 'integer') return schema.maximum ?? Number.MAX_SAFE_INTEGER
  if (schema.pattern !== undefined || schema.format !== undefined) return '2026-05-01'
  return textOf(Number(schema.maxLength ?? UNBOUNDED.characters), place, size)
}

const isList = (schema: Schema): boolean =>
  schema.type === 'array' ||
  (Array.isArray(schema.anyOf) && schema.anyOf.some(isList)) ||
  Object.values(fieldsOf(schema)).some(isList)

const isText = (schema: Schema): boolean =>
  (schema.type === 'string' && schema.enum === undefined && schema.format === undefined) ||
  (Array.isArray(schema.anyOf) && schema.anyOf.some(isText)) ||
  (!isList(schema) && Object.values(fieldsOf(schema)).some(isText))

/** The words that fields of objects in a list choose from, by the field. */
const wordsIn = (schema: Schema): readonly (readonly [name: string, words: readonly unknown[]])[] =>
  Object.entries(fieldsOf((schema.items as Schema | undefined) ?? {})).flatMap(([name, inner]) =>
    Array.isArray(inner.enum) ? [[name, inner.enum] as const] : [],
  )

/** By turns, so that one call has as many of them beside each other as it can. */
const inTurn: Size['wordOf'] = (words, _, place) => words[place % words.length]
/** A part of a sender's own word is looked for, which need not be there. */
const PARTS_OF_WORDS: Readonly<Record<string, string>> = { field: 'source', op: 'contains' }
/** Each word of a field in all places, the other fields by turns. */
const choices = (schema: Schema): readonly Size['wordOf'][] => [
  inTurn,
  (own, name, place) => PARTS_OF_WORDS[name] ?? inTurn(own, name, place),
  ...wordsIn(schema).flatMap(([field, words]) =>
    words.map<Size['wordOf']>(word => (own, name, place) => (name === field ? word : inTurn(own, name, place))),
  ),
]

/** Nothing of a new workspace has an id. */
const nobodys = new Proxy({} as OwnIds, { get: () => '01a22246-7231-72bd-8e75-0c501c767f4d' })

const answerTo = async (person: Person, operation: Operation, input: object): Promise<number> => {
  const response = await person.call(operation.name, input)
  const text = await response.text()
  assert.ok(response.status < 500, `${operation.name}: ${response.status} ${text.slice(0, 300)}`)
  assert.notEqual(response.status, 429, operation.name)
  return response.status
}

/** The largest that is accepted is answered 200; null where nothing is. */
const tryLargest = async (
  person: Person,
  operation: Operation,
  inputOf: (part: number) => object,
): Promise<number | null> => {
  for (const part of PARTS) if ((await answerTo(person, operation, inputOf(part))) === 200) return part
  return null
}

const checkLog = (what: string): void => {
  const quoting = lines.splice(0).filter(line => line.includes(MARK))
  assert.deepEqual(quoting, [], what)
}

const accepted = new Map<string, number>()

test('the largest lists of every operation are answered or refused, and no line of the log has what they say', async () => {
  await kit.signUp()
  let tried = 0
  for (const operation of registry.values()) {
    for (const [name, schema] of Object.entries(fieldsOf(operation.input)).filter(([, field]) => isList(field))) {
      tried += 1
      // A new account and tenant has spent nothing of what bodies may cost.
      const person = await kit.signUp()
      for (const [choice, wordOf] of choices(schema).entries()) {
        for (const sign of choice === 0 ? SIGNS : [SIGNS[choice % SIGNS.length] ?? 'x']) {
          const part = await tryLargest(person, operation, part => ({
            ...sampleInput(operation, nobodys),
            [name]: largest(schema, { sign, part, wordOf }, name),
          }))
          if (part !== null) accepted.set(`${operation.name} ${name}`, part)
        }
      }
      checkLog(`${operation.name} ${name}`)
    }
  }
  assert.ok(tried >= 30, `${tried} lists were tried`)
  for (const list of ['analyze_activity filters', 'analyze_claims kinds'])
    assert.ok(accepted.has(list), `${list}: nothing was answered, of ${[...accepted.keys()].join(', ')}`)
})

test('the largest texts of every operation are answered or refused, and no line of the log has what they say', async () => {
  await kit.signUp()
  for (const [place, operation] of [...registry.values()].entries()) {
    const texts = Object.entries(fieldsOf(operation.input)).filter(([, field]) => isText(field))
    if (texts.length === 0) continue
    const person = await kit.signUp()
    const sign = SIGNS[place % SIGNS.length] ?? 'x'
    const required = sampleInput(operation, nobodys)
    for (const [name, schema] of texts)
      await tryLargest(person, operation, part => ({
        ...required,
        [name]: largest(schema, { sign, part, wordOf: inTurn }, name),
      }))
    checkLog(operation.name)
  }
})
