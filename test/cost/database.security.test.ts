import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Incoming } from './edge.testing.ts'
import { assertGrowth, LONG } from './measure.testing.ts'
import { differentWords } from './units.testing.ts'
import { startWhole, type Whole } from './whole.testing.ts'

let whole: Whole
before(async () => {
  whole = await startWhole()
})
after(() => whole.stop())

const signal = (characters: number): Incoming => ({
  receiver: 'signal',
  body: JSON.stringify({ text: differentWords(characters), metadata: { a: differentWords(characters / 2) } }),
})

test('the steps that ask the database take time by the length of a text', () =>
  assertGrowth('Texts of different words', 48_000, async characters => {
    const { database } = await whole.run(...Array.from({ length: LONG ? 12 : 4 }, () => signal(characters)))
    return database
  }))

test('the steps that ask the database take time by the signals of a batch', () =>
  assertGrowth('Signals of different words', LONG ? 40 : 8, async signals => {
    const { database } = await whole.run(...Array.from({ length: signals }, () => signal(16_000)))
    return database
  }))

test('no index of words gathers the work of hundreds of signals for one of them', async () => {
  const { rows } = await whole.pool.query<{ name: string; options: readonly string[] | null }>(`
    select index.relname as name, index.reloptions as options
    from pg_class as index join pg_am on pg_am.oid = index.relam
    where pg_am.amname = 'gin'`)
  assert.ok(rows.length > 4)
  const gathering = rows.filter(({ options }) => !options?.includes('gin_pending_list_limit=64'))
  assert.deepEqual(gathering, [])
})
