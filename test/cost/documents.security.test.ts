import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { differencesOf } from '../../model/living-documents/differences.ts'
import { editDocument, sectionsOf } from '../../model/living-documents/sections.ts'
import { MAX_CHARACTERS } from '../../schemas/domain/limits.ts'
import { assertLinear } from './measure.testing.ts'
import { filled } from './units.testing.ts'

/** What a heading, a fence or an empty line is made of, and what looks like it. */
const UNITS = [
  ...[
    '#',
    '# ',
    ' #',
    '# a\n',
    '###### a\n',
    '\n',
    '\n\n',
    ' \n',
    ' ',
    '\t',
    '```\n',
    '```a\n',
    '~~~\n',
    '`',
    '~',
    '- \n',
  ],
  ...['\u2028', ' \u2028', '\u2029\n', '\u0085', '\r\n', '\r', '\0', '#\u2028', '# #', 'a'],
]

describe('The sections of a Living Document', () => {
  it('take a time by its length, whatever it is made of', async () => {
    for (const unit of UNITS) {
      for (const begin of ['', '# a\n', '# ', '```']) {
        await assertLinear(
          JSON.stringify(begin + unit),
          MAX_CHARACTERS.document,
          characters => `${begin}${filled(unit, characters - begin.length - 5)}\n# b\n`,
          text => {
            sectionsOf(text.split('\n'))
            return editDocument(text, { edit: 'append', section: undefined, markdown: text })
          },
        )
      }
    }
  })

  it('are those that a browser shows, with U+2028 in a heading too', () => {
    const sections = sectionsOf(['# One\u2028two', 'text', '## Three'])
    assert.deepEqual(
      sections.map(({ path }) => path),
      [['One\u2028two'], ['One\u2028two', 'Three']],
    )
  })
})

describe('The differences of two versions', () => {
  /** Lines of one character, of which so many more stand in the one than a shortest edit may remove. */
  const versions = (characters: number): readonly [string, string] => {
    const lines = Math.floor(characters / 2) - 2
    const text = (count: number, first: string) => `${first}\n${'a\n'.repeat(count)}${first}`
    return [text(lines, 'x'), text(lines - 490, 'y')]
  }

  it('take a time by their length, however alike their lines are', async () => {
    await assertLinear('lines that are all alike', MAX_CHARACTERS.document, versions, ([before, after]) => {
      assert.ok(differencesOf(before, after).removed > 0)
    })
  })
})
