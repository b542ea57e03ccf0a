import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import type { CsvReading } from '../../../schemas/transfers/reading.ts'
import { readCsvRecord, readJsonElement, readJsonLine } from './read-signal.ts'

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
      rowId: null,
    })
  })

  it('leaves empty fields and, if told, the other columns out', () => {
    const read = csv(['It hangs', '', ' ', 'Team'], { keep_other_columns: false })
    assert.deepEqual(read, {
      kind: 'signal',
      body: { text: 'It hangs', source: 'Interviews' },
      occurredAt: null,
      rowId: null,
    })
  })

  it('takes a column of metadata as JSON', () => {
    const mapping = [...reading.mapping, { field: 'metadata' as const, column: 3 }]
    const read = csv(['It hangs', '', '', '{"plan":"Team"}'], { mapping })
    assert.ok(read.kind === 'signal')
    assert.deepEqual(read.body.metadata, { plan: 'Team' })
    const wrong = { kind: 'refused', reason: 'metadata must be a JSON object.' }
    for (const text of ['[1]', 'null', '{']) assert.deepEqual(csv(['It hangs', '', '', text], { mapping }), wrong)
  })

  it('keeps all values under a name that is there more than once, as a list', () => {
    const names = ['What', 'tag', 'tag', 'tag', 'Plan', '__proto__']
    const fields = ['It hangs', 'search', '', 'mobile', 'Team', 'x']
    const read = readCsvRecord(
      { ok: true, fields },
      { ...reading, mapping: [{ field: 'text', column: 0 }] },
      names,
      NOW,
    )
    assert.ok(read.kind === 'signal')
    assert.deepEqual(Object.entries(read.body.metadata ?? {}), [
      ['tag', ['search', 'mobile']],
      ['Plan', 'Team'],
      ['__proto__', 'x'],
    ])
  })

  it('has its text from some columns, below each other, those without one left out', () => {
    const mapping = [0, 3].map(column => ({ field: 'text' as const, column }))
    const text = (fields: readonly string[]) => {
      const read = csv(fields, { mapping })
      return read.kind === 'signal' ? read.body.text : read
    }
    assert.equal(text(['Export stops', '', '', 'It ends after ten rows.']), 'Export stops\n\nIt ends after ten rows.')
    assert.equal(text(['Export stops', '', '', ' ']), 'Export stops')
    assert.equal(text(['', '', '', 'It ends.']), 'It ends.')
  })

  it('keeps a date that cannot be read as metadata where a person chose it, and is refused otherwise', () => {
    for (const date of ['yesterday', '31.02.2026', '1969-01-01', '2031-01-01']) {
      assert.equal(csv(['It hangs', date]).kind, 'refused')
      const left = csv(['It hangs', date], { leave_unread_dates: true })
      assert.ok(left.kind === 'signal')
      assert.deepEqual([left.occurredAt, left.body.metadata], [null, { When: date }])
    }
    const read = csv(['It hangs', '2026-05-01'], { leave_unread_dates: true })
    assert.ok(read.kind === 'signal' && read.occurredAt === Date.UTC(2026, 4, 1))
  })

  it('is kept under a name that is cut, where its column has a question for a name', () => {
    const read = readCsvRecord(
      { ok: true, fields: ['It hangs', 'Often'] },
      reading,
      ['What', 'How often? '.repeat(40)],
      NOW,
    )
    const plainDate = { ...reading, mapping: [{ field: 'text' as const, column: 0 }] }
    assert.equal(read.kind, 'refused')
    const kept = readCsvRecord(
      { ok: true, fields: ['It hangs', 'Often'] },
      plainDate,
      ['What', 'How often? '.repeat(40)],
      NOW,
    )
    assert.ok(kept.kind === 'signal')
    assert.deepEqual(
      Object.keys(kept.body.metadata ?? {}).map(name => name.length),
      [200],
    )
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

describe('An element of JSON', () => {
  const names = ['title', 'user.login', 'labels', 'createdAt']
  const mapping: CsvReading['mapping'] = [
    { field: 'text', column: 0 },
    { field: 'actor_name', column: 1 },
    { field: 'occurred_at', column: 3 },
  ]
  const element = (text: string) => readJsonElement(Buffer.from(text), { ...reading, mapping }, names, NOW)

  it('has its columns within objects, keeps the rest as it is, and leaves out what says nothing', () => {
    const read = element(
      '{"title":"It hangs","user":{"login":"ana","id":7},"labels":[{"name":"bug"}],"createdAt":1777593600,"draft":false,"body":null,"assignees":[]}',
    )
    assert.deepEqual(read, {
      kind: 'signal',
      body: {
        text: 'It hangs',
        actor_name: 'ana',
        occurred_at: '1777593600',
        metadata: { 'user.id': 7, labels: [{ name: 'bug' }], draft: false },
      },
      occurredAt: Date.UTC(2026, 4, 1),
      rowId: null,
    })
  })

  it('is refused where it is none, and nothing where it is empty', () => {
    assert.deepEqual(element('{"title":'), { kind: 'refused', reason: 'The element is not JSON.' })
    for (const text of ['5', '"x"', 'null']) {
      assert.deepEqual(element(text), { kind: 'refused', reason: 'The element is no object.' })
    }
    for (const text of ['{}', '{"title":null,"labels":[]}', '[]']) assert.deepEqual(element(text), { kind: 'blank' })
  })
})

describe('A line of JSON Lines', () => {
  it('is the body of the signal webhook, without fields that it does not name', () => {
    assert.deepEqual(json('{"text":"It hangs","metadata":{"a":1},"extra":true}'), {
      kind: 'signal',
      body: { text: 'It hangs', metadata: { a: 1 } },
      occurredAt: null,
      rowId: null,
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
