import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fits } from './use-found.ts'

test('a name fits what is typed by beginnings, other forms of a word, and with one error', () => {
  for (const typed of ['', 'con ag', 'agent connect', 'agents', 'conect', 'cnonect agents', 'Agentss']) {
    assert.ok(fits('Connect agents', typed), typed)
  }
  for (const typed of ['disconnect', 'conneggt', 'age x', 'gents and']) {
    assert.ok(!fits('Connect agents', typed), typed)
  }
})
