import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { differencesOf } from './differences.ts'
import { type Edit, editDocument, sectionsOf } from './sections.ts'

const DOCUMENT = `Before all.

# Plan
Why.

## Rollout
Slowly.

### Canary
One percent.

## Risks ##
\`\`\`sh
# not a heading
\`\`\`

# Notes
None.`

const edited = (edit: Partial<Edit> & Pick<Edit, 'edit'>): string =>
  editDocument(DOCUMENT, { section: undefined, markdown: undefined, ...edit })

test('sections are what headings begin, with the headings above them; none is found in fenced code', () => {
  const lines = DOCUMENT.split('\n')
  assert.deepEqual(
    sectionsOf(lines).map(({ path, start, ownEnd, end }) => [path.join(' / '), start, ownEnd, end]),
    [
      ['Plan', 2, 5, 16],
      ['Plan / Rollout', 5, 8, 11],
      ['Plan / Rollout / Canary', 8, 11, 11],
      ['Plan / Risks', 11, 16, 16],
      ['Notes', 16, 18, 18],
    ],
  )
  assert.deepEqual(sectionsOf(['#no heading', '    # code', '####### seven', 'Under', '=====']), [])
  assert.deepEqual(
    sectionsOf(['### Deep first', '# Then', '~~~', '```', '# in', '~~~~', '#', '# A # b #']).map(({ path }) => path),
    [['Deep first'], ['Then'], [''], ['A # b']],
  )
})

for (const [what, edit, expected] of [
  ['replaces the whole', { edit: 'replace', markdown: '\r\nAll new.\r\n' }, 'All new.'],
  ['appends to the whole', { edit: 'append', markdown: 'End.' }, `${DOCUMENT}\n\nEnd.`],
  ['inserts before the whole', { edit: 'insert', markdown: 'Start.' }, `Start.\n\n${DOCUMENT}`],
  [
    'keeps the heading of a section whose text is replaced',
    { edit: 'replace', section: ['plan', 'ROLLOUT'], markdown: 'At once.' },
    DOCUMENT.replace('## Rollout\nSlowly.\n\n### Canary\nOne percent.', '## Rollout\n\nAt once.'),
  ],
  [
    'replaces a section with its heading',
    { edit: 'replace', section: ['Risks'], markdown: '## Dangers\nFew.' },
    DOCUMENT.replace(/## Risks.*?\n```\n/s, '## Dangers\nFew.\n'),
  ],
  [
    'appends text to the section’s own',
    { edit: 'append', section: ['Rollout'], markdown: 'Very.' },
    DOCUMENT.replace('Slowly.\n', 'Slowly.\n\nVery.\n'),
  ],
  [
    'appends a subsection at the end of the section',
    { edit: 'append', section: ['Rollout'], markdown: '### Everybody\nAll.' },
    DOCUMENT.replace('One percent.\n', 'One percent.\n\n### Everybody\nAll.\n'),
  ],
  [
    'inserts a section after the one named',
    { edit: 'insert', section: ['Rollout'], markdown: '## Costs\nNone.' },
    DOCUMENT.replace('## Risks', '## Costs\nNone.\n\n## Risks'),
  ],
  ['deletes a section with what is in it', { edit: 'delete', section: ['Plan'] }, 'Before all.\n\n# Notes\nNone.'],
] as const) {
  test(`an edit ${what}`, () => assert.equal(edited(edit), expected))
}

const refusedAs = (code: string, candidates: readonly string[]) => (error: unknown) => {
  assert.ok(isAssayError(error))
  const paths = (error.context.candidates ?? []) as readonly string[][]
  assert.deepEqual([error.code, paths.map(path => path.join(' / '))], [code, candidates])
  return true
}

test('a section that is not there, or there twice, is refused with the sections that may be meant', () => {
  assert.throws(
    () => edited({ edit: 'delete', section: ['Rollouts'] }),
    error => isAssayError(error) && error.code === 'not_found',
  )
  const twice = '# A\n## Same\n# B\n## Same\n# Same'
  const change = (section: string[]) => editDocument(twice, { edit: 'append', section, markdown: 'x' })
  assert.equal(change(['Same']), `${twice}\n\nx`)
  assert.equal(change(['B', 'Same']), '# A\n## Same\n# B\n## Same\n\nx\n\n# Same')
  const document = '# A\n## Same\n# B\n## Same'
  assert.throws(
    () => editDocument(document, { edit: 'delete', section: ['Same'], markdown: undefined }),
    refusedAs('ambiguous', ['A / Same', 'B / Same']),
  )
})

test('an edit that lacks its text or its section, or has too much, says which', () => {
  const refusals: [Partial<Edit> & Pick<Edit, 'edit'>, string][] = [
    [{ edit: 'delete' }, '/section'],
    [{ edit: 'delete', section: ['Plan'], markdown: 'x' }, '/markdown'],
    [{ edit: 'append' }, '/markdown'],
    [{ edit: 'insert', section: ['Plan'], markdown: 'no heading' }, '/markdown'],
  ]
  for (const [edit, pointer] of refusals) {
    assert.throws(
      () => edited(edit),
      error => isAssayError(error) && error.violations[0]?.pointer === pointer,
    )
  }
})

test('differences are told with the lines around them', () => {
  const before = Array.from({ length: 12 }, (_, place) => `line ${place + 1}`)
  const after = before.with(1, 'changed').toSpliced(9, 1)
  assert.deepEqual(differencesOf(before.join('\n'), after.join('\n')), {
    added: 1,
    removed: 2,
    text: `@@ -1,5 +1,5 @@
 line 1
-line 2
+changed
 line 3
 line 4
 line 5
@@ -7,6 +7,5 @@
 line 7
 line 8
 line 9
-line 10
 line 11
 line 12`,
  })
  assert.deepEqual(differencesOf('same', 'same'), { added: 0, removed: 0, text: '' })
  // The first version of a document takes nothing away, and adds each of its lines.
  for (const first of ['# Export', '# Export\n\nOne.']) {
    const lines = first.split('\n').length
    const [there, gone] = [differencesOf('', first), differencesOf(first, '')]
    assert.deepEqual([there.added, there.removed, gone.added, gone.removed], [lines, 0, 0, lines])
  }
})

/** The new text, made of the old one and the hunks alone. */
const patched = (before: string, hunks: string): string => {
  const old = before === '' ? [] : before.split('\n')
  const made: string[] = []
  let at = 0
  for (const line of hunks === '' ? [] : hunks.split('\n')) {
    const [, from, count] = /^@@ -(\d+),(\d+) /.exec(line) ?? []
    if (from !== undefined) {
      const start = Number(from) - 1
      made.push(...old.slice(at, start))
      at = start
      assert.ok(start + Number(count) <= old.length)
    } else {
      if (!line.startsWith('+')) {
        assert.equal(old[at], line.slice(1))
        at += 1
      }
      if (!line.startsWith('-')) made.push(line.slice(1))
    }
  }
  return [...made, ...old.slice(at)].join('\n')
}

test('the old text and the differences make the new one, for any two texts', () => {
  const text = fc.array(fc.constantFrom('a', 'b', 'c', ''), { maxLength: 24 }).map(lines => lines.join('\n'))
  fc.assert(
    fc.property(text, text, (before, after) => {
      const { added, removed, text: hunks } = differencesOf(before, after)
      assert.equal(patched(before, hunks), after)
      const marked = (mark: string) => hunks.split('\n').filter(line => line.startsWith(mark)).length
      assert.deepEqual([marked('+'), marked('-')], [added, removed])
    }),
  )
})

test('texts with more changes than are worth telling apart are told as one replaced by the other', () => {
  const many = (mark: string) => Array.from({ length: 400 }, (_, place) => `${mark}${place}`).join('\n')
  const { added, removed } = differencesOf(many('a'), many('b'))
  assert.deepEqual([added, removed], [400, 400])
})
