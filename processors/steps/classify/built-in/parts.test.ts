import assert from 'node:assert/strict'
import { test } from 'node:test'
import { kindNamed } from './forms.ts'
import { partsOf } from './parts.ts'

const signs = (text: string) => [...partsOf(text).signs].toSorted()

test('the first line is the title where more follows it', () => {
  assert.deepEqual(
    ['Export fails\n\nIt stops.', 'Export fails\nIt stops.', 'Export fails'].map(text => partsOf(text).title),
    ['Export fails', 'Export fails', ''],
  )
  assert.equal(partsOf('Re: Export fails\n\nIt stops.').title, 'Export fails')
  assert.equal(partsOf(`${'A long first paragraph. '.repeat(10)}\n\nMore`).title, '')
})

for (const [title, sign, rest] of [
  ['[Bug] Lists on phones', 'prefix_problem', 'Lists on phones'],
  ['【不具合】一覧の表示', 'prefix_problem', '一覧の表示'],
  ['feat: lists on phones', 'prefix_idea', 'lists on phones'],
  ['fix(lists): order', 'prefix_problem', 'order'],
  ['Feature request: lists', 'prefix_idea', 'lists'],
  ['The question of lists on phones: order', null, 'The question of lists on phones: order'],
  ['Q: lists', 'prefix_question', 'lists'],
  ['Lists: order', null, 'Lists: order'],
] as const) {
  test(`the prefix of "${title}" ${sign === null ? 'names no kind' : `is ${sign}`}`, () => {
    const parts = partsOf(`${title}\n\nBody`)
    assert.deepEqual([parts.title, [...parts.signs]], [rest, sign === null ? [] : [sign]])
  })
}

for (const [what, text, expected] of [
  ['a label with its value', 'Title\n\nIssue Type: Bug', ['declared_problem']],
  ['a label whose value is bold', 'Title\n\nType: <b>Feature Request</b>', ['declared_idea']],
  ['a heading, and the next line', 'Title\n\n### Issue type\n\nSupport\n', ['declared_question']],
  ['a box that is ticked', 'Title\n\n- [ ] bug report\n- [x] feature request', ['declared_idea', 'task_list']],
  ['a box that says it is not', "Title\n\n- [x] I report the issue, it's not a question", ['task_list']],
  ['a type that is no kind', 'Title\n\nType: string', []],
] as const) {
  test(`${what} declares ${expected[0] ?? 'nothing'}`, () => assert.deepEqual(signs(text), expected))
}

test('what a template asks is no word of the writer; what is answered is', () => {
  const { body, signs: found } = partsOf(
    'Rows\n\n**Describe the bug**\nTwo are lost.\n\n**Expected behavior**\nAll.\n\nVersion: 1.2\n<!-- Did it fail? -->',
  )
  assert.equal(body.trim(), 'Two are lost.\nAll.')
  assert.deepEqual([...found].toSorted(), ['form_environment', 'form_expected', 'form_fault', 'template'])
})

test('code, logs and quotes are no words of the writer, unless there are no others', () => {
  const text =
    'Rows\n\nIn short.\n```\nthrow new Error("fails")\n```\n> It crashed.\n2026-01-02T10:00 ERROR no\n{code}\nx\n{code}\nEnd.'
  const { body, signs: found } = partsOf(text)
  assert.equal(body, 'In short.\nEnd.')
  assert.deepEqual([...found].toSorted(), ['code_block', 'log', 'quote'])
  assert.match(partsOf('```\nTypeError: x is undefined\n```').body, /TypeError/)
})

test('a name says its kind, a sentence does not', () => {
  assert.deepEqual(
    ['Bug report', 'Improvement', 'support request', 'Fehler', 'not a bug', 'We had a problem with that last week'].map(
      kindNamed,
    ),
    ['problem', 'idea', 'question', 'problem', null, null],
  )
})

test('what is behind 4,000 characters is not looked at', () => {
  const long = `Title\n\n${'word '.repeat(1_000)}`
  assert.deepEqual(partsOf(`${long}\n\nType: Bug`), partsOf(long))
})
