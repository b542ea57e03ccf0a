import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { recognizeCsv } from './read-signal.ts'

const recognize = (text: string) => recognizeCsv(Buffer.from(text))
const fieldsOf = async (text: string) =>
  Object.fromEntries((await recognize(text)).mapping.map(({ field, column }) => [field, column]))

describe('A CSV file is recognized', () => {
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
