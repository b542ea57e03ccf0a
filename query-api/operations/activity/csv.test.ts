import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { csvField } from '../../../model/transfers/records/csv-field.ts'
import { csvHeader, csvLine } from './csv.ts'

const of = (source: string) => csvLine({ period: null, group: { source }, metrics: { count: 1 } })

test('a text is quoted where RFC 4180 wants it, and is no formula to a spreadsheet', () => {
  const cases: Readonly<Record<string, string>> = {
    desk: 'desk',
    '': '',
    'a,b': '"a,b"',
    'say "hi"': '"say ""hi"""',
    'two\nlines': '"two\nlines"',
    'two\rlines': '"two\rlines"',
    '=1+1': "'=1+1",
    '+49 30': "'+49 30",
    '-2': "'-2",
    '@SUM(A1)': "'@SUM(A1)",
    '\t=1': "'\t'=1",
    ' =1': "' =1",
    '\u00a0=1': "'\u00a0=1",
    '\r=1': '"\'\r\'=1"',
    'x;=1': "x;'=1",
    'x|@a': "x|'@a",
    '＝1': "'＝1",
    '=HYPERLINK("https://evil.example","x")': `"'=HYPERLINK(""https://evil.example"",""x"")"`,
    'a=1': 'a=1',
    '5-2': '5-2',
  }
  for (const [text, field] of Object.entries(cases)) assert.equal(of(text), `${field},1\r\n`)
})

test('columns are the period, the fields, the metrics and those of the period before; what is not there is empty', () => {
  const item = {
    period: '2026-05-10T00:00:00+0000',
    group: { kind: 'tool.call', tool: 'x' },
    metrics: { count: 2, p95_duration_ms: -0.5 },
    before: { count: 0, p95_duration_ms: null },
  }
  assert.equal(csvHeader(item), 'period,kind,tool,count,p95_duration_ms,before_count,before_p95_duration_ms\r\n')
  assert.equal(csvLine(item), '2026-05-10T00:00:00+0000,tool.call,x,2,-0.5,0,\r\n')
  assert.equal(csvHeader(undefined), '\r\n')
})

test('a claim, a node and an actor have their names in columns beside, as fields like any other', () => {
  const item = {
    period: null,
    group: { claim: 'one', node: '', actor: 'two' },
    named: {
      claim: { reference: 'CLM-3', title: 'Exports, large ones' },
      actor: { reference: null, title: '=Ada' },
    },
    metrics: { count: 2 },
  }
  assert.equal(csvHeader(item), 'claim,claim_name,node,node_name,actor,actor_name,count\r\n')
  assert.equal(csvLine(item), `one,"CLM-3 Exports, large ones",,,two,'=Ada,2\r\n`)
})

test('no reader sees a formula, whichever delimiter it takes, and whether or not it minds the quotes', () => {
  const signs = fc.constantFrom('=', '+', '-', '@', '＝', ';', '|', '\t', ',', '"', "'", ' ', '\n', '\r', 'x', '1')
  const values = fc.array(signs, { maxLength: 12 }).map(each => each.join(''))
  fc.assert(
    fc.property(values, value => {
      const field = csvField(value)
      const read = field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field
      // By the comma the whole field is a cell; by the others each of its parts may be one.
      for (const cell of [read, ...field.split(/[;|\t\r\n]/).slice(1), ...read.split(/[;|\t\r\n]/)]) {
        assert.doesNotMatch(cell, /^[\s"]*[=+\-@＝＋－＠]/u, `${JSON.stringify(value)} as ${JSON.stringify(field)}`)
      }
    }),
    { numRuns: 3000 },
  )
})
