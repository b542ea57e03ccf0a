import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { assign, murmur2, partitionOfKey } from './partitions.ts'

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

test('A key is hashed as it is in UTF-8, however long it is.', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 100 }), key => {
      assert.equal(partitionOfKey(key, 1000), (hash(key) & 0x7fffffff) % 1000)
    }),
  )
  for (const key of ['', '€'.repeat(64), '€'.repeat(65), 'a'.repeat(1000), '\ud800']) {
    assert.equal(partitionOfKey(key, 1000), (hash(key) & 0x7fffffff) % 1000)
  }
})

test('Every key has a partition, also when its hash is negative, and keys are spread.', () => {
  const partitions = Array.from({ length: 1000 }, (_, index) => partitionOfKey(`key ${index}`, 7))
  assert.ok(partitions.every(partition => Number.isInteger(partition) && partition >= 0 && partition < 7))
  for (let partition = 0; partition < 7; partition++) {
    assert.ok(partitions.filter(one => one === partition).length > 70)
  }
})

interface Member {
  readonly name: string
  readonly topics: ReadonlySet<string>
}

const topicNames = ['a', 'b', 'c']
const group = fc.record({
  partitions: fc
    .array(fc.constantFrom(...topicNames), { maxLength: 20 })
    .map(topics => topics.map(topic => ({ topic }))),
  members: fc
    .array(fc.subarray(topicNames), { maxLength: 6 })
    .map(all => all.map((topics, index): Member => ({ name: `member ${index}`, topics: new Set(topics) }))),
})

const loadOf = (assigned: ReadonlyMap<unknown, Member>, member: Member): number =>
  [...assigned.values()].filter(holder => holder === member).length

test('Every partition that somebody reads has one reader, who reads its topic.', () => {
  fc.assert(
    fc.property(group, ({ partitions, members }) => {
      const assigned = assign(partitions, members, new Map())
      for (const partition of partitions) {
        const readers = members.filter(member => member.topics.has(partition.topic))
        const holder = assigned.get(partition)
        assert.equal(holder === undefined, readers.length === 0)
        if (holder !== undefined) assert.ok(readers.includes(holder))
      }
    }),
  )
})

test('No partition could move to a reader who has two fewer.', () => {
  fc.assert(
    fc.property(group, ({ partitions, members }) => {
      const assigned = assign(partitions, members, new Map())
      for (const [partition, holder] of assigned) {
        for (const member of members.filter(one => one.topics.has(partition.topic))) {
          assert.ok(loadOf(assigned, holder) - loadOf(assigned, member) < 2)
        }
      }
    }),
  )
})

test('A settled group stays as it is.', () => {
  fc.assert(
    fc.property(group, ({ partitions, members }) => {
      const settled = assign(partitions, members, new Map())
      const again = assign(partitions, members, settled)
      assert.equal(again.size, settled.size)
      for (const [partition, member] of again) assert.equal(settled.get(partition), member)
    }),
  )
})

test('Where all read the same, a newcomer gets its share and nothing else moves.', () => {
  fc.assert(
    fc.property(fc.nat(30), fc.integer({ min: 1, max: 6 }), (count, size) => {
      const partitions = Array.from({ length: count }, () => ({ topic: 'a' }))
      const reader = (name: string): Member => ({ name, topics: new Set(['a']) })
      const members = Array.from({ length: size }, (_, index) => reader(`member ${index}`))
      const newcomer = reader('newcomer')
      const settled = assign(partitions, members, new Map())
      const after = assign(partitions, [...members, newcomer], settled)
      for (const [partition, member] of after) assert.ok(member === newcomer || member === settled.get(partition))
      assert.equal(loadOf(after, newcomer), Math.floor(count / (size + 1)))
    }),
  )
})

test('What a member held that is gone goes to those who are left.', () => {
  const partitions = [{ topic: 'a' }, { topic: 'a' }, { topic: 'a' }, { topic: 'a' }]
  const [one, two]: [Member, Member] = [
    { name: 'one', topics: new Set(['a']) },
    { name: 'two', topics: new Set(['a']) },
  ]
  const both = assign(partitions, [one, two], new Map())
  assert.equal(loadOf(both, one), 2)
  assert.equal(loadOf(assign(partitions, [two], both), two), 4)
})
