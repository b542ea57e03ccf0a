import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import model from './model.json' with { type: 'json' }
import sample from './sample.json' with { type: 'json' }

const read = (name: string): Buffer => readFileSync(new URL(name, import.meta.url))

test('the files are those that `make.py` wrote, of the teacher whose package is named', () => {
  const files = readdirSync(new URL('.', import.meta.url)).filter(name => /\.(bin|txt|onnx)$/.test(name))
  assert.deepEqual(files.toSorted(), Object.keys(model.files).toSorted())
  for (const [name, hash] of Object.entries(model.files))
    assert.equal(createHash('sha256').update(read(name)).digest('hex'), hash, name)
  const bytes = files.reduce((sum, name) => sum + read(name).length, 0)
  assert.ok(bytes < 30_000_000, String(bytes))
  assert.match(read('make/requirements.txt').toString(), new RegExp(`encoder==0\\.2\\.1 .*${model.teacher.sha256}`))
})

test('each piece has a score, a scale and a row, as have the start and the end of a text; no piece is there twice', () => {
  const lines = read('vocabulary.txt').toString().trimEnd().split('\n')
  assert.equal(lines.length, model.pieces)
  assert.equal(new Set(lines.map(line => line.split('\t')[0])).size, model.pieces)
  assert.ok(lines.every(line => Number(line.split('\t')[1]) < 0))
  const rows = model.pieces + 2
  assert.equal(read('rows.bin').length, (rows * model.dimensions) / 2)
  assert.equal(read('scales.bin').length, 4 * rows)
})

/** As in `make/rows.py`: the largest number of a row that is kept, as a share of its peak. */
const CUTS = [0.55, 0.65, 0.75, 0.85, 1]
const TOP = 7
/** Sums of 32 bits may differ by so much of what is summed, and leave two cuts as good as each other. */
const ROUNDED = 1e-4

/** A row as whole numbers from -7 to 7 of a scale, before they are rounded, and what is lost by that. */
const tried = (row: readonly number[], scale: number) => {
  const exact = row.map(value => Math.min(TOP, Math.max(-TOP, value / scale)))
  const lost = exact.reduce((sum, value, at) => sum + (Math.round(value) * scale - (row[at] ?? 0)) ** 2, 0)
  return { exact, lost }
}

test('some rows are made anew from the numbers that they were, number by number', () => {
  const [rows, scales] = [read('rows.bin'), read('scales.bin')]
  assert.ok(sample.length > 10)
  for (const { row, numbers } of sample) {
    const peak = Math.max(...numbers.map(Math.abs))
    const scale = scales.readFloatLE(4 * row)
    const { exact, lost } = tried(numbers, scale)
    const cuts = CUTS.map(cut => (peak * cut) / TOP)
    assert.ok(
      cuts.some(cut => Math.abs(cut - scale) < ROUNDED * cut),
      `row ${row}: ${scale}`,
    )
    for (const cut of cuts) assert.ok(lost <= tried(numbers, cut).lost * (1 + ROUNDED), `row ${row}: ${cut} loses less`)
    for (const [at, value] of exact.entries()) {
      const both = rows[(row * exact.length + at) >> 1] ?? 0
      const stored = (at % 2 === 0 ? both & 15 : both >> 4) - TOP - 1
      assert.ok(Math.abs(stored - value) <= 0.5 + ROUNDED, `row ${row}, number ${at}: ${value} is ${stored}`)
    }
  }
})
