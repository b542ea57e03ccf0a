import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import * as vocabulary from '../../schemas/domain/vocabulary.ts'
import { startTestDatabase } from './testing.ts'

/**
 * Columns that are limited to a list of words are taken from the catalogue, and each list has to be one of
 * `schemas/domain/vocabulary.ts`. A vocabulary that grows fails here until a migration has put its new word into the
 * check.
 */
const db = await startTestDatabase()
after(() => db.stop())

const wordsOf = (exported: unknown): string => {
  const words = Array.isArray(exported) ? exported : Object.keys(Object(exported))
  return words.toSorted().join(', ')
}
const known = new Map(Object.entries(vocabulary).map(([name, exported]) => [wordsOf(exported), name]))

test('every list in a check of a column is a vocabulary of the code', async () => {
  const { rows } = await db.pool.query<{ column: string; words: string[] }>(`
    select conrelid::regclass || '.' || conname as column,
      array(select found[1] from regexp_matches(pg_get_constraintdef(oid), '''([^'']*)''::text', 'g') as found) as words
    from pg_constraint
    where connamespace = 'public'::regnamespace and contype = 'c' and pg_get_constraintdef(oid) like '%= ANY (ARRAY[%'`)
  assert.ok(rows.length >= 38)
  assert.deepEqual(
    rows.filter(({ words }) => !known.has(wordsOf(words))),
    [],
    'no list of vocabulary.ts has just these words: put the new one into the check by a migration',
  )
})
