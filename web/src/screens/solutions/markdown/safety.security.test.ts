import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import type { Block } from './blocks.ts'
import './html.testing.ts'
import type { Inline } from './inline-nodes.ts'
import { parseBlocks } from './parse-blocks.ts'
import { parseInline } from './parse-inline.ts'

/** Blocks and pieces in each other at most: 16 of each, and what holds the innermost text. */
const MAX_DEPTH = 40

interface Found {
  readonly hrefs: readonly string[]
  readonly depth: number
}

const deepest = (all: readonly Found[]): Found => ({
  hrefs: all.flatMap(({ hrefs }) => hrefs),
  depth: 1 + Math.max(0, ...all.map(({ depth }) => depth)),
})

/** Where the links of a document lead, and how deep its elements are in each other. */
const lookInto = (markdown: string): Found => {
  const { blocks, definitions } = parseBlocks(markdown)
  const inPieces = (pieces: readonly Inline[]): Found =>
    deepest(
      pieces.map(piece => {
        const inner = 'children' in piece ? inPieces(piece.children) : deepest([])
        return piece.kind === 'link' ? { ...inner, hrefs: [piece.href, ...inner.hrefs] } : inner
      }),
    )
  const inText = (text: string): Found => inPieces(parseInline(text, definitions))
  const inBlocks = (all: readonly Block[]): Found =>
    deepest(
      all.map(block => {
        if (block.kind === 'quote') return inBlocks(block.blocks)
        if (block.kind === 'list') return deepest(block.items.map(item => inBlocks(item.blocks)))
        if (block.kind === 'table') return deepest([block.head, ...block.rows].flat().map(inText))
        return block.kind === 'rule' || block.kind === 'code' ? deepest([]) : inText(block.text)
      }),
    )
  return inBlocks(blocks)
}

const ADDRESSES = [
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  '&#106;avascript:alert(1)',
  '&#x6A;avascript&colon;alert(1)',
  'java&Tab;script:alert(1)',
  'java&NewLine;script:alert(1)',
  'java\\script:alert(1)',
  '\u0001javascript:alert(1)',
  '\u2028javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'blob:x',
  'view-source:x',
  '//evil.example',
  '\\\\evil.example',
  '/\\evil.example',
  '/api/app/x',
  'https:evil.example',
  '',
  '#x',
]

/** Each way in which Markdown names an address. */
const WAYS: readonly ((address: string) => string)[] = [
  address => `[x](${address})`,
  address => `[x](<${address}>)`,
  address => `[x](${address} "t")`,
  address => `![x](${address})`,
  address => `<${address}>`,
  address => `[x]\n\n[x]: ${address}`,
  address => `[x][y]\n\n[y]: <${address}> 't'`,
  address => `[![x](${address})](${address})`,
]

describe('Markdown of a stranger', () => {
  it('leads to pages, mail and screens of the app alone, however the address is written', () => {
    for (const address of ADDRESSES) {
      for (const way of WAYS) assert.deepEqual(lookInto(way(address)).hrefs, [], way(address))
    }
    assert.deepEqual(lookInto('[x](/app/board) <a@b.co> HTTPS://x [y](HTTPS://y.example)').hrefs, [
      '/app/board',
      'mailto:a@b.co',
      'HTTPS://y.example',
    ])
  })

  const PIECES = [
    '[',
    ']',
    '](',
    ')',
    '<',
    '>',
    '!',
    'javascript:',
    'data:',
    'https://',
    '&#106;',
    '&colon;',
    '\\',
    '*',
  ]
  const MORE = [
    '> ',
    '- ',
    '1. ',
    '\n',
    '[x]: ',
    '`',
    ' ',
    '//',
    '/app/',
    'a',
    '\u2028',
    '\0',
    '\t',
    '**',
    '~~',
    '|',
    '|-|\n',
  ]

  it('has no other address and no deeper element, whatever it is made of', () => {
    const texts = fc.array(fc.constantFrom(...PIECES, ...MORE), { maxLength: 60 }).map(pieces => pieces.join(''))
    fc.assert(
      fc.property(texts, text => {
        const { hrefs, depth } = lookInto(text)
        for (const href of hrefs) assert.match(href, /^(https?:\/\/|mailto:|\/app\/)/i)
        assert.ok(depth <= MAX_DEPTH)
      }),
      { numRuns: 5000 },
    )
    for (const unit of ['> ', '- ', '> - ', '1. ', '*a ', '**', '![', '[', '~~a ', '_a *b ']) {
      const closing = unit.replace('![', '](/app/x)').replace('[', '](/app/x)')
      const { depth } = lookInto(`${unit.repeat(5000)}x${closing.trimEnd().repeat(5000)}`)
      assert.ok(depth <= MAX_DEPTH, `${unit}: ${depth}`)
    }
  })
})
