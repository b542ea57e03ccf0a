import { compile } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { attributeColour } from './colour.ts'
import { type Declarations, readDeclarations, readRules } from './css.ts'
import { createMatcher } from './matcher.ts'
import type { Element } from './selectors.ts'
import { DEFAULT_STYLE, isVisible, styleInside, type TextStyle } from './text-style.ts'

const WITHOUT_CONTENT = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'wbr',
])
/** What they hold is no text of the mail. */
const NO_TEXT = new Set([
  ...['style', 'script', 'template', 'title', 'noscript', 'noembed', 'noframes', 'frameset', 'object', 'applet', 'svg'],
  ...['math', 'iframe', 'audio', 'video', 'canvas', 'select', 'datalist', 'option', 'meter', 'progress', 'rp'],
])

/**
 * The parser's time for a tag grows with how deep it is. What is inside of so many elements, none of them closed, was
 * written by nobody.
 */
const MAX_DEPTH = 1_000

type Attributes = Readonly<Record<string, string>>

/** Where programs put what they quote, apart from a blockquote, and the lines above it. */
const QUOTED: readonly string[] = ['gmail_attr', 'moz-cite-prefix', 'yahoo_quoted', 'protonmail_quote']
/** What stands before each line inside of them is written again for each of them that is around it. */
const INDENTED = new Set(['blockquote', 'ul', 'ol', 'li'])
/** What is inside of more of them is quoted or listed all the same. */
const MAX_INDENTED = 8

/**
 * A mail's HTML without the text that a person does not see: of no size, transparent, of the background's colour,
 * outside of the screen, hidden by an attribute, a style or a rule of its style sheets, in a comment. What can be seen
 * stays as it is, but for its styles. Linear in the length.
 */
const visibleHtml = (html: string): string => {
  const matcher = createMatcher(readRules(sheetOf(html)))
  const open: { element: Element; style: TextStyle; written: string; elements: number }[] = []
  const outside = { elements: 0 }
  let indented = 0
  let seen = ''
  const parser = new Parser({
    onopentag: (name, attributes) => {
      const parent = open.at(-1)
      const siblings = parent ?? outside
      siblings.elements += 1
      const element = elementOf(name, attributes, siblings.elements)
      const declared = [...matcher.open(element), ...ofAttributes(name, attributes)]
      const outer = parent?.style ?? DEFAULT_STYLE
      const style = styleInside(outer, declared)
      const isHidden = style.hidden || NO_TEXT.has(name)
      const indents = isIndented(element)
      if (indents) indented += 1
      const isPlain = indents && indented > MAX_INDENTED
      const written = isPlain ? 'div' : name
      open.push({ element, style: isHidden ? { ...style, hidden: true } : style, written, elements: 0 })
      if (!isHidden) seen += isPlain ? '<div>' : `<${name}${kept(attributes)}>`
      if (open.length > MAX_DEPTH) parser.pause()
    },
    ontext: text => {
      if (isVisible(open.at(-1)?.style ?? DEFAULT_STYLE)) seen += escaped(text)
      // Words stay apart.
      else if (/\s/.test(text)) seen += ' '
    },
    onclosetag: name => {
      const closed = open.pop()
      if (closed === undefined) return
      matcher.close()
      if (isIndented(closed.element)) indented -= 1
      if (!closed.style.hidden && !WITHOUT_CONTENT.has(name)) seen += `</${closed.written}>`
    },
  })
  parser.end(html)
  return seen
}

const isIndented = ({ name, classes }: Element): boolean =>
  INDENTED.has(name) || QUOTED.some(quoted => classes.has(quoted))

const sheetOf = (html: string): string => {
  const sheets: string[] = []
  if (!/<style/i.test(html)) return ''
  let inside = false
  let depth = 0
  const parser = new Parser({
    onopentagname: name => {
      inside = name === 'style'
      depth += 1
      if (depth > MAX_DEPTH) parser.pause()
    },
    ontext: text => {
      if (inside) sheets.push(text)
    },
    onclosetag: () => {
      inside = false
      depth -= 1
    },
  })
  parser.end(html)
  return sheets.join('')
}

const elementOf = (name: string, attributes: Attributes, place: number): Element => ({
  name,
  classes: new Set((attributes.class ?? '').toLowerCase().split(/\s+/)),
  attributes,
  place,
})

/** What attributes declare: those of old HTML, then the style. A link that says nothing is blue. */
const ofAttributes = (name: string, attributes: Attributes): Declarations => {
  const old = (property: string, value: string | undefined): Declarations =>
    value === undefined ? [] : [[property, attributeColour(value), false]]
  return [
    ...(name === 'a' ? old('color', '#0000ee') : []),
    ...(attributes.hidden === undefined && (name !== 'dialog' || attributes.open !== undefined)
      ? []
      : old('display', 'none')),
    ...old('color', name === 'body' ? attributes.text : /^(?:base)?font$/.test(name) ? attributes.color : undefined),
    ...(name === 'font' && attributes.size === '0' ? old('font-size', '0') : []),
    ...old('background-color', attributes.bgcolor),
    ...old('background-image', attributes.background && 'url()'),
    ...readDeclarations(attributes.style ?? ''),
  ]
}

/** A style is undone by then, and how a list is numbered is before each of its lines, as long as the mail wants. */
const NOT_KEPT = new Set(['style', 'hidden', 'start', 'type'])

const kept = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([name]) => !NOT_KEPT.has(name) && /^[a-z][\w-]*$/.test(name))
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/** More is a newsletter with its pictures inside: what somebody wrote stands at the beginning. */
const MAX_HTML_LENGTH = 400_000
/** A thread of fifty answers is some hundred levels deep. */
const MAX_CONVERTED_DEPTH = 400
const MAX_CHILDREN = 20_000
/** Opened, closed or empty: nesting them costs more than their number. */
const MAX_TAGS = 10_000

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
  limits: { maxDepth: MAX_CONVERTED_DEPTH, maxChildNodes: MAX_CHILDREN, ellipsis: '' },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    ...HEADINGS.map(selector => ({ selector, options: { uppercase: false } })),
    ...['td', 'th'].map(selector => ({ selector, format: 'block' })),
    ...['head', 'img', 'hr', ...SIGNATURES].map(selector => ({ selector, format: 'skip' })),
    ...QUOTED.map(name => ({ selector: `.${name}`, format: 'blockquote', options: { leadingLineBreaks: 2 } })),
  ],
})

/**
 * What a person sees of a mail's HTML, as text: quotes marked with `>`, without pictures, links' targets, signatures
 * and hidden text.
 */
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
