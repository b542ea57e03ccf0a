import assert from 'node:assert/strict'
import { test } from 'node:test'
import { METRICS, NODES } from '../../model/sandbox/story/product.ts'
import { SIGNALS } from '../../model/sandbox/story/signals.ts'
import { waysToType } from '../../test/support/typing-errors.ts'
import { fits } from './fits.ts'

test('a name fits what is typed by beginnings, other forms of a word, and with one error', () => {
  for (const typed of ['', 'con ag', 'agent connect', 'agents', 'conect', 'cnonect agents', 'Agentss']) {
    assert.ok(fits('Connect agents', typed), typed)
  }
  for (const typed of ['disconnect', 'conneggt', 'age x', 'gents and']) {
    assert.ok(!fits('Connect agents', typed), typed)
  }
})

test('every name of the sample data fits each of its words, however it is typed', () => {
  const names = new Set([...Object.keys(NODES), ...Object.keys(METRICS), ...Object.values(SIGNALS).map(([who]) => who)])
  for (const name of names) {
    for (const word of name.match(/[\p{L}\p{N}]{3,}/gu) ?? []) {
      for (const typed of Object.values(waysToType(word.toLowerCase())))
        assert.ok(fits(name, typed), `${name}: ${typed}`)
    }
  }
  assert.ok(fits('Élodie Zsófia', 'zsofia elod'))
})
