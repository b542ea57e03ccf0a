import assert from 'node:assert/strict'
import { it } from 'node:test'
import { plural, t } from './messages.ts'
import { rich } from './rich.ts'

it('Every number in a sentence is written as the language writes numbers', () => {
  assert.equal(t('{number} routine ones are not shown.', { number: 12_345.5 }), '12,345.5 routine ones are not shown.')
  assert.equal(t('Version {version} is saved.', { version: '1234' }), 'Version 1234 is saved.')
  const said = plural(2, '{number} result of {all}', '{number} results of {all}', { all: 1234 })
  assert.equal(said, '2 results of 1,234')
  assert.match(JSON.stringify(rich('Place {place}', { place: 1234 })), /"1,234"/)
})
