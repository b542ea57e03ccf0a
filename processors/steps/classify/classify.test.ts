import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Content } from '../../../schemas/events/signal.ts'
import { withContent } from '../testing.ts'
import { createClassify } from './classify.ts'
import { LABELLED } from './labelled.testing.ts'

const classify = async (text: string, known: Partial<Content> = {}, channel?: 'code_host') => {
  const [result] = await createClassify().run([withContent(text, known, channel)])
  assert.equal(result?.kind, 'next')
  return result.adds.classification
}
const label = async (...given: Parameters<typeof classify>) => (await classify(...given)).label

test('plain cases are told apart, in several languages', async () => {
  assert.equal(await label('The export fails with an error'), 'problem')
  assert.equal(await label('Please add a dark mode'), 'idea')
  assert.equal(await label('How do I invite a colleague?'), 'question')
  assert.equal(await label('Der Export funktioniert nicht'), 'problem')
  assert.equal(await label("J'aimerais une option pour trier"), 'idea')
  assert.equal(await label('¿Cómo puedo exportar?'), 'question')
  assert.equal(await label('エクスポートが動かない'), 'problem')
})

test('what says too little stays unclassified, whatever its script', async () => {
  for (const text of ['Hello', 'ok', '12345', '👍', 'Grüße aus dem Büro', '谢谢']) {
    assert.equal(await label(text), 'unclassified', text)
  }
})

test('what speaks as much for two labels as for one stays unclassified', async () => {
  assert.equal(await label('The export crashes. We need a dark mode.'), 'unclassified')
})

test('the event is a hint: it decides where the text does not, and no more', async () => {
  assert.equal(await label('Dark theme on mobile', { event: 'feature_request.created' }), 'idea')
  assert.equal(await label('Dark theme on mobile', { event: 'bug.reported' }), 'problem')
  assert.equal(await label('It does not work: the export fails with an error', { event: 'feature_request' }), 'problem')
})

test('work on the product that a code host tells of is no report of a problem', async () => {
  assert.equal(await label('Fix the crash of the export', { event: 'push' }, 'code_host'), 'unclassified')
})

test('a word inside of another word says nothing', async () => {
  assert.equal(await label('The debugging view and the terrorism report'), 'unclassified')
})

test('a question mark in a link asks nothing', async () => {
  assert.equal(await label('See https://desk.example/list?page=2&sort=asc'), 'unclassified')
})

test('confidence is a share of one, and the version is kept', async () => {
  for (const [, text] of LABELLED) {
    const { confidence, version } = await classify(text)
    assert.ok(confidence > 0 && confidence <= 1)
    assert.equal(version, createClassify().version)
  }
})

test('a text of 50,000 characters is read from its beginning alone', async () => {
  assert.equal(await label(`${'x '.repeat(24_000)} it crashes`), 'unclassified')
  assert.equal(await label(`It crashes. ${'x '.repeat(24_000)}`), 'problem')
})

test('of texts that the rules were not made from, most get the label that a reader gives them', async t => {
  const wrong: string[] = []
  for (const [expected, text] of LABELLED) {
    const given = await label(text)
    if (given !== expected) wrong.push(`${given} instead of ${expected}: ${text}`)
  }
  const accuracy = 1 - wrong.length / LABELLED.length
  t.diagnostic(`accuracy ${accuracy.toFixed(2)} of ${LABELLED.length}`)
  for (const line of wrong) t.diagnostic(line)
  assert.ok(accuracy >= 0.75, `accuracy ${accuracy}`)
})
