import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { endianness } from 'node:os'
import { test } from 'node:test'

/**
 * The files of the built-in meaning are those that its training wrote, and say what they said there: the vectors of
 * `reference.json` are computed anew, number by number, from the bytes.
 */

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))

interface Model {
  readonly dimensions: number
  readonly output: number
  readonly pieces: number
  readonly layers: readonly { readonly name: string; readonly shape: readonly number[] }[]
  readonly teacher: { readonly sha256: string }
  readonly files: Readonly<Record<string, string>>
}
const model: Model = JSON.parse(read('model.json').toString())

interface Reference {
  readonly text: string
  readonly pieces: readonly number[]
  readonly vector: readonly number[]
}
const references: readonly Reference[] = JSON.parse(read('reference.json').toString())

const floats = (name: string): Float32Array => {
  assert.equal(endianness(), 'LE')
  return new Float32Array(new Uint8Array(read(name)).buffer)
}

test('the files are those that the training wrote, of the teacher whose package is named, and small', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter(name => /\.(bin|txt)$/.test(name))
  assert.deepEqual(files.toSorted(), Object.keys(model.files).toSorted())
  for (const [name, hash] of Object.entries(model.files))
    assert.equal(createHash('sha256').update(read(name)).digest('hex'), hash, name)
  const bytes = files.reduce((sum, name) => sum + read(name).length, 0)
  assert.ok(bytes < 12_000_000, String(bytes))
  assert.match(read('distil/packages.txt').toString(), new RegExp(`sentence-encoder 0\\.2\\.1 ${model.teacher.sha256}`))
})

test('there is a row, a scale and a score for each piece, and no piece twice', () => {
  const lines = read('vocabulary.txt').toString().trimEnd().split('\n')
  assert.equal(lines.length, model.pieces)
  assert.equal(new Set(lines.map(line => line.split('\t')[0])).size, model.pieces)
  assert.ok(lines.every(line => Number(line.split('\t')[1]) < 0))
  assert.equal(read('rows.bin').length, (model.pieces * model.dimensions) / 2)
  assert.equal(read('scales.bin').length, 4 * model.pieces)
})

test('the reference texts have the vectors that the training computed', () => {
  const [rows, scales, all] = [read('rows.bin'), floats('scales.bin'), floats('layers.bin')]
  const parts = new Map<string, Float32Array>()
  let at = 0
  for (const { name, shape } of model.layers) {
    const length = shape.reduce((product, side) => product * side, 1)
    parts.set(name, all.subarray(at, at + length))
    at += length
  }
  assert.equal(at, all.length)
  const layer = (name: string) => parts.get(name) ?? new Float32Array()
  const times = (vector: readonly number[], matrix: Float32Array, width: number): number[] =>
    Array.from({ length: width }, (_, column) =>
      vector.reduce((sum, number, row) => sum + number * (matrix[row * width + column] ?? 0), 0),
    )
  const half = (piece: number, dimension: number): number =>
    ((rows[(piece * model.dimensions + dimension) >> 1] ?? 0) >> (dimension % 2 === 0 ? 0 : 4)) & 15

  for (const { text, pieces, vector } of references) {
    const summed = Array.from({ length: model.dimensions }, (_, dimension) =>
      pieces.reduce((sum, piece) => sum + (half(piece, dimension) - 8) * (scales[piece] ?? 0), 0),
    )
    const pooled = summed.map(number => (number * Math.sqrt(model.dimensions)) / Math.hypot(...summed))
    const hidden = times(pooled, layer('W1'), layer('b1').length)
    const active = hidden.map((number, place) => Math.max(0, number + (layer('b1')[place] ?? 0)))
    const skipped = times(pooled, layer('S'), model.output)
    const said = times(active, layer('W2'), model.output).map(
      (number, place) => number + (layer('b2')[place] ?? 0) + (skipped[place] ?? 0),
    )
    const length = Math.hypot(...said)
    const furthest = Math.max(...said.map((number, place) => Math.abs(number / length - (vector[place] ?? 0))))
    assert.ok(furthest < 1e-4, `${text}: ${furthest}`)
  }
})
