import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '../../infra/runtime/testing.ts'
import { newId, type TenantId } from '../../schemas/domain/ids.ts'
import { CALL_BODY, LONG_TEXT_BODY } from '../operations/parts/body-limits.ts'
import { failsWith } from '../operations/testing.ts'
import { TEST_BASE_URL, testDoor } from '../testing.ts'
import type { BodySender } from './body-budget.ts'

const MEBIBYTE = 1024 * 1024
const person = (tenant: TenantId = newId()): BodySender => ({ account: newId(), tenant })

/** A body that sends so many bytes, and goes on once it is told. */
const unending = (bytes: number, announced: boolean) => {
  let end = (): void => {}
  let isRead = false
  const body = new ReadableStream<Uint8Array>({
    start: controller => {
      controller.enqueue(new Uint8Array(bytes).fill(0x20))
      end = () => controller.close()
    },
    // Asked for more: what there is has been read.
    pull: () => {
      isRead = true
    },
  })
  const headers = { 'content-type': 'application/json', ...(announced && { 'content-length': String(bytes + 1) }) }
  // The types know no body that is sent while it is made.
  const request = new Request(TEST_BASE_URL, { method: 'POST', body, headers, duplex: 'half' } as RequestInit)
  return { request, isRead: () => isRead, end: () => end() }
}

type Door = ReturnType<typeof testDoor>

/** Begins so many bodies; how many bytes of them are held, and what ends them. */
const begin = async (door: Door, from: BodySender, count: number, announced: boolean) => {
  const bytes = LONG_TEXT_BODY.bytes - 1
  const refused = new Set<number>()
  const bodies = Array.from({ length: count }, () => unending(bytes, announced))
  const all = bodies.map(({ request }, body) =>
    // What has come whole is for a thread that there is not.
    door.json(request, from, LONG_TEXT_BODY).catch(error => {
      if (failsWith('rate_limited', /Too many long requests/)(error)) refused.add(body)
    }),
  )
  await eventually('each is held or refused', () => bodies.every(({ isRead }, body) => isRead() || refused.has(body)))
  // One that was read may be refused for it.
  for (let turn = 0; turn < 20; turn += 1) await setImmediate()
  const end = async () => {
    for (const body of bodies) body.end()
    await Promise.allSettled(all)
  }
  return { held: (count - refused.size) * bytes, end }
}

const small = () =>
  new Request(TEST_BASE_URL, { method: 'POST', body: '{"a":1}', headers: { 'content-type': 'application/json' } })

for (const announced of [true, false]) {
  describe(`Bodies that begin and do not end, ${announced ? 'with' : 'without'} a length`, () => {
    it('of a person take a sixteenth of the memory, and their colleagues and others have room', async () => {
      const door = testDoor()
      const hostile = person()
      const { held } = await begin(door, hostile, 200, announced)
      assert.ok(held > 5 * MEBIBYTE && held < 8 * MEBIBYTE, `${held} bytes`)
      assert.ok(hostile.tenant)
      for (const other of [person(hostile.tenant), person(), { account: '192.0.2.1', tenant: null }])
        assert.deepEqual((await door.json(small(), other, CALL_BODY)).value, { a: 1 })
    })

    it('of all accounts of a tenant take a quarter', async () => {
      const door = testDoor()
      const tenant = newId<TenantId>()
      let sum = 0
      for (let account = 0; account < 20; account += 1) sum += (await begin(door, person(tenant), 20, announced)).held
      assert.ok(sum < 32 * MEBIBYTE, `${sum} bytes`)
      assert.deepEqual((await door.json(small(), person(), CALL_BODY)).value, { a: 1 })
    })

    it('give their memory back, however they end', async () => {
      const door = testDoor()
      const from = person()
      for (let round = 0; round < 4; round += 1) {
        const { held, end } = await begin(door, from, 4, announced)
        assert.equal(held, 4 * (LONG_TEXT_BODY.bytes - 1), `round ${round}`)
        await end()
      }
    })
  })
}

it('a file counts for whoever sends it, until it has ended', async () => {
  const door = testDoor()
  const from = person()
  const files = Array.from({ length: 40 }, () => door.file(unending(10, false).request, from)[Symbol.asyncIterator]())
  const begun = await Promise.allSettled(files.map(file => file.next()))
  const taken = begun.filter(({ status }) => status === 'fulfilled').length
  assert.ok(taken > 10 && taken < 16, `${taken} files`)
  for (const file of files) await file.return?.(undefined)
  const another = door.file(unending(10, false).request, from)[Symbol.asyncIterator]()
  assert.equal((await another.next()).done, false)
})
