import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { formatOf } from './formats.ts'
import { readElements } from './json-elements.ts'
import { jsonOutline } from './json-outline.ts'

async function* inPieces(text: string, size: number): AsyncGenerator<Uint8Array> {
  const bytes = Buffer.from(text)
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const read = async (text: string, size = 3, from = { byte: 0, line: 1 }, most = 1000) => {
  const records = []
  const rest = inPieces(Buffer.from(text).subarray(from.byte).toString('utf8'), size)
  for await (const record of readElements(rest, from, most)) records.push(record)
  return records
}
const contents = (records: Awaited<ReturnType<typeof read>>) =>
  records.slice(0, -1).map(({ content }) => String(content))

describe('The elements of an array', () => {
  it('are the values between its brackets, whatever they are and whatever pieces they come in', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.jsonValue()),
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        async (all, size, wide) => {
          const text = JSON.stringify(all, null, wide ? 2 : 0)
          const found = contents(await read(text, size, { byte: 1, line: 1 }, 1_000_000))
          assert.deepEqual(
            found.map(each => JSON.parse(each)),
            JSON.parse(text),
          )
        },
      ),
      { numRuns: 300 },
    )
  })

  it('are counted, and go on from each one’s end', async () => {
    const text = '[{"a":"]"}, {"b":[1,{"c":"}"}]} ,3,"x\\"y"]{"not":"one"}'
    const all = await read(text, 4, { byte: 1, line: 1 })
    assert.deepEqual(contents(all), ['{"a":"]"}', '{"b":[1,{"c":"}"}]}', '3', '"x\\"y"'])
    assert.deepEqual(
      all.map(({ line }) => line),
      [1, 2, 3, 4, 5],
    )
    for (const [at, { next, nextLine }] of all.entries()) {
      if (at < all.length - 1) assert.deepEqual(await read(text, 4, { byte: next, line: nextLine }), all.slice(at + 1))
    }
    assert.ok((all.at(-1)?.next ?? 0) > text.length)
  })

  it('are said to be too long, and skipped, with the next one whole', async () => {
    const all = await read(`[{"a":"${'x'.repeat(5000)}"},{"b":1}]`, 64, { byte: 1, line: 1 })
    assert.deepEqual(contents(all), ['too_long', '{"b":1}'])
  })

  it('end where the file does, the last one as it is', async () => {
    const all = await read('[{"a":1},{"b":', 4, { byte: 1, line: 1 })
    assert.deepEqual(contents(all), ['{"a":1}', '{"b":'])
    assert.equal(all.at(-1)?.next, 14)
  })
})

describe('A file of JSON', () => {
  it('is told by its beginning', () => {
    for (const [text, format] of [
      ['[{"title":"x"}]', 'json'],
      ['\ufeff [\n  {"title":"x"}]', 'json'],
      ['[]', 'json'],
      ['[Feedback],[Date]\nIt hangs,2026-01-01', 'csv'],
      ['{"text":"It hangs"}\n{"text":"It stops"}\n', 'json_lines'],
      ['{"text":"It hangs"', 'json_lines'],
      ['{"text":"broken\n{"text":"It stops"}\n', 'json_lines'],
      ['{"title":"It hangs"}\n{"title":"It stops"}\n', 'json'],
      ['{\n  "text": "It hangs"\n}\n', 'json'],
      ['{"issues":[{"key":"A-1"}]}', 'json'],
      ['{"assay_export":1,"tables":[]}\n', 'workspace'],
    ] as const)
      assert.equal(formatOf(Buffer.from(text)), format, text)
  })

  it('has its records in its own array, or in arrays of objects of its objects', () => {
    assert.deepEqual(jsonOutline(Buffer.from(' [1]')).arrays, [{ member: null, begins: 2 }])
    const text = '{"a":["x"],"b\\"":{"c":[{"d":1}]},"cards":[ {"e":[{"f":"}"}]}],"g":"[{"} {"h":1}'
    const { arrays, members, ends } = jsonOutline(Buffer.from(text))
    assert.deepEqual(arrays, [
      { member: 'b\\"', begins: text.indexOf('[{"d"') + 1 },
      { member: 'cards', begins: text.indexOf('[ ') + 1 },
    ])
    assert.deepEqual([...members], ['a', 'b\\"', 'cards', 'g'])
    assert.equal(ends, text.indexOf(' {"h"'))
  })
})
