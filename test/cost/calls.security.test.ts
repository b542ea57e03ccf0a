import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Operation } from '../../query-api/operations/define.ts'
import { CALL_BODY } from '../../query-api/operations/parts/body-limits.ts'
import { registry } from '../../query-api/operations/registry.ts'
import { sampleInput } from '../../query-api/operations/testing-reach.ts'
import { startDoors } from './calls.testing.ts'
import { assertGrowth, cpuOfEach, cpuOnce, LONG, slownessNow } from './measure.testing.ts'
import { HOSTILE_VALUES } from './values.testing.ts'

/**
 * CPU of the main thread for one body, from its bytes to the database, as its answer says it or refuses it. What is
 * measured alone takes up to 16 ms, and 25 where the operation takes a long text.
 */
const MAX_MS = 40
/** Growth shows from here on. */
const FLOOR_MS = 10
const ATTEMPTS = 10
/** What stands around the value of a field. */
const ENVELOPE = { bytes: 1000, values: 200 }

let doors: ReturnType<typeof startDoors>
before(async () => {
  doors = startDoors()
  // The first call of each operation compiles its schema.
  for (const operation of registry.values()) await doors.app(operation, Buffer.from('{"unknown":1}'))
})
after(() => doors.stop())

const ANY_ID = '01a22246-7231-72bd-8e75-0c501c767f4d'
/** Nothing is looked up: one id is as good as another. */
const anyIds = new Proxy({} as Parameters<typeof sampleInput>[1], { get: () => ANY_ID })

/** All but one of the arguments of a call that would be accepted. */
const otherFields = (operation: Operation, field: string): string => {
  const { [field]: _, ...others } = sampleInput(operation, anyIds)
  return JSON.stringify(others).slice(1, -1)
}

const toolCall = (operation: Operation, argumentsJson: string): Buffer => {
  const params = `{"name":"${operation.name}","arguments":${argumentsJson}}`
  return Buffer.from(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`)
}

/** Sends arguments through each door that reaches the operation. */
const doorsOf = (operation: Operation): Readonly<Record<string, (argumentsJson: string) => Promise<Response>>> => ({
  app: json => doors.app(operation, Buffer.from(json)),
  ...(operation.audience === 'everyone' ? { mcp: json => doors.mcp(toolCall(operation, json)) } : {}),
})

/** The whole of the arguments, where it is an object; else a field. */
const WHOLE = ''

const argumentsOf = (operation: Operation, field: string, value: string): string => {
  if (field === WHOLE) return value.startsWith('{') ? value : `{"unknown":${value}}`
  const others = otherFields(operation, field)
  return `{${others === '' ? '' : `${others},`}"${field}":${value}}`
}

/** Asserts that a cost stays within the bound; measures again before it fails. */
const assertCheap = async (what: string, work: () => Promise<Response>): Promise<number> => {
  let least = Number.POSITIVE_INFINITY
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const took = await cpuOnce(work)
    least = Math.min(least, took <= MAX_MS ? took : took / (await slownessNow()))
    if (least <= MAX_MS) return least
  }
  return assert.fail(`${what}: ${least.toFixed(1)} ms`)
}

const kinds = Object.keys(HOSTILE_VALUES)
/** Each field has some kind, and each kind comes in many fields, at every run the same. `COST=long` tries all. */
const triedIn = (place: number): readonly string[] =>
  LONG ? kinds : kinds.filter((_, at) => (at + place) % kinds.length === 0)

test('every field of every operation takes little time, and by its size, through both doors', async () => {
  let place = 0
  let tried = 0
  for (const operation of registry.values()) {
    const limits = operation.body ?? CALL_BODY
    for (const field of [...Object.keys(operation.input.properties), WHOLE]) {
      place += 1
      for (const kind of triedIn(place)) {
        const make = HOSTILE_VALUES[kind] ?? assert.fail()
        const room = limits.bytes - ENVELOPE.bytes - otherFields(operation, field).length
        const valuesLeft = limits.values - ENVELOPE.values
        const jsonOf = (part: number) => argumentsOf(operation, field, make(room * part, Math.floor(valuesLeft * part)))
        const whole = jsonOf(1)
        for (const [door, send] of Object.entries(doorsOf(operation))) {
          tried += 1
          const what = `${kind} as ${operation.name} ${field || 'as a whole'} through ${door}`
          if ((await assertCheap(what, () => send(whole))) < FLOOR_MS) continue
          await assertGrowth(
            what,
            1,
            part => {
              const json = jsonOf(part)
              // A part is sent so often that the whole of it is: all are measured as exactly.
              return cpuOfEach(() => send(json), 1 / part)
            },
            FLOOR_MS,
          )
        }
        // With as many values as the bytes have room for, which is more than may be.
        await assertCheap(`${kind} beyond the limit as ${operation.name} ${field || 'as a whole'}`, () =>
          doors.app(operation, Buffer.from(argumentsOf(operation, field, make(room, Number.POSITIVE_INFINITY)))),
        )
      }
    }
  }
  assert.ok(tried > (LONG ? 10_000 : 1000), `${tried} bodies were tried`)
})

const MEBIBYTE = 1024 * 1024
const members = HOSTILE_VALUES['numbered members'] ?? assert.fail()
const arrays = HOSTILE_VALUES['empty arrays'] ?? assert.fail()
/** What held everybody up once, at the size it had, with the CPU that it took then. */
const ONCE: readonly (readonly [operation: string, field: string, make: typeof members, tookMs: number])[] = [
  ['lookup_search', WHOLE, members, 1800],
  ['list_signals', 'metadata', members, 1500],
  ['create_connection', 'example', members, 800],
  ['capture_signal', 'metadata', members, 800],
  ['lookup_search', 'types', arrays, 400],
]

for (const [name, field, make, tookMs] of ONCE) {
  test(`4 MiB as ${name} ${field || 'as a whole'}, which took ${tookMs} ms, are refused at once`, async () => {
    const operation = registry.get(name) ?? assert.fail(name)
    const json = argumentsOf(operation, field, make(4 * MEBIBYTE, Number.POSITIVE_INFINITY))
    for (const [door, send] of Object.entries(doorsOf(operation))) {
      await assertCheap(`${name} through ${door}`, () => send(json))
      assert.equal((await send(json)).status, 413)
    }
  })
}
