import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const FOLDER = new URL('./', import.meta.url)

/** A statement that is run, one that is written down, or a query on the activity made of clauses. */
const SQL =
  /\.query\s*[<(]|\bactivityRows\b|[`'"]\s*(?:with (?:recursive )?\w+ as\b|select |insert into |update \w+ set |delete from )/

/** Which files have some all the same, and why. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  'accounts/auth.ts': 'Hands on the statements of the account library.',
  'evals/story/seed.ts': 'Fills a database with a story, for tests to ask about.',
  'mcp/example-tools.ts': 'Tools of the tests, on a table that they fill themselves.',
  'operations/call/circuit-breakers.ts': 'Hands on the statements of others.',
}

const isTest = (file: string): boolean => /\.test\.ts$|\.testing\.ts$|(^|\/)testing[^/]*\.ts$/.test(file)

const hasSql = (file: string): boolean => SQL.test(readFileSync(new URL(file, FOLDER), 'utf8'))

test('the query API calls the model and runs no SQL of its own', () => {
  const files = globSync('**/*.ts', { cwd: FOLDER.pathname }).filter(file => !isTest(file))
  assert.ok(files.length > 200, 'all files are looked at')
  assert.deepEqual(
    files.filter(hasSql).sort(),
    Object.keys(EXCEPTIONS),
    'what reads and writes tables belongs to model/',
  )
})

test('SQL is recognized where it is', () => {
  const owners = [
    'map/nodes',
    'metrics/bindings',
    'activity/activity-rows',
    'idempotency/stored-answers',
    'sources/sources',
  ]
  for (const owner of owners) assert.ok(hasSql(`../model/${owner}.ts`), owner)
})
