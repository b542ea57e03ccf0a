import { HtmlRenderer, Parser } from 'commonmark'
import { parseDocument } from 'htmlparser2'
import type { Block } from './blocks.ts'
import { readNamesWith } from './characters.ts'
import type { Inline } from './inline-nodes.ts'
import { parseBlocks } from './parse-blocks.ts'
import { parseInline } from './parse-inline.ts'

/** HTML of a Markdown document, by our reader and by the reference implementation, to compare them. */

// A browser knows the names of characters; here somebody else does.
readNamesWith(name => {
  const [node] = parseDocument(`&${name};`).children
  const text = node !== undefined && 'data' in node ? String(node.data) : ''
  return text === `&${name};` ? null : text
})

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

const percentEncoded = (href: string): string =>
  escaped(encodeURI(href.toWellFormed()).replace(/%25(?=[0-9a-f]{2})/gi, '%'))

const wordsOf = (pieces: readonly Inline[]): string =>
  pieces
    .map(piece => ('children' in piece ? wordsOf(piece.children) : piece.kind === 'break' ? '\n' : piece.text))
    .join('')

const TAGS = { strong: 'strong', emphasis: 'em', struck: 'del' } as const

const inlineHtml = (pieces: readonly Inline[]): string =>
  pieces
    .map(piece => {
      if (piece.kind === 'break') return '<br />\n'
      if (piece.kind === 'code') return `<code>${escaped(piece.text)}</code>`
      if ('text' in piece) return escaped(piece.text)
      if (piece.kind !== 'link') return `<${TAGS[piece.kind]}>${inlineHtml(piece.children)}</${TAGS[piece.kind]}>`
      const title = piece.title === null ? '' : ` title="${escaped(piece.title)}"`
      const address = percentEncoded(piece.href)
      return piece.isImage
        ? `<img src="${address}" alt="${escaped(wordsOf(piece.children))}"${title} />`
        : `<a href="${address}"${title}>${inlineHtml(piece.children)}</a>`
    })
    .join('')

/** As our reader has it, where every address is allowed. */
export const htmlOf = (markdown: string): string => {
  const { blocks, definitions } = parseBlocks(markdown)
  const inline = (text: string): string => inlineHtml(parseInline(text, definitions, () => true))
  const blocksHtml = (all: readonly Block[], isTight = false): string =>
    all
      .map((block, place) => {
        if (block.kind === 'rule') return '<hr />\n'
        if (block.kind === 'heading') return `<h${block.level}>${inline(block.text)}</h${block.level}>\n`
        if (block.kind === 'code') return `<pre><code>${escaped(block.text)}${block.text && '\n'}</code></pre>\n`
        if (block.kind === 'quote') return `<blockquote>\n${blocksHtml(block.blocks)}</blockquote>\n`
        if (block.kind === 'table') return [block.head, ...block.rows].flat().map(inline).join('|')
        if (block.kind === 'list') {
          const tag = block.start === null ? 'ul' : 'ol'
          const start = (block.start ?? 1) === 1 ? '' : ` start="${block.start}"`
          const items = block.items.map(({ blocks: inner }) => {
            const isApart = inner.length > 0 && !(block.isTight && inner[0]?.kind === 'paragraph')
            return `<li>${isApart ? '\n' : ''}${blocksHtml(inner, block.isTight)}</li>\n`
          })
          return `<${tag}${start}>\n${items.join('')}</${tag}>\n`
        }
        const words = inline(block.text)
        if (!isTight) return `<p>${words}</p>\n`
        return place < all.length - 1 ? `${words}\n` : words
      })
      .join('')
  return blocksHtml(blocks)
}

const reference = new Parser()
// HTML is text here: without what reads it.
reference.blockStarts = reference.blockStarts.filter(start => !String(start).includes('html_block'))
reference.inlineParser.parseHtmlTag = () => false
const renderer = new HtmlRenderer()

/** As the reference implementation has it, with HTML as text. */
export const referenceHtmlOf = (markdown: string): string => renderer.render(reference.parse(markdown))
