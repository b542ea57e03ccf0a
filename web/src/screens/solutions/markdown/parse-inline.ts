import { type Address, addressAt, autolinkAt } from './addresses.ts'
import { Backticks } from './backticks.ts'
import { type Bracket, targetBehind } from './brackets.ts'
import { entityAt, isPunctuation } from './characters.ts'
import type { Definitions } from './definitions.ts'
import { flanksOf, MarkStack } from './emphasis.ts'
import { Chain, type Inline, type Node } from './inline-nodes.ts'

/** Where a link may lead: to pages and mail, never to scripts. Anything else stays text. */
const isSafe = (href: string): boolean => /^(https?:\/\/|mailto:|\/app\/)/i.test(href)

const NO_DEFINITIONS: Definitions = new Map()

const PLAIN = /[^\\`*_~[\]!<&\nhSCDT]+/y
const MARKS = /\*+|_+|~+/y
const REFERENCE = /(?:SIG|CLM|SOL|DEC|THM)-\d{1,9}\b/y
const WORD = /[\p{L}\p{N}]/u

/**
 * Reads emphasis, code, links and references out of a text, as CommonMark 0.31 has them, in a time that grows as the
 * text does. HTML is text like any other. Links whose address is not allowed stay text.
 */
export const parseInline = (
  text: string,
  definitions: Definitions = NO_DEFINITIONS,
  isAllowed: (href: string) => boolean = isSafe,
): readonly Inline[] => new Reader(text, definitions, isAllowed).read()

class Reader {
  private readonly text: string
  private readonly definitions: Definitions
  private readonly isAllowed: (href: string) => boolean
  private readonly chain = new Chain()
  private readonly marks = new MarkStack(this.chain)
  private readonly brackets: Bracket[] = []
  /** So many of the brackets have a link behind them, and begin none: a link holds no link. */
  private closedBrackets = 0
  private readonly backticks: Backticks
  private at = 0

  constructor(text: string, definitions: Definitions, isAllowed: (href: string) => boolean) {
    this.text = text
    this.definitions = definitions
    this.isAllowed = isAllowed
    this.backticks = new Backticks(text)
  }

  read(): readonly Inline[] {
    while (this.at < this.text.length) {
      const plain = this.match(PLAIN)
      if (plain !== undefined) this.addText(plain, plain.length)
      else this.readSpecial(this.text[this.at] ?? '')
    }
    this.marks.process(null)
    return this.chain.pieces()
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0]
  }

  private addText(text: string, length: number): Node {
    this.at += length
    return this.chain.append({ kind: 'text', text })
  }

  private readSpecial(character: string): void {
    if (character === '\\') this.readEscaped()
    else if (character === '`') this.readCode()
    else if (character === '*' || character === '_' || character === '~') this.readMarks(character)
    else if (character === '!' || character === '[') this.readBracket(character)
    else if (character === ']') this.readClosed()
    else if (character === '<') this.readAutolink()
    else if (character === '&') this.readEntity()
    else if (character === '\n') this.readEndOfLine()
    else this.readWord(character)
  }

  private readEntity(): void {
    const entity = entityAt(this.text, this.at)
    this.addText(entity?.text ?? '&', entity?.length ?? 1)
  }

  private readEscaped(): void {
    const next = this.text[this.at + 1]
    if (next === '\n') this.addBreak(2)
    else if (isPunctuation(next)) this.addText(next ?? '', 2)
    else this.addText('\\', 1)
  }

  private addBreak(length: number): void {
    this.chain.append({ kind: 'break' })
    this.at += length
  }

  /** Two spaces before it make the end of a line one that is shown. */
  private readEndOfLine(): void {
    const isShown = this.text.endsWith('  ', this.at)
    this.chain.trimEnd()
    if (isShown) this.addBreak(1)
    else this.addText('\n', 1)
  }

  private readCode(): void {
    const { length } = this.match(BACKTICKS) ?? ''
    const end = this.backticks.next(length, this.at + length)
    if (end === null) {
      this.addText('`'.repeat(length), length)
      return
    }
    const code = this.text.slice(this.at + length, end).replaceAll('\n', ' ')
    const isPadded = code.startsWith(' ') && code.endsWith(' ') && /[^ ]/.test(code)
    this.chain.append({ kind: 'code', text: isPadded ? code.slice(1, -1) : code })
    this.at = end + length
  }

  private readMarks(character: string): void {
    const marks = this.match(MARKS) ?? character
    const before = characterBefore(this.text, this.at)
    const after = String.fromCodePoint(this.text.codePointAt(this.at + marks.length) ?? SPACE)
    const node = this.addText(marks, marks.length)
    if (character === '~' && marks.length !== 2) return
    const { length } = marks
    this.marks.push({ character, node, length, left: length, ...flanksOf(character, before, after) })
  }

  private readBracket(character: string): void {
    const isImage = character === '!'
    const mark = isImage ? '![' : '['
    if (!this.text.startsWith(mark, this.at)) {
      this.addText(character, 1)
      return
    }
    const around = this.brackets.at(-1)
    if (around !== undefined) around.hasInner = true
    const marks = this.marks.top
    const node = this.addText(mark, mark.length)
    this.brackets.push({ node, isImage, start: this.at, marks, hasInner: false })
  }

  private readClosed(): void {
    const opening = this.brackets.pop()
    const isClosed = opening?.isImage !== true && this.brackets.length < this.closedBrackets
    this.closedBrackets = Math.min(this.closedBrackets, this.brackets.length)
    const found = opening === undefined || isClosed ? null : targetBehind(this.text, this.at, opening, this.definitions)
    if (opening === undefined || found === null || !this.isAllowed(found.target.href)) {
      this.addText(']', 1)
      return
    }
    this.marks.process(opening.marks)
    const { isImage } = opening
    if (!this.chain.wrap(opening.node, null, { kind: 'link', isImage, ...found.target })) {
      // What is around it would be deeper.
      this.brackets.length = 0
      this.addText(']', 1)
      return
    }
    this.chain.remove(opening.node)
    if (!isImage) this.closedBrackets = this.brackets.length
    this.at = found.end
  }

  private addLink({ href, words, length }: Address): void {
    const before = this.addText(words, length).previous
    if (before !== null) this.chain.wrap(before, null, { kind: 'link', href, title: null, isImage: false })
  }

  private readAutolink(): void {
    const link = autolinkAt(this.text, this.at)
    if (link === null || !this.isAllowed(link.href)) this.addText('<', 1)
    else this.addLink(link)
  }

  /** An address and a reference are links by themselves. */
  private readWord(character: string): void {
    const address = character === 'h' ? addressAt(this.text, this.at) : null
    if (address !== null) {
      this.addLink(address)
      return
    }
    const reference = WORD.test(characterBefore(this.text, this.at)) ? undefined : this.match(REFERENCE)
    if (reference === undefined) this.addText(character, 1)
    else {
      this.chain.append({ kind: 'reference', text: reference })
      this.at += reference.length
    }
  }
}

const SPACE = 32
const BACKTICKS = /`+/y

/** The whole character before a place, also one of two code units; empty at the beginning. */
const characterBefore = (text: string, at: number): string => {
  const pair = text.slice(Math.max(0, at - 2), at)
  const isPair = pair.length === 2 && (pair.codePointAt(0) ?? 0) > 0xff_ff
  return isPair ? pair : pair.slice(-1)
}
