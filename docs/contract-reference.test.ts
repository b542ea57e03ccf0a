import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { SENTENCES } from '../test/contract/sentences/index.ts'
import { NOT_SHOWN } from '../test/contract/sentences/not-shown.ts'
import { contractPage, findHoldings, sectionOf } from './contract-reference.ts'

const holdings = findHoldings()
const ids = Object.keys(SENTENCES)

test('every sentence of the interface has a test', () => {
  const held = new Set(holdings.map(({ id }) => id))
  assert.ok(ids.length > 200)
  assert.deepEqual(
    ids.filter(id => !held.has(id)),
    [],
  )
})

test('every test of a sentence names one that there is', () => {
  assert.deepEqual(
    holdings.filter(({ id }) => !ids.includes(id)),
    [],
  )
})

test('no sentence has two tests of the contract', () => {
  const fromOutside = holdings.filter(({ name }) => name === null).map(({ id }) => id)
  assert.deepEqual(fromOutside.toSorted(), [...new Set(fromOutside)].toSorted())
})

test('the ids of a section are numbered without a gap, and each is on the page', () => {
  const page = contractPage()
  for (const [section, members] of Map.groupBy(Object.keys({ ...SENTENCES, ...NOT_SHOWN }), id =>
    id.replace(/\d+$/, ''),
  )) {
    assert.deepEqual(
      members,
      members.map((_, at) => `${section}${at + 1}`),
    )
  }
  for (const id of [...ids, ...Object.keys(NOT_SHOWN)]) assert.ok(page.includes(`\n- \`${id}\` `), sectionOf(id))
})

test('docs/reference/contract.md says what the tests say; npm run docs writes it', () => {
  assert.equal(readFileSync(new URL('reference/contract.md', import.meta.url), 'utf8'), contractPage())
})
