import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { createBitIndex, createGraphIndex, loadGraphIndex } from './bit-index.ts'
import { countDifferingBits } from './differing-bits.ts'
import type { BitIndex } from './port.ts'
import { createScannedIndex, differingBits, readSignBits, signBits } from './sign-bits.ts'
import { plantVectors } from './testing.ts'

describe('Sign bits', () => {
  it('are set where a value is above 0, the first in the highest place', () => {
    const vector = new Float32Array(1024).fill(-1)
    vector[0] = 0.1
    vector[31] = 1
    vector[33] = 0
    vector[1023] = 2
    const bits = signBits(vector)
    assert.equal(bits[0], 0x80000001)
    assert.equal(bits[1], 0)
    assert.equal(bits[31], 1)
  })

  it('differ in as many places as their vectors differ in sign', () => {
    const { member } = plantVectors(3)
    const [one, other] = [member(), member()]
    const differing = one.filter((value, index) => value > 0 !== (other[index] ?? 0) > 0).length
    assert.equal(differingBits(signBits(one), signBits(other)), differing)
  })

  it('are compared with many at once as with each, none left out and nothing of the last time left', () => {
    const { member } = plantVectors(4)
    const all = Array.from({ length: 300 }, () => signBits(member()))
    const words = new Uint32Array(all.length * 32)
    for (const [place, bits] of all.entries()) words.set(bits, place * 32)
    const [one = words, opposite = words] = [all[0], all[0]?.map(word => ~word)]
    for (const probe of [one, opposite]) {
      const expected = all.map(other => differingBits(probe, other))
      assert.deepEqual([...countDifferingBits(probe, words)], expected)
    }
    assert.deepEqual(
      [countDifferingBits(opposite, one)[0], countDifferingBits(one, new Uint32Array(0)).length],
      [1024, 0],
    )
  })

  it('are read as the database packs them', () => {
    const rows = [1, 2].map(row => Uint8Array.from({ length: 128 }, (_, index) => (index * row) % 256))
    const read = readSignBits(Buffer.concat(rows))
    assert.equal(read.length, 2)
    assert.equal(read[0]?.[0], 0x00010203)
    assert.equal(read[1]?.[1], 0x080a0c0e)
  })
})

const kinds: readonly (readonly [string, () => BitIndex])[] = [
  ['scanned', createScannedIndex],
  ['walked as a graph', createGraphIndex],
  ['changed over from one to the other', () => createBitIndex(100)],
]

for (const [kind, create] of kinds) {
  describe(`An index that is ${kind}`, () => {
    it('answers the nearest first with how many bits differ, and no more than there are', () => {
      const { member, at } = plantVectors(5)
      const index = create()
      const probe = member()
      for (const vector of [at(0.5, probe), at(0.9, probe), probe, at(0.7, probe)]) index.add([signBits(vector)])
      const near = index.nearest(signBits(probe), 10)
      assert.deepEqual(
        near.map(({ key }) => key),
        [2, 1, 3, 0],
      )
      assert.equal(near[0]?.distance, 0)
      assert.equal(index.nearest(signBits(probe), 2).length, 2)
    })

    it('finds at least 99 of 100 planted neighbours at a cosine of 0.88 among 6,000 vectors', () => {
      const { member, at } = plantVectors(50)
      const index = create()
      const vectors = Array.from({ length: 6000 }, member)
      for (const few of vectors.slice(0, 50)) index.add([signBits(few)])
      index.add(vectors.slice(50).map(signBits))
      assert.equal(index.size, 6000)
      const asked = vectors.flatMap((vector, key) => (key % 60 === 0 ? [{ key, probe: at(0.88, vector) }] : []))
      const found = asked.filter(({ key, probe }) => index.nearest(signBits(probe), 16).some(near => near.key === key))
      assert.equal(asked.length, 100)
      assert.ok(found.length >= 99, `${found.length} of 100 were found`)
    })
  })
}

describe('A graph', () => {
  it('is the same when it was written to a file and read, and goes on', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'assay-graph-'))
    try {
      const { member } = plantVectors(50)
      const index = createBitIndex(100)
      const entries = Array.from({ length: 500 }, () => signBits(member()))
      assert.equal(index.save(join(directory, 'empty')), false)
      index.add(entries)
      const file = join(directory, 'graph')
      assert.equal(index.save(file), true)
      const read = loadGraphIndex(file, 500)
      for (const bits of entries) assert.deepEqual(read.nearest(bits, 10), index.nearest(bits, 10))
      const next = signBits(member())
      read.add([next])
      assert.deepEqual(read.nearest(next, 1), [{ key: 500, distance: 0 }])
      assert.throws(() => loadGraphIndex(file, 499), /has 500 entries/)
    } finally {
      await rm(directory, { recursive: true })
    }
  })
})

describe('An index without entries', () => {
  it('has no nearest', () => {
    assert.deepEqual(createBitIndex().nearest(new Uint32Array(32), 5), [])
  })
})
