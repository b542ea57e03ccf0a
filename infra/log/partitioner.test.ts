import assert from 'node:assert/strict'
import { test } from 'node:test'
import { murmur2, partitionOfKey } from './partitioner.ts'

const hash = (text: string): number => murmur2(new TextEncoder().encode(text))

test("Hashes are those of Kafka's own tests.", () => {
  // UtilsTest.testMurmur2 of Apache Kafka.
  assert.equal(hash('21'), -973932308)
  assert.equal(hash('foobar'), -790332482)
  assert.equal(hash('a-little-bit-long-string'), -985981536)
  assert.equal(hash('a-little-bit-longer-string'), -1486304829)
  assert.equal(hash('lkjh234lh9fiuh90y23oiuhsafujhadof229phr9h19h89h8'), -58897971)
  assert.equal(hash('abc'), 479470107)
})

test('A hash is of the bytes alone, wherever they lie in their buffer.', () => {
  const padded = new TextEncoder().encode('_foobar_')
  assert.equal(murmur2(padded.subarray(1, 7)), hash('foobar'))
})

test('Every key has a partition, also when its hash is negative, and keys are spread.', () => {
  const partitions = Array.from({ length: 1000 }, (_, index) => partitionOfKey(`key ${index}`, 7))
  assert.ok(partitions.every(partition => Number.isInteger(partition) && partition >= 0 && partition < 7))
  for (let partition = 0; partition < 7; partition++) {
    assert.ok(partitions.filter(one => one === partition).length > 70)
  }
})
