import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Block } from './blocks.ts'
import type { Inline } from './inline-nodes.ts'
import { parseBlocks } from './parse-blocks.ts'
import { parseInline } from './parse-inline.ts'
import { toggleTask } from './toggle-task.ts'

/** Pieces as a short notation, for tests to read. */
const shown = (pieces: readonly Inline[]): string =>
  pieces
    .map(piece => {
      if (piece.kind === 'break') return '{break}'
      if ('text' in piece) return piece.kind === 'text' ? piece.text : `{${piece.kind} ${piece.text}}`
      return `{${piece.kind}${piece.kind === 'link' ? ` ${piece.href}` : ''}: ${shown(piece.children)}}`
    })
    .join('')

const blocksOf = (markdown: string): readonly Block[] => parseBlocks(markdown).blocks

const kinds = (blocks: readonly Block[]): string => blocks.map(({ kind }) => kind).join(' ')

describe('parseInline', () => {
  for (const [text, expected] of [
    ['a **b *c* d** `e*f`', 'a {strong: b {emphasis: c} d} {code e*f}'],
    ['snake_case_name and _this_', 'snake_case_name and {emphasis: this}'],
    ['~~no~~ 2 * 3 * 4', '{struck: no} 2 * 3 * 4'],
    ['[docs](https://example.com/a "title")', '{link https://example.com/a: docs}'],
    ['see https://example.com/a.', 'see {link https://example.com/a: https://example.com/a}.'],
    ['answers CLM-3, not XCLM-3', 'answers {reference CLM-3}, not XCLM-3'],
    ['\\*plain\\* and `open', '*plain* and `open'],
  ] as const) {
    it(`reads ${text}`, () => assert.equal(shown(parseInline(text)), expected))
  }

  it('makes no link of what is not a page, and no element of HTML', () => {
    const hostile = '[x](javascript:alert(1)) ![y](data:text/html,z) <img src=x onerror=alert(1)>'
    assert.equal(shown(parseInline(hostile)), hostile)
    assert.equal(shown(parseInline('[x](//evil.example) [y](/app/board)')), '[x](//evil.example) {link /app/board: y}')
  })

  it('keeps every character of what nothing closes, however much of it there is', () => {
    for (const piece of ['**a', '[', '`x ``', '_a', '<h', '![](']) {
      const text = piece.repeat(Math.floor(100_000 / piece.length))
      const characters = parseInline(text).reduce((sum, one) => sum + ('text' in one ? one.text.length : 1), 0)
      assert.ok(characters > 0, piece)
    }
  })
})

describe('parseBlocks', () => {
  it('reads the kinds of blocks', () => {
    const markdown =
      '# Plan #\n\nOne\nand on\n\n> quoted\n\n---\n\n```sh\n# no heading\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |'
    const blocks = blocksOf(markdown)
    assert.equal(kinds(blocks), 'heading paragraph quote rule code table')
    assert.deepEqual(blocks[0], { kind: 'heading', level: 1, text: 'Plan' })
    assert.deepEqual(blocks[1], { kind: 'paragraph', text: 'One\nand on' })
    assert.deepEqual(blocks[4], { kind: 'code', text: '# no heading' })
    assert.deepEqual(blocks[5], { kind: 'table', head: ['a', 'b'], rows: [['1', '2']] })
  })

  it('reads lists in lists, numbers and tasks', () => {
    const [list] = blocksOf('3. one\n   - inner\n   - other\n4. two\n\n5. three')
    assert.ok(list?.kind === 'list')
    assert.equal(list.start, 3)
    assert.deepEqual(
      list.items.map(({ blocks }) => kinds(blocks)),
      ['paragraph list', 'paragraph', 'paragraph'],
    )
    const [tasks] = blocksOf('- [x] done\n- [ ] not\n- plain')
    assert.ok(tasks?.kind === 'list')
    assert.deepEqual(
      tasks.items.map(({ done }) => done),
      [true, false, null],
    )
  })

  it('ticks the task of a line, wherever it is in lists and quotes', () => {
    const text = 'a\n\n- [ ] one\n  - [x] two\n\n> 1. [ ] three'
    const lines = [2, 3, 5]
    const found: number[] = []
    const look = (blocks: readonly Block[]): void => {
      for (const block of blocks) {
        if (block.kind === 'quote') look(block.blocks)
        if (block.kind !== 'list') continue
        for (const { done, line, blocks: inner } of block.items) {
          if (done !== null) found.push(line)
          look(inner)
        }
      }
    }
    look(blocksOf(text))
    assert.deepEqual(found, lines)
    assert.equal(lines.reduce(toggleTask, text), 'a\n\n- [x] one\n  - [ ] two\n\n> 1. [x] three')
  })

  it('takes HTML for text, and ends what is never closed at the end', () => {
    assert.deepEqual(blocksOf('<script>alert(1)</script>'), [{ kind: 'paragraph', text: '<script>alert(1)</script>' }])
    assert.deepEqual(blocksOf('~~~\nopen'), [{ kind: 'code', text: 'open' }])
    assert.equal(kinds(blocksOf(`${'>'.repeat(2000)} deep`)), 'quote')
    assert.deepEqual(blocksOf(''), [])
  })

  it('reads a long document of every kind of line', () => {
    for (const line of ['- item\n', '> q\n', '# h\n', '| a |\n', '```\n', '  \n', '-'.repeat(50), '- '.repeat(50)]) {
      assert.ok(Array.isArray(blocksOf(line.repeat(Math.floor(100_000 / line.length)))), line)
    }
  })
})
