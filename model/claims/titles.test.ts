import assert from 'node:assert/strict'
import { test } from 'node:test'
import { titleOf, titlesOf } from './titles.ts'

for (const [what, text, title] of [
  ['the first sentence', 'The export fails. It did so twice.', 'The export fails.'],
  ['a line of its own', 'The export fails\nSteps: open, click', 'The export fails'],
  ['what follows a greeting', 'Hi team,\n\nthe export fails. Thanks!', 'the export fails.'],
  ['all of it, when nothing is a sentence', 'Help!', 'Help!'],
  ['a sentence in a script without spaces', '导出按钮没有反应。请修复。', '导出按钮没有反应。'],
  ['signs, when there is nothing else', '👍', '👍'],
  [
    'the sentence that says most',
    'We saw it in the mobile client. The invoice total ignores the discount. Please fix.',
    'The invoice total ignores the discount.',
  ],
  [
    'what follows praise',
    'It is an awesome app. But it shuts down when I open it.',
    'But it shuts down when I open it.',
  ],
  [
    'what follows a greeting in another language',
    'いつもお世話になっております。注文一覧の右側がスマートフォンで切れます。よろしくお願いします。',
    '注文一覧の右側がスマートフォンで切れます。',
  ],
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

test('words that are rare in a workspace tell more than those that all of its texts have', () => {
  const text = 'The warehouse scanner shows the courier label. The warehouse scanner shows the customs form.'
  assert.equal(titleOf(text), 'The warehouse scanner shows the courier label.')
  const rarityOf = (word: string) => (['customs', 'form'].includes(word) ? 1 : 0.1)
  assert.equal(titleOf(text, rarityOf), 'The warehouse scanner shows the customs form.')
})

test('whatever was rare, a title is among those that a text can give', () => {
  const text = `Hello!\n\nThe export fails. ${'Very long '.repeat(20)}it is.\nIt is slow. ${'x'.repeat(50_000)}`
  for (const rarityOf of [() => 1, () => 0, (word: string) => word.length % 2])
    assert.ok(titlesOf(text).includes(titleOf(text, rarityOf)))
})
