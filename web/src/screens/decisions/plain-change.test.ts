import assert from 'node:assert/strict'
import { it } from 'node:test'
import { differences, fieldsOfChange } from './plain-change.ts'

const before = {
  state: 'triage',
  classification: 'problem',
  classification_version: 'a',
  classification_confidence: 0.5,
}

it('A change shows each field that differs before and after, and nothing of how a classification came about', () => {
  const after = { ...before, state: 'dismissed', classification_confidence: 1 }
  assert.deepEqual(fieldsOfChange({ to: after, from: before, triage: 'dismiss' }), [
    ['state', { from: 'triage', to: 'dismissed' }],
    ['triage', 'dismiss'],
  ])
  assert.deepEqual(differences({ until: 'x' }, {}), [['until', { from: 'x', to: null }]])
})

it('A field whose name is from or to and that is no state stays as it is', () => {
  assert.deepEqual(fieldsOfChange({ state: { from: 'Backlog', to: 'Planned' } }), [
    ['state', { from: 'Backlog', to: 'Planned' }],
  ])
  assert.deepEqual(fieldsOfChange({ from: 'x' }), [['from', 'x']])
})
