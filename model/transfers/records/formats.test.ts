import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { DELIMITERS, type Delimiter } from '../../../schemas/transfers/columns.ts'
import { textInField } from './csv-field.ts'
import { type CsvRecord, csvScan, MAX_FIELDS, MAX_RECORD_BYTES, scanLine } from './formats.ts'
import { type RecordAt, readRecords } from './read-records.ts'

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

const read = async (text: string | Uint8Array, delimiter: Delimiter = ',', size = 7): Promise<RecordAt<CsvRecord>[]> =>
  all(readRecords(inPieces(Buffer.from(text), size), csvScan(delimiter)))

const fieldsOf = async (text: string, delimiter: Delimiter = ','): Promise<(readonly string[] | string)[]> =>
  (await read(text, delimiter)).map(({ content }) =>
    content === 'too_long' ? content : content.ok ? content.fields : content.reason,
  )

describe('CSV', () => {
  it('has fields between delimiters, in quotes where they hold delimiters, quotes or line ends', async () => {
    assert.deepEqual(await fieldsOf('a,b,c\r\n"1,2","say ""hi""","two\r\nlines"\r\n'), [
      ['a', 'b', 'c'],
      ['1,2', 'say "hi"', 'two\r\nlines'],
    ])
    assert.deepEqual(await fieldsOf('a;b\n1;"x;y"', ';'), [
      ['a', 'b'],
      ['1', 'x;y'],
    ])
  })

  it('ends its lines in CR LF, LF or CR, the last one in none', async () => {
    for (const end of ['\r\n', '\n', '\r'])
      assert.deepEqual(await fieldsOf(`a,b${end}c,d`), [
        ['a', 'b'],
        ['c', 'd'],
      ])
  })

  it('keeps empty fields, and an empty line is a record of one', async () => {
    assert.deepEqual(await fieldsOf('a,,""\n\n,\n'), [['a', '', ''], [''], ['', '']])
    assert.deepEqual(await fieldsOf(''), [])
  })

  it('takes a quote inside of an unquoted field as it is', async () => {
    assert.deepEqual(await fieldsOf('5" screen,b\n'), [['5" screen', 'b']])
  })

  it('says what is wrong with a record, and goes on with the next', async () => {
    assert.deepEqual(await fieldsOf('"a" b,c\nd,e\n'), ['Text stands behind the closing quote of a field.', ['d', 'e']])
    assert.deepEqual(await fieldsOf('a,b\n"never closed,c\n'), [
      ['a', 'b'],
      'A quoted field is not closed before the file ends.',
    ])
    const [first, second] = await read(Buffer.concat([Buffer.from('a,'), Buffer.from([0xe9]), Buffer.from('\nb,c\n')]))
    assert.match(JSON.stringify(first?.content), /not UTF-8/)
    assert.deepEqual(second?.content, { ok: true, fields: ['b', 'c'] })
  })

  it('drops a byte order mark', async () => {
    assert.deepEqual(await fieldsOf('\ufeffa,b\n'), [['a', 'b']])
  })

  it('tells the line that each record begins on, and where the next one does', async () => {
    const text = 'a,b\r\n"two\r\nlines",c\r\nd,e\r\n'
    const records = await read(text)
    assert.deepEqual(
      records.map(({ line, next }) => [line, next]),
      [
        [1, 5],
        [2, 21],
        [4, 26],
      ],
    )
    const rest = readRecords(inPieces(Buffer.from(text).subarray(5), 4), csvScan(','), { byte: 5, line: 2 })
    assert.deepEqual(await all(rest), records.slice(1))
  })

  it('reads the same whatever pieces it comes in, and what was written', async () => {
    const written = fc.array(fc.array(fc.string({ unit: 'grapheme' }), { minLength: 2, maxLength: 5 }), {
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(
        written,
        fc.constantFrom(...DELIMITERS),
        fc.integer({ min: 1, max: 40 }),
        async (rows, delimiter, size) => {
          const quoted = (field: string) => `"${field.replaceAll('"', '""')}"`
          const text = rows.map(row => `${row.map(quoted).join(delimiter)}\r\n`).join('')
          const records = await read(text, delimiter, size)
          assert.deepEqual(
            records.map(({ content }) => (content !== 'too_long' && content.ok ? content.fields : content)),
            // An apostrophe before a formula is that of an export.
            rows.map(row => row.map(textInField)),
          )
        },
      ),
      { numRuns: 200 },
    )
  })

  it('has so many fields at the most, and says so of a record with more', async () => {
    const fields = (count: number) => `${'x,'.repeat(count - 1)}x\n`
    const [most, more, next] = await fieldsOf(`${fields(MAX_FIELDS)}${fields(MAX_FIELDS + 1)}a,b\n`)
    assert.equal(most?.length, MAX_FIELDS)
    assert.match(String(more), /^It has more than 2000 fields\./)
    assert.deepEqual(next, ['a', 'b'])
  })

  it('does not hold a record that is too long, and goes on behind its line', async () => {
    const long = 'x'.repeat(MAX_RECORD_BYTES + 10)
    const records = await read(`a\n"${long}\nb\n`, ',', 64 * 1024)
    assert.deepEqual(
      records.map(({ content, line }) => [content, line]),
      [
        [{ ok: true, fields: ['a'] }, 1],
        ['too_long', 2],
        [{ ok: true, fields: ['b'] }, 3],
      ],
    )
  })
})

describe('Lines', () => {
  it('are read without their ends, the last one without one too', async () => {
    const lines = await all(readRecords(inPieces(Buffer.from('{"a":1}\r\n\n{"b":2}'), 3), scanLine))
    assert.deepEqual(
      lines.map(({ content, line }) => [String(content), line]),
      [
        ['{"a":1}', 1],
        ['', 2],
        ['{"b":2}', 3],
      ],
    )
  })
})
