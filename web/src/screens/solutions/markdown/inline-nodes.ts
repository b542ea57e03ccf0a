/** A piece of a text of Markdown. */
export type Inline =
  | { readonly kind: 'text' | 'code' | 'reference'; readonly text: string }
  | { readonly kind: 'break' }
  | { readonly kind: 'strong' | 'emphasis' | 'struck'; readonly children: readonly Inline[] }
  | Link

interface Link {
  readonly kind: 'link'
  readonly href: string
  readonly title: string | null
  /** Of an image, the words that stand for it. */
  readonly isImage: boolean
  readonly children: readonly Inline[]
}

type Leaf = Exclude<Inline, { readonly children: unknown }>
type Span = { readonly kind: 'strong' | 'emphasis' | 'struck' } | Omit<Link, 'children'>

/** Elements in each other: what is deeper keeps its marks, since no page shows elements thousands deep. */
const MAX_DEPTH = 16

/**
 * A piece while the text is read, in a chain with its neighbours: what stands between two of them becomes the inside of
 * a third in the same time, however much that is.
 */
export interface Node {
  piece: Leaf | Span
  first: Node | null
  next: Node | null
  previous: Node | null
  /** How many elements are in each other here. */
  depth: number
}

export class Chain {
  private readonly head: Node = { piece: { kind: 'break' }, first: null, next: null, previous: null, depth: 0 }
  private last = this.head

  append(piece: Leaf): Node {
    const node: Node = { piece, first: null, next: null, previous: this.last, depth: 0 }
    this.last.next = node
    this.last = node
    return node
  }

  /** Takes the spaces at the end away. */
  trimEnd(): void {
    const { piece } = this.last
    if (piece.kind === 'text') this.last.piece = { kind: 'text', text: piece.text.replace(/(?<! ) +$/, '') }
  }

  remove(node: Node): void {
    if (node.previous !== null) node.previous.next = node.next
    if (node.next !== null) node.next.previous = node.previous
    if (this.last === node && node.previous !== null) this.last = node.previous
  }

  /** Makes a span of what is between a node and another, or the end of the chain; false where it would be too deep. */
  wrap(before: Node, after: Node | null, piece: Span): boolean {
    const first = before.next === after ? null : before.next
    let depth = 0
    for (let node = first; node !== after && node !== null; node = node.next) depth = Math.max(depth, node.depth)
    if (depth >= MAX_DEPTH) return false
    const end = after === null ? this.last : after.previous
    const node: Node = { piece, first, next: after, previous: before, depth: depth + 1 }
    if (first !== null) first.previous = null
    if (first !== null && end !== null) end.next = null
    before.next = node
    if (after === null) this.last = node
    else after.previous = node
    return true
  }

  /** What it holds; texts beside each other are one. */
  pieces(): readonly Inline[] {
    return piecesOf(this.head.next)
  }
}

/** A link holds none: inside of one, what is a link by itself is its text. */
const piecesOf = (first: Node | null, isInLink = false): readonly Inline[] => {
  const pieces: Inline[] = []
  const add = (piece: Inline): void => {
    const last = pieces.at(-1)
    if (piece.kind !== 'text' || last?.kind !== 'text') pieces.push(piece)
    else pieces[pieces.length - 1] = { kind: 'text', text: last.text + piece.text }
  }
  for (let node = first; node !== null; node = node.next) {
    const { piece } = node
    if (piece.kind === 'text' || (piece.kind === 'reference' && isInLink)) {
      if (piece.text !== '') add({ kind: 'text', text: piece.text })
    } else if (piece.kind === 'code' || piece.kind === 'reference' || piece.kind === 'break') add(piece)
    else if (piece.kind !== 'link') add({ kind: piece.kind, children: piecesOf(node.first, isInLink) })
    else if (piece.isImage || !isInLink) add({ ...piece, children: piecesOf(node.first, true) })
    else for (const inner of piecesOf(node.first, true)) add(inner)
  }
  return pieces
}
