import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf } from './start-claims.ts'

for (const [what, text, title] of [
  ['the first sentence', 'The export fails. It did so twice.', 'The export fails.'],
  ['a line of its own', 'The export fails\nSteps: open, click', 'The export fails'],
  ['what follows a greeting', 'Hi team,\n\nthe export fails. Thanks!', 'the export fails.'],
  ['all of it, when nothing is a sentence', 'Help!', 'Help!'],
  ['a sentence in a script without spaces', '导出按钮没有反应。请修复。', '导出按钮没有反应。'],
  ['signs, when there is nothing else', '👍', '👍'],
] as const) {
  test(`a title is ${what}`, () => assert.equal(titleOf(text), title))
}

test('a long sentence is cut after a word, with an ellipsis, at 120 characters at most', () => {
  const title = titleOf(`The ${'invoice export '.repeat(20)}fails`)
  assert.ok(title.length <= 120 && title.length > 100, title)
  assert.match(title, /(invoice|export)…$/)
})

test('a word longer than a title is cut in itself, between characters', () => {
  assert.equal(titleOf('x'.repeat(50_000)), `${'x'.repeat(119)}…`)
  const faces = titleOf('👍'.repeat(1_000))
  assert.ok(faces.length <= 120 && faces.isWellFormed())
})
