import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { MAPPED_SIGNAL_FIELDS } from '../../../schemas/http/connection.ts'
import { type CsvReading, MAPPED_FIELDS } from '../../../schemas/transfers/reading.ts'
import { readCsvRecord, readJsonLine, recognizeCsv } from './read-signal.ts'

const recognize = (text: string) => recognizeCsv(Buffer.from(text))
const fieldsOf = async (text: string) =>
  Object.fromEntries((await recognize(text)).mapping.map(({ field, column }) => [field, column]))

describe('A CSV file is recognized', () => {
  it('by the fields that the mapping of a connection finds, since the app has one list for both', () => {
    assert.deepEqual(MAPPED_FIELDS.toSorted(), MAPPED_SIGNAL_FIELDS.toSorted())
  })

  it('by the delimiter that all its records agree on', async () => {
    for (const delimiter of [',', ';', '\t', '|']) {
      const lines = [
        ['text', 'date'],
        ['It hangs, often; very', '2026-01-01'],
        ['It | stops', '2026-01-02'],
      ]
      const text = lines.map(fields => fields.map(field => `"${field}"`).join(delimiter)).join('\n')
      assert.equal((await recognize(text)).delimiter, delimiter)
    }
    assert.equal(
      (await recognize('text;date\nIt hangs, often, and stops;2026-01-01\nOh, dear;2026-01-02')).delimiter,
      ';',
    )
  })

  it('by the names of its columns, the contract’s own first', async () => {
    assert.deepEqual(await fieldsOf('Comment,Text,Created At,E-Mail,origin\nc,t,2026-01-01,a@example.com,internal\n'), {
      text: 1,
      occurred_at: 2,
      actor_email: 3,
      signal_origin: 4,
    })
    assert.deepEqual(await fieldsOf('Feedback;URL;Customer\nIt hangs;https://example.com;Ana\n'), {
      text: 0,
      source_url: 1,
      actor_name: 2,
    })
  })

  it('with a header whose names nobody knows, and without one', async () => {
    assert.deepEqual(await recognize('Was,Wann\nEs hängt,2026-01-01\n'), {
      delimiter: ',',
      header: true,
      mapping: [],
      keep_other_columns: true,
    })
    assert.equal((await recognize('It hangs,2026-01-01\nIt stops,2026-01-02\n')).header, false)
  })

  it('when it is a list of texts', async () => {
    const { header, mapping } = await recognize('It hangs\nIt stops\n')
    assert.deepEqual([header, mapping], [false, [{ field: 'text', column: 0 }]])
  })
})

const NOW = Date.UTC(2026, 5, 1)

const reading: CsvReading = {
  delimiter: ',',
  header: true,
  mapping: [
    { field: 'text', column: 0 },
    { field: 'occurred_at', column: 1 },
    { field: 'signal_origin', column: 2 },
    { field: 'source', value: 'Interviews' },
  ],
  keep_other_columns: true,
}
const NAMES = ['What', 'When', 'Origin', 'Plan', '']

const csv = (fields: readonly string[], changes: Partial<CsvReading> = {}) =>
  readCsvRecord({ ok: true, fields }, { ...reading, ...changes }, NAMES, NOW)
const json = (line: string) => readJsonLine(Buffer.from(line), NOW)

describe('A record of CSV', () => {
  it('is a signal by its columns, with the rest as metadata under their names', () => {
    assert.deepEqual(csv(['It hangs', '2026-05-01', ' Internal ', 'Team', 'x']), {
      kind: 'signal',
      body: {
        text: 'It hangs',
        source: 'Interviews',
        occurred_at: '2026-05-01',
        signal_origin: 'internal',
        metadata: { Plan: 'Team', 'column 5': 'x' },
      },
      occurredAt: Date.UTC(2026, 4, 1),
    })
  })

  it('leaves empty fields and, if told, the other columns out', () => {
    const read = csv(['It hangs', '', ' ', 'Team'], { keep_other_columns: false })
    assert.deepEqual(read, { kind: 'signal', body: { text: 'It hangs', source: 'Interviews' }, occurredAt: null })
  })

  it('takes a column of metadata as JSON', () => {
    const mapping = [...reading.mapping, { field: 'metadata' as const, column: 3 }]
    const read = csv(['It hangs', '', '', '{"plan":"Team"}'], { mapping })
    assert.ok(read.kind === 'signal')
    assert.deepEqual(read.body.metadata, { plan: 'Team' })
    const wrong = { kind: 'refused', reason: 'metadata must be a JSON object.' }
    for (const text of ['[1]', 'null', '{']) assert.deepEqual(csv(['It hangs', '', '', text], { mapping }), wrong)
  })

  it('is nothing when it is empty, and refused with what is wrong, never with what it says', () => {
    assert.deepEqual(csv(['', ' ', '']), { kind: 'blank' })
    assert.deepEqual(csv(['', '2026-05-01', '']), { kind: 'refused', reason: 'text is required.' })
    assert.deepEqual(csv(['It hangs', '', 'ana@example.com']), {
      kind: 'refused',
      reason: 'signal_origin must be one of customer, internal, operational.',
    })
    const late = csv(['It hangs', '2031-01-01', ''])
    assert.ok(late.kind === 'refused' && /^occurred_at must not be before 2000/.test(late.reason))
    const long = csv(['x'.repeat(50_001), '', ''])
    assert.ok(long.kind === 'refused' && /^text must have at most 50000 characters/.test(long.reason))
  })
})

describe('A line of JSON Lines', () => {
  it('is the body of the signal webhook, without fields that it does not name', () => {
    assert.deepEqual(json('{"text":"It hangs","metadata":{"a":1},"extra":true}'), {
      kind: 'signal',
      body: { text: 'It hangs', metadata: { a: 1 } },
      occurredAt: null,
    })
    assert.deepEqual(json('  '), { kind: 'blank' })
  })

  it('is refused with what is wrong, never with what it says', () => {
    assert.deepEqual(json('{"text":"ana@example.com"'), { kind: 'refused', reason: 'The line is not JSON.' })
    assert.deepEqual(json('{"text":5}'), { kind: 'refused', reason: 'text must be string.' })
    const other = json('{"text":"x","metadata":{"ana@example.com":1e999}}')
    assert.ok(other.kind === 'refused' && !other.reason.includes('@'))
    const bytes = readJsonLine(Buffer.from([0x7b, 0xff, 0x7d]), NOW)
    assert.ok(bytes.kind === 'refused' && /UTF-8/.test(bytes.reason))
  })
})

test('a line that holds more than any signal is not parsed', () => {
  const line = (values: string) => readJsonLine(Buffer.from(`{"text":"It hangs","other":[${values}]}`), Date.now())
  assert.equal(line(Array(19_000).fill(1).join(',')).kind, 'signal')
  for (const values of [Array(20_001).fill(1).join(','), `${'['.repeat(1001)}${']'.repeat(1001)}`]) {
    const read = line(values)
    assert.ok(read.kind === 'refused' && /holds more than 20000 values/.test(read.reason))
  }
})
