import type { Chain, Node } from './inline-nodes.ts'

/** Marks of emphasis beside each other, which may open or close it. */
export interface Marks {
  readonly character: string
  readonly node: Node
  readonly length: number
  readonly opens: boolean
  readonly closes: boolean
  /** How many of them are not used. */
  left: number
  /** How many came before, whatever has become of them. */
  readonly index: number
  before: Marks | null
  after: Marks | null
}

const isSpace = (character: string): boolean => character === '' || /[\p{Zs}\t\n\f\r]/u.test(character)
const isPunctuationOrSymbol = (character: string): boolean => /[\p{P}\p{S}]/u.test(character)

/** Whether marks between two characters may open and close emphasis: CommonMark's flanking delimiter runs. */
export const flanksOf = (mark: string, before: string, after: string) => {
  const [spaceBefore, spaceAfter] = [isSpace(before), isSpace(after)]
  const [markBefore, markAfter] = [isPunctuationOrSymbol(before), isPunctuationOrSymbol(after)]
  const left = !spaceAfter && (!markAfter || spaceBefore || markBefore)
  const right = !spaceBefore && (!markBefore || spaceAfter || markAfter)
  if (mark !== '_') return { opens: left, closes: right }
  return { opens: left && (!right || markBefore), closes: right && (!left || markAfter) }
}

/** The marks of a text that have not become emphasis. */
export class MarkStack {
  top: Marks | null = null
  private count = 0
  private readonly chain: Chain

  constructor(chain: Chain) {
    this.chain = chain
  }

  push(marks: Omit<Marks, 'index' | 'before' | 'after'>): void {
    const added: Marks = { ...marks, index: this.count, before: this.top, after: null }
    this.count += 1
    if (this.top !== null) this.top.after = added
    this.top = added
  }

  private remove(marks: Marks): void {
    if (marks.before !== null) marks.before.after = marks.after
    if (marks.after === null) this.top = marks.before
    else marks.after.before = marks.before
  }

  /** Makes emphasis of the marks above some that are below it. What is left of them is text. */
  process(bottom: Marks | null): void {
    /** Up to which of the marks none opens what such a closer closes: nothing is looked for there twice. */
    const searched = new Map<string, number>()
    let closer = bottom === null ? this.lowest() : bottom.after
    while (closer !== null) {
      if (!closer.closes) {
        closer = closer.after
        continue
      }
      const key = `${closer.character}${closer.opens}${closer.length % 3}`
      const opener = openerOf(closer, searched.get(key) ?? bottom?.index ?? -1)
      if (opener !== null) {
        closer = this.join(opener, closer, bottom)
        continue
      }
      searched.set(key, closer.index - 1)
      const { after } = closer
      if (!closer.opens) this.remove(closer)
      closer = after
    }
    while (this.top !== bottom && this.top !== null) this.remove(this.top)
  }

  private lowest(): Marks | null {
    let { top } = this
    while (top !== null && top.before !== null) top = top.before
    return top
  }

  /** Answers the marks to go on with. */
  private join(opener: Marks, closer: Marks, bottom: Marks | null): Marks | null {
    const isStruck = closer.character === '~'
    const used = opener.left >= 2 && closer.left >= 2 ? 2 : 1
    while (closer.before !== null && closer.before !== opener) this.remove(closer.before)
    const kind = isStruck ? 'struck' : used === 2 ? 'strong' : 'emphasis'
    if (!this.chain.wrap(opener.node, closer.node, { kind })) {
      // Too deep: they stay the text that they are, and so does what would be around them.
      while (closer.before !== null && closer.before !== bottom) this.remove(closer.before)
      const { after } = closer
      this.remove(closer)
      return after
    }
    for (const marks of [opener, closer]) {
      marks.left -= used
      marks.node.piece = { kind: 'text', text: marks.character.repeat(marks.left) }
    }
    if (opener.left === 0) this.remove(opener)
    if (closer.left > 0) return closer
    const { after } = closer
    this.remove(closer)
    return after
  }
}

/** What opens that which the closer closes, behind the marks of an index. */
const openerOf = (closer: Marks, searched: number): Marks | null => {
  let opener = closer.before
  while (opener !== null && opener.index > searched) {
    if (opener.opens && opener.character === closer.character && mayMatch(opener, closer)) return opener
    opener = opener.before
  }
  return null
}

const mayMatch = (opener: Marks, closer: Marks): boolean => {
  const isBoth = opener.closes || closer.opens
  const isOdd = isBoth && closer.length % 3 !== 0 && (opener.length + closer.length) % 3 === 0
  return !isOdd
}
