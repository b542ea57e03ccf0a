import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { counted, plural } from './for-people.ts'

const ROOT = join(import.meta.dirname, '../..')
const NOUNS =
  'workspaces|values|signals|Signals|claims|repeats|Decisions|records|rows|tables|partitions|texts|actors|keys|vectors|sources|accounts|pairs|proposals|merges|notes|nodes|requests|entries|days|hours|minutes'
/** A number that a run tells, before a noun that is always of many. A name in capitals is a fixed number. */
const OF_MANY = new RegExp(
  String.raw`\$\{(?!counted|plural)[^{}]*[a-z][^{}]*\} (?:${NOUNS})\b(?! (?:unbounded|here|nothing))`,
  'g',
)
/** Fixed numbers of objects whose members are in small letters, what is a text, and what is never one. */
const FIXED =
  /limit\.requests|_DAYS\.|MAX_IN_A_LINE|MAX_IN_A_RECORD|infra\/models|\$\{(?:values|name|step\.name|days|rows|graph\.size\(\)|here\.rows)\} |\$\{count\} claims/

test('a count has the noun of its number', () => {
  assert.deepEqual(
    [counted(1, 'claim'), counted(2, 'claim'), counted(0, 'entry', 'entries')],
    ['1 claim', '2 claims', '0 entries'],
  )
  assert.equal(plural(1, 'is', 'are'), 'is')
})

test('no sentence of the service puts a number before a noun by itself', () => {
  const files = globSync('{assay.ts,{commands,infra,ingest,model,processors,query-api,schemas}/**/*.ts}', { cwd: ROOT })
  const found = files
    .filter(file => !/test/.test(file))
    .flatMap(file =>
      [...readFileSync(join(ROOT, file), 'utf8').matchAll(OF_MANY)].map(([sentence]) => `${file}: ${sentence}`),
    )
  assert.deepEqual(
    found.filter(sentence => !FIXED.test(sentence)),
    [],
  )
})
