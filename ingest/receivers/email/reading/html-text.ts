import { compile } from 'html-to-text'
import { visibleHtml } from './visible-html.ts'

/** More is a newsletter with its pictures inside: what somebody wrote stands at the beginning. */
const MAX_HTML_LENGTH = 400_000
/** A thread of fifty answers is some hundred levels deep. */
const MAX_DEPTH = 400
const MAX_CHILDREN = 20_000
/** Opened, closed or empty: nesting them costs more than their number. */
const MAX_TAGS = 10_000

/** Where programs put what they quote, apart from a blockquote, and the lines above it. */
const QUOTED = ['.gmail_attr', '.moz-cite-prefix', '.yahoo_quoted', '.protonmail_quote']
const SIGNATURES = [
  '.gmail_signature',
  '.moz-signature',
  '.protonmail_signature_block',
  '#Signature',
  '#ms-outlook-mobile-signature',
]
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const convert = compile({
  wordwrap: false,
  baseElements: { selectors: [] },
  limits: { maxDepth: MAX_DEPTH, maxChildNodes: MAX_CHILDREN, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    ...HEADINGS.map(selector => ({ selector, options: { uppercase: false } })),
    ...['td', 'th'].map(selector => ({ selector, format: 'block' })),
    ...['head', 'img', 'hr', ...SIGNATURES].map(selector => ({ selector, format: 'skip' })),
    ...QUOTED.map(selector => ({ selector, format: 'blockquote', options: { leadingLineBreaks: 2 } })),
  ],
})

/** What a person sees of a mail's HTML, as text: quotes marked with `>`, without pictures, links' targets, signatures and hidden text. */
export const htmlText = (html: string): string => convert(visibleHtml(html.slice(0, beyondTags(html))))

/** Where the part of the HTML ends that is read. */
const beyondTags = (html: string): number => {
  let at = -1
  for (let tag = 0; tag <= MAX_TAGS; tag += 1) {
    at = html.indexOf('<', at + 1)
    if (at === -1 || at > MAX_HTML_LENGTH) return MAX_HTML_LENGTH
  }
  return at
}
