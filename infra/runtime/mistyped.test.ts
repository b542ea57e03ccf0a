import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PROGRAMS } from '../../docs/deploy/settings.ts'
import { mistypedSettings, nearest } from './mistyped.ts'

test('the nearest word is at most two letters away', () => {
  const words = ['migrate', 'ingest', 'all', 'ledger']
  const cases = {
    migrat: 'migrate',
    migate: 'migrate',
    imgest: 'ingest',
    ledgers: 'ledger',
    al: 'all',
    everything: null,
  }
  for (const [word, meant] of Object.entries(cases)) assert.equal(nearest(word, words), meant, word)
  assert.equal(nearest('migrate', words), null)
  assert.equal(nearest('m'.repeat(1_000_000), words), null)
})

test('a variable that is nearly a setting is named with the right one, and its value is not', () => {
  const env = {
    EMBEDDING_URL: 'http://user:secret@models',
    KAFKA_BROKER: 'kafka:9092',
    JUDGE_API_KEY: 'right',
    HOSTS: 'short',
    PATH: '/bin',
  }
  assert.deepEqual(mistypedSettings(PROGRAMS.processors, env), [
    'EMBEDDING_URL is no setting and is not read. Did you mean EMBEDDINGS_URL?',
    'KAFKA_BROKER is no setting and is not read. Did you mean KAFKA_BROKERS?',
  ])
  assert.deepEqual(mistypedSettings(PROGRAMS.processors, { EMBEDDING_URL: 'a', EMBEDDINGS_URL: 'b' }), [])
})

test('no setting of another program is taken for a mistyped one', () => {
  const all = Object.values(PROGRAMS).flatMap(schema => Object.values(schema).map(({ env }) => env))
  const env = Object.fromEntries(all.map(name => [name, '']))
  for (const [program, schema] of Object.entries(PROGRAMS)) assert.deepEqual(mistypedSettings(schema, env), [], program)
})
