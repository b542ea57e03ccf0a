import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvField, textInField } from './csv-field.ts'
import { csvScan } from './formats.ts'
import { readRecords } from './read-records.ts'

/** Made of what formulas, cells and escapes are made of, and of everything else. */
const signs = fc.constantFrom("'", '=', '+', '-', '@', '＝', ';', '|', '\t', ',', '"', ' ', '\u00a0', '\n', '\r', 'x')
const texts = fc
  .array(fc.oneof({ weight: 5, arbitrary: signs }, fc.string({ unit: 'grapheme', maxLength: 3 })), { maxLength: 14 })
  .map(each => each.join(''))

async function* bytesOf(text: string): AsyncGenerator<Uint8Array> {
  yield Buffer.from(text)
}

test('what was written as CSV is read as the same texts', async () => {
  const tables = fc.array(fc.array(texts, { minLength: 2, maxLength: 4 }), { minLength: 1, maxLength: 6 })
  await fc.assert(
    fc.asyncProperty(tables, async rows => {
      // A byte order mark is dropped at the beginning of a file alone, where an export has the names of its columns.
      const file = [['one', 'other'], ...rows].map(row => `${row.map(csvField).join(',')}\r\n`).join('')
      const read: unknown[] = []
      for await (const { content } of readRecords(bytesOf(file), csvScan(',')))
        read.push(content !== 'too_long' && content.ok ? content.fields : content)
      assert.deepEqual(read.slice(1), rows)
    }),
    { numRuns: 3000 },
  )
})

test('a text of signs and apostrophes is never the field of two texts', () => {
  const fields = new Map<string, string>()
  const parts = ["'", '=', ';', '\t', ' ', 'x']
  let all = ['']
  for (let length = 0; length < 6; length += 1) {
    all = all.flatMap(text => parts.map(part => text + part))
    for (const text of all) {
      const field = csvField(text)
      assert.equal(fields.get(field), undefined, `${JSON.stringify(text)} as ${JSON.stringify(field)}`)
      fields.set(field, text)
      assert.equal(textInField(field), text)
    }
  }
})

test('a field that other programs wrote stays as it is, but for an apostrophe before a formula', () => {
  for (const text of ["'tis fine", "it's -5", "'-5;-6", "x;'-5;-6", "''", "don't", "rock 'n' roll", "'quoted'"])
    assert.equal(textInField(text), text)
  assert.equal(textInField("'=1+1"), '=1+1')
  assert.equal(textInField("'-5 degrees"), '-5 degrees')
})
