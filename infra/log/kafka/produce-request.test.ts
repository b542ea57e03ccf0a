import assert from 'node:assert/strict'
import { test } from 'node:test'
import stockChecksum from 'kafkajs/src/protocol/recordBatch/crc32C/crc32C.js'
import stockRequest from 'kafkajs/src/protocol/requests/produce/v7/request.js'
import { crc32c } from './crc32c.ts'
import { encodeProduce, type ProducedMessage, type ProduceFields } from './produce-request.ts'

/** The same numbers at each run. */
const createRandom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

const LETTERS = ['a', 'é', '界', '🙂', ' ', '"', '\n']
const textOf = (random: (below: number) => number, most: number): string =>
  Array.from({ length: random(most) }, () => LETTERS[random(LETTERS.length)]).join('')

/** Lengths on both sides of where a varint takes another byte. */
const LENGTHS = [0, 1, 63, 64, 65, 127, 128, 8191, 8192, 70_000]

const messageOf = (random: (below: number) => number): ProducedMessage => ({
  key: random(3) === 0 ? null : textOf(random, 80),
  value: Buffer.from(Array.from({ length: LENGTHS[random(LENGTHS.length)] ?? 0 }, () => random(256))),
  headers: Object.fromEntries(Array.from({ length: random(4) }, () => [textOf(random, 10), textOf(random, 70)])),
})

const fieldsOf = (random: (below: number) => number): ProduceFields => ({
  acks: -1,
  timeout: 30_000,
  producerId: ['-1', '0', '7', '4294967296', '9007199254740993'][random(5)] ?? '0',
  producerEpoch: random(3),
  topicData: Array.from({ length: 1 + random(3) }, (_, at) => ({
    topic: `topic.${at}-${'é'.repeat(random(3))}`,
    partitions: Array.from({ length: 1 + random(3) }, (_, partition) => ({
      partition,
      firstSequence: random(2) === 0 ? 0 : 2 ** 31 - 1 - random(1000),
      messages: Array.from({ length: 1 + random(130) }, () => messageOf(random)),
    })),
  })),
})

test('A request has the same bytes as the one that kafkajs writes.', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: 1_790_000_000_123 })
  for (let seed = 1; seed <= 10; seed += 1) {
    const fields = fieldsOf(createRandom(seed))
    const { buffer } = await stockRequest(fields).encode()
    assert.ok(encodeProduce(fields, Date.now()).equals(buffer), `seed ${seed}`)
  }
})

test('A checksum is the one that kafkajs makes, wherever the bytes begin and end.', () => {
  const random = createRandom(99)
  const bytes = Buffer.from(Array.from({ length: 4000 }, () => random(256)))
  for (let round = 0; round < 300; round += 1) {
    const start = random(2000)
    const end = start + random(2000)
    assert.equal(crc32c(bytes, start, end), stockChecksum(bytes.subarray(start, end)))
  }
  // RFC 3720, appendix B.4.
  assert.equal(crc32c(Buffer.alloc(32), 0, 32), 0x8a9136aa)
})
