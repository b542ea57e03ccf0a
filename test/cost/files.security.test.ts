import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createTranscoder } from '../../model/transfers/records/encodings.ts'
import { formatOf } from '../../model/transfers/records/formats.ts'
import { nextSignals } from '../../model/transfers/signals/imported-signals.ts'
import { previewSignals } from '../../model/transfers/signals/preview.ts'
import { assertLinear } from './measure.testing.ts'

const NOW = Date.UTC(2026, 5, 1)
const MIB = 1024 * 1024

const preview = (text: string) =>
  previewSignals({
    format: formatOf(Buffer.from(text)),
    bytes: Buffer.from(text),
    reading: null,
    remembered: [],
    now: NOW,
  })

const HOSTILE: Readonly<Record<string, (length: number) => string>> = {
  'arrays in arrays': length => `[{"a":${'['.repeat(length)}`,
  'arrays in an object': length => `{${'"a":[{"title":"x"}],'.repeat(length / 20)}"b":1}`,
  'brackets behind white space': length => `{"a":${`[${' '.repeat(50)}`.repeat(length / 51)}`,
  'objects that do not end': length => `[${'{"a":'.repeat(length / 5)}`,
  'members of one object': length => `[{${'"a":1,'.repeat(length / 6)}"b":1}]`,
  'other members': length =>
    `[{${Array.from({ length: length / 20 }, (_, at) => `"member${at}":{"b":${at}}`).join(',')}}]`,
  backslashes: length => `[{"title":"${'\\\\'.repeat(length / 2)}"}]`,
  quotes: length => `{"a":1,${'"'.repeat(length)}`,
  'small objects': length => '{"title":"It hangs"}\n'.repeat(length / 21),
  'empty elements': length => `[{}${',{}'.repeat(length / 3)}]`,
  'values under the empty name': length => `[${'{"":"x","a":1},'.repeat(length / 15)}{}]`,
  commas: length => `[{"title":"x"}${','.repeat(length)}]`,
  fields: length => `${'a,'.repeat(900)}b\n${`${'x,'.repeat(900)}y\n`.repeat(length / 1802)}`,
  'repeated names': length => `text,${'tag,'.repeat(900)}b\n${`x,${'y,'.repeat(900)}z\n`.repeat(length / 1804)}`,
  words: length => `Timestamp,What is missing?\n2026-01-01,"${'a b '.repeat(length / 4)}"\n`,
  digits: length => `text,created at\n${`x,${'1/'.repeat(40)}\n`.repeat(length / 83)}`,
  'letters of months': length => `text,created at\n${`x,${'1 jan '.repeat(13)}\n`.repeat(length / 80)}`,
}

describe('A file that an enemy wrote', () => {
  for (const [what, make] of Object.entries(HOSTILE)) {
    it(`is previewed in time by its length: ${what}`, async () => {
      await assertLinear(what, 1_000_000, make, preview)
    })
  }

  it('is made UTF-8 in time by its length', async () => {
    const signs = [[0xff, 0xfe], [0xc3], [0x61, 0xe9], [0xf0, 0x9f, 0x8e, 0x89]]
    for (const sign of signs) {
      const make = (length: number) => Buffer.alloc(length, Buffer.from(sign))
      await assertLinear(`${sign}`, 2_000_000, make, file => {
        const transcoder = createTranscoder()
        for (let at = 0; at < file.length; at += 262_144) transcoder.add(file.subarray(at, at + 262_144))
        transcoder.end()
      })
    }
  })
})

/** The largest growth of memory outside of the heap while a file of 100 MB is read in slices as the import does. */
const memoryOf = async (first: string, repeated: string, mapping: readonly [{ field: 'text'; column: 0 }]) => {
  const unit = Buffer.from(repeated.repeat(Math.ceil((256 * 1024) / repeated.length)))
  const pieces = Math.ceil((100 * MIB) / unit.length)
  const before = process.memoryUsage().arrayBuffers
  let most = 0
  const bytesFrom = async function* (from: number): AsyncGenerator<Uint8Array> {
    const head = Buffer.from(first)
    if (from < head.length) yield head.subarray(from)
    const at = Math.max(0, from - head.length)
    for (let piece = Math.floor(at / unit.length); piece < pieces; piece += 1) {
      most = Math.max(most, process.memoryUsage().arrayBuffers - before)
      yield unit.subarray(piece === Math.floor(at / unit.length) ? at % unit.length : 0)
    }
  }
  const reading = { delimiter: ',' as const, header: true, begins: 1, mapping: [...mapping], keep_other_columns: true }
  let position = { byte: 0, line: 1 }
  let records = 0
  const total = first.length + pieces * unit.length
  while (position.byte < total) {
    const most = { records: 50_000, bytes: 16 * MIB }
    const page = await nextSignals(bytesFrom, { format: 'json', reading }, position, most, NOW)
    assert.ok(page.next.byte > position.byte)
    records += page.records.filter(({ reading }) => reading.kind === 'signal').length
    position = page.next
  }
  return { most: Math.round(most / MIB), records }
}

describe('A file of 100 MB', () => {
  const text = [{ field: 'text', column: 0 }] as const

  it('is read an element at a time', async () => {
    const element = `{"title":"${'It hangs. '.repeat(800)}"},`
    const { most, records } = await memoryOf('[', element, text)
    assert.ok(records > 13_000, `${records} signals`)
    assert.ok(most < 64, `${most} MiB`)
  })

  it('that is one element holds no more than a record may have', async () => {
    const { most, records } = await memoryOf('[{"title":"', 'It hangs. ', text)
    assert.equal(records, 0)
    assert.ok(most < 16, `${most} MiB`)
  })
})
