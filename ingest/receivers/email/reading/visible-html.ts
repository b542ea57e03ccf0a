import { compile, type Formatter } from 'html-to-text'
import { Parser } from 'htmlparser2'
import { attributeColour } from './colour.ts'
import { type Declarations, readDeclarations, readRules } from './css.ts'
import { createMatcher } from './matcher.ts'
import { INDENT_MARK, MARKS, SIGNATURE_MARK } from './quoted-lines.ts'
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
/** Elements whose content is not the mail's text. */
const NO_TEXT = new Set([
  ...['style', 'script', 'template', 'title', 'noscript', 'noembed', 'noframes', 'frameset', 'object', 'applet', 'svg'],
  ...['math', 'iframe', 'audio', 'video', 'canvas', 'select', 'datalist', 'option', 'meter', 'progress', 'rp'],
])

/**
 * Limit of the depth: the parser's time for a tag grows with its depth. No person's mail nests so many open elements.
 */
const MAX_DEPTH = 1_000

type Attributes = Readonly<Record<string, string>>

/** Classes of quotes other than a blockquote, and of the lines above quotes. */
const QUOTED: readonly string[] = ['gmail_attr', 'moz-cite-prefix', 'yahoo_quoted', 'protonmail_quote']
/** Elements whose lines get a prefix, once for each surrounding element. */
const INDENTED = new Set(['blockquote', 'ul', 'ol', 'li'])
/** Limit of nested prefixes. */
const MAX_INDENTED = 8
/** Classes and ids of signatures that programs add below each mail. */
const SIGNATURES: readonly string[] = ['gmail_signature', 'moz-signature', 'protonmail_signature_block']
const SIGNATURE_IDS: readonly string[] = ['Signature', 'ms-outlook-mobile-signature']

/** Signs by which programs mark a blockquote as a quote. Without one it is only an indented paragraph. */
const CITES = /quote|cite/i
const BORDER = /border[^;]{0,60}(?:solid|dashed|dotted|double|groove|ridge)/i

const isOnlyIndented = (name: string, { type, cite, class: classes = '', id = '', style = '' }: Attributes): boolean =>
  name === 'blockquote' &&
  type !== 'cite' &&
  cite === undefined &&
  !CITES.test(`${classes} ${id}`) &&
  !BORDER.test(style)

/** Deeper elements are written flat: html-to-text leaves out what is inside of 400 elements. */
const MAX_WRITTEN_DEPTH = 300
/** Elements that start no line. */
const INLINE = new Set([
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'big', 'cite', 'code', 'del', 'em', 'font', 'i', 'ins', 'kbd', 'mark', 'q', 's'],
  ...['samp', 'small', 'span', 'strike', 'strong', 'sub', 'sup', 'time', 'tt', 'u', 'var', 'wbr', 'img'],
])

/** True when a declaration gives an inline element lines of its own. */
const beginsLine = ([property, value]: Declarations[number]): boolean =>
  property === 'display' && /^(?:block|flex|grid|table|list-item|flow-root)/.test(value)

/**
 * A mail's HTML without text that a person does not see: too small, transparent, in the background's colour, off
 * screen, hidden by an attribute, a style or a rule, or in a comment. The rest is unchanged except for styles. Linear
 * in the length.
 */
const visibleHtml = (html: string): { readonly seen: string; readonly shortened: boolean } => {
  const matcher = createMatcher(readRules(sheetOf(html)))
  const open: { indents: boolean; style: TextStyle; written: string; elements: number }[] = []
  const outside = { elements: 0 }
  let indented = 0
  let seen = ''
  let shortened = false
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
      const isDeep = open.length >= MAX_WRITTEN_DEPTH
      const isLine = isPlain || (INLINE.has(name) && declared.some(beginsLine))
      const written = isDeep ? '' : isLine ? 'div' : isOnlyIndented(name, attributes) ? 'indented' : name
      open.push({ indents, style: isHidden ? { ...style, hidden: true } : style, written, elements: 0 })
      if (!isHidden && isDeep) seen += INLINE.has(name) && !isLine ? '' : '<br>'
      else if (!isHidden) seen += isPlain ? '<div>' : `<${written}${kept(attributes)}>`
      if (open.length > MAX_DEPTH) {
        shortened = true
        parser.pause()
      }
    },
    ontext: text => {
      if (isVisible(open.at(-1)?.style ?? DEFAULT_STYLE)) seen += escaped(text)
      // Hidden blanks keep words apart.
      else if (/\s/.test(text)) seen += ' '
    },
    onclosetag: name => {
      const closed = open.pop()
      if (closed === undefined) return
      matcher.close()
      if (closed.indents) indented -= 1
      const isWritten = !closed.style.hidden && closed.written !== '' && !WITHOUT_CONTENT.has(name)
      if (isWritten) seen += `</${closed.written}>`
    },
  })
  parser.end(html)
  return { seen, shortened }
}

const MARKED = [...QUOTED, ...SIGNATURES]

const isIndented = ({ name, classes, attributes }: Element): boolean =>
  INDENTED.has(name) || MARKED.some(marked => classes.has(marked)) || SIGNATURE_IDS.includes(attributes.id ?? '')

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

/** The declarations of old HTML's attributes, then those of the style. A link is blue by default. */
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

/** Styles were applied already, and list attributes would lengthen the text as the mail demands. */
const NOT_KEPT = new Set(['style', 'hidden', 'start', 'type'])

const kept = (attributes: Attributes): string =>
  Object.entries(attributes)
    .filter(([name]) => !NOT_KEPT.has(name) && /^[a-z][\w-]*$/.test(name))
    .map(([name, value]) => ` ${name}="${escaped(value)}"`)
    .join('')

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;')

/**
 * Limit of characters: longer HTML is a newsletter with embedded pictures, and a person's text stands at the beginning.
 */
const MAX_HTML_LENGTH = 400_000
/** A thread of fifty answers has some hundred levels. */
const MAX_CONVERTED_DEPTH = 400
const MAX_CHILDREN = 20_000
/** Limit of tags of any kind: nesting costs more than their number. */
const MAX_TAGS = 10_000

/** Block elements that the converter does not know. */
const BLOCKS = [
  ...['address', 'center', 'dd', 'details', 'dialog', 'dl', 'dt', 'fieldset', 'figcaption', 'figure', 'hgroup'],
  ...['legend', 'listing', 'search', 'summary', 'xmp'],
]
const ONE_BREAK = { leadingLineBreaks: 1, trailingLineBreaks: 1 }
const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6']

const marked =
  (mark: string): Formatter =>
  (element, walk, builder) => {
    builder.openBlock({ leadingLineBreaks: 1 })
    walk(element.children, builder)
    const transform = (text: string) =>
      text
        .split('\n')
        .map(line => (line.startsWith(mark) ? line : `${mark}${line}`))
        .join('\n')
    builder.closeBlock({ trailingLineBreaks: 1, blockTransform: transform })
  }

const convert = compile({
  wordwrap: false,
  baseElements: { selectors: [] },
  limits: { maxDepth: MAX_CONVERTED_DEPTH, maxChildNodes: MAX_CHILDREN, ellipsis: '' },
  formatters: {
    signature: marked(SIGNATURE_MARK),
    indented: marked(INDENT_MARK),
  },
  selectors: [
    { selector: 'a', options: { ignoreHref: true } },
    ...HEADINGS.map(selector => ({ selector, options: { uppercase: false } })),
    ...['td', 'th'].map(selector => ({ selector, format: 'block' })),
    ...BLOCKS.map(selector => ({ selector, format: 'block', options: ONE_BREAK })),
    ...['dir', 'menu'].map(selector => ({ selector, format: 'unorderedList' })),
    ...['head', 'img'].map(selector => ({ selector, format: 'skip' })),
    { selector: 'indented', format: 'indented' },
    { selector: 'hr', format: 'lineBreak' },
    ...[...SIGNATURES.map(name => `.${name}`), ...SIGNATURE_IDS.map(id => `#${id}`)].map(selector => ({
      selector,
      format: 'signature',
    })),
    ...QUOTED.map(name => ({ selector: `.${name}`, format: 'blockquote', options: { leadingLineBreaks: 2 } })),
  ],
})

interface HtmlReader {
  /**
   * The visible text of HTML: quotes are marked with `>`, signatures with `SIGNATURE_MARK`; pictures, link targets and
   * hidden text are left out.
   */
  read(html: string): string
  /** True when part of the HTML exceeded the limits. */
  shortened(): boolean
}

/** One reader for a mail: the limits count for all its HTML together. */
export const createHtmlReader = (): HtmlReader => {
  let characters = MAX_HTML_LENGTH
  let tags = MAX_TAGS
  let shortened = false
  return {
    read: html => {
      const part = withinBounds(html, characters, tags)
      characters -= part.text.length
      tags -= part.tags
      const { seen, shortened: isShortened } = visibleHtml(part.text.replace(MARKS, ''))
      shortened ||= isShortened || part.text.length < html.length
      return convert(seen)
    },
    shortened: () => shortened,
  }
}

export const htmlText = (html: string): string => createHtmlReader().read(html)

/** The longest beginning within the limits of characters and tags. */
const withinBounds = (html: string, characters: number, tags: number) => {
  let at = -1
  for (let tag = 0; tag <= tags; tag += 1) {
    at = html.indexOf('<', at + 1)
    if (at === -1 || at > characters) return { text: html.slice(0, characters), tags: tag }
  }
  return { text: html.slice(0, at), tags }
}
