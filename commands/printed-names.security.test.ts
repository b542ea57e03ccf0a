import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import type { InstallationLedger } from '../model/ledger/installation-ledger.ts'
import type { Ledger } from '../model/ledger/ledger.ts'
import { renderAccounts } from './account.ts'
import { renderLedger } from './ledger-table.ts'

/** What a name may hold that a terminal acts on, or that a reader does not see. */
const HOSTILE = {
  'an escape that clears the screen': '\u001b[2J\u001b[H',
  'an escape that sets the title': '\u001b]0;owned\u0007',
  'an escape of one byte': '\u009b31m',
  'a link': '\u001b]8;;https://example.com\u001b\\here\u001b]8;;\u001b\\',
  'ends of lines': 'a\r\nb\nc\rd\u0085e\u2028f\u2029g\u000bh\u000ci',
  'a backspace, a tab and a delete': '\b\b\b\t\u007f',
  'text that turns round': '\u202etxt\u202c \u2066\u2067\u2069 \u200f',
  'what nobody sees': '\u200b\u200d\ufeff\u{e0041}\u00ad',
  'half a pair': '\ud800',
}
const ALL = Object.values(HOSTILE).join('')
const DANGEROUS = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u

const accounts = (name: string) =>
  renderAccounts(
    [name, 'Ann'].map(each => ({
      name: each,
      email: `${each}@example.com`,
      created_at: new Date('2026-01-01'),
      disabled_at: null,
      administers: false,
      workspaces: 1,
      sessions: 0,
    })),
  )

const none = { postgres: 0, clickhouse: 0 }
const counted = { received: 0, inserted: none, occurrences: none, dead: none, differences: [] } as unknown as Ledger
const ledger = (name: string) =>
  renderLedger({
    workspaces: [
      {
        ...counted,
        slug: name,
        differences: [{ end: 'inserted', only_in_postgres: ['x'], only_in_clickhouse: ['y'] }],
      },
      { ...counted, slug: 'ann' },
    ],
    total: counted,
    waiting_on_the_log: 0,
    verdict: 'balanced',
    reasons: [],
  } as unknown as InstallationLedger)

describe('A name that an operator’s command prints', () => {
  for (const [what, render] of Object.entries({ accounts, ledger }))
    for (const [kind, name] of Object.entries({ ...HOSTILE, 'all of it': ALL }))
      it(`is harmless in the ${what} with ${kind}`, () => {
        const lines = render(`A${name}Z`).split('\n')
        assert.equal(lines.length, render('AZ').split('\n').length)
        for (const line of lines) assert.doesNotMatch(line, DANGEROUS)
        assert.match(lines[1] ?? '', /^A.*\ufffd.*Z/u)
      })

  it('stays as it is otherwise', () => {
    const name = 'Zoë O’Łuk 李小龍 👩🏽 עברית'
    assert.ok(accounts(name).includes(name))
  })

  it('comes from one of these: other commands print nothing that a person has written', async () => {
    const folder = new URL('./', import.meta.url).pathname
    const found: string[] = []
    for await (const path of glob('*.ts', { cwd: folder })) {
      if (path.endsWith('.test.ts')) continue
      const source = await readFile(`${folder}${path}`, 'utf8')
      if (/\.(name|slug|label|title|display\w*)\b/.test(source)) found.push(path)
    }
    assert.deepEqual(found.sort(), ['account.ts', 'ledger-table.ts'])
  })
})
