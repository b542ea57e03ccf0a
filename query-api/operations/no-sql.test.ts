import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const FOLDER = new URL('./', import.meta.url)

/** The folders whose operations leave every read and write to the model, which owns the tables. */
const CLEAN = [
  'changes',
  'context',
  'decisions',
  'documents',
  'groups',
  'knowledge',
  'map',
  'metrics',
  'outcomes',
  'parts',
  'references',
  'reviews',
  'roadmap',
  'search',
  'snapshot',
  'solutions',
  'strategy',
]

/** A statement that is run, one that is written down, or a query on the activity made of clauses. */
const SQL =
  /\.query\s*[<(]|\bactivityRows\b|[`'"]\s*(?:with (?:recursive )?\w+ as\b|select |insert into |update \w+ set |delete from )/

const hasSql = (file: string): boolean => SQL.test(readFileSync(new URL(file, FOLDER), 'utf8'))

test('operations call the model and run no SQL of their own', () => {
  for (const folder of CLEAN) {
    const files = globSync(`${folder}/**/*.ts`, { cwd: FOLDER.pathname }).filter(file => !/\btest(ing)?\b/.test(file))
    assert.ok(files.length > 0, `${folder} has no operations`)
    assert.deepEqual(files.filter(hasSql), [], `${folder}: what reads and writes tables belongs to model/`)
  }
})

test('SQL is recognized where it is', () => {
  const owners = ['map/nodes', 'map/node-rows', 'map/node-evidence', 'metrics/bindings', 'activity/signal-trace']
  for (const owner of owners) assert.ok(hasSql(`../../model/${owner}.ts`), owner)
})
