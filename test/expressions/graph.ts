import { type AST, RegExpParser, visitRegExpAST } from '@eslint-community/regexpp'

/** A set of characters, a bit for each class of characters that the expression tells apart. */
export type Characters = bigint

/**
 * What must hold between two characters for an expression to go on there: which may stand before the place, and which
 * behind.
 */
interface Guard {
  readonly before: Characters
  readonly behind: Characters
  /** The place may be the start of the text, or its end. */
  readonly atStart: boolean
  readonly atEnd: boolean
}

/**
 * An expression as a graph: nodes are places in it. A step reads a character or goes on without one, where its guard
 * holds.
 */
export interface Graph {
  readonly start: number
  /** Where the whole expression has matched, and where an assertion in it has. */
  readonly ends: ReadonlySet<number>
  readonly reads: ReadonlyMap<number, { readonly to: number; readonly characters: Characters }>
  readonly goes: ReadonlyMap<number, readonly { readonly to: number; readonly guard: Guard }[]>
  readonly all: Characters
  /** An assertion looks back over any number of characters. */
  readonly looksFarBack: boolean
  /** A character of a set, to show. */
  readonly example: (characters: Characters) => string
}

/** More repetitions than this count as any number of them. */
const MANY = 64
/** Of fewer so many are looked at, needed ones and others. */
const LOOKED_AT = 2

const SCRIPTS = 'àßÿŁžαωбЯאاकกあア中가０ﷺ\u0301\u00a0\u200b\u2028\u20ac—“”『【：。٣²ª'
const ASCII = Array.from({ length: 128 }, (_, code) => String.fromCharCode(code))

type Leaf = AST.Character | AST.CharacterSet | AST.CharacterClass | AST.ExpressionCharacterClass

const isLeaf = (element: AST.Element): element is Leaf =>
  ['Character', 'CharacterSet', 'CharacterClass', 'ExpressionCharacterClass'].includes(element.type)

const hasLoop = (node: AST.Node): boolean => {
  let found = false
  const onQuantifierEnter = ({ max }: AST.Quantifier): void => {
    found ||= max > MANY
  }
  visitRegExpAST(node, { onQuantifierEnter })
  return found
}

/** Asks the engine itself which characters each part of an expression takes, so that no table of them is needed. */
const createAlphabet = (source: string, flags: string) => {
  const written = [...source, ...source.toLowerCase(), ...source.toUpperCase()]
  const samples = [...new Set([...ASCII, ...SCRIPTS, ...written, ...(/[uv]/.test(flags) ? ['👍'] : [])])]
  const own = flags.replace(/[^isuv]/g, '')
  const known = new Map<string, Characters>()
  return {
    all: (1n << BigInt(samples.length)) - 1n,
    of: (raw: string): Characters => {
      const found = known.get(raw)
      if (found !== undefined) return found
      const taken = new RegExp(`^(?:${raw})$`, own)
      const bits = samples.map(sample => (taken.test(sample) ? '1' : '0')).toReversed()
      const characters = BigInt(`0b${bits.join('')}`)
      known.set(raw, characters)
      return characters
    },
    example: (characters: Characters): string =>
      samples.toReversed().find((_, place) => (characters >> BigInt(samples.length - 1 - place)) & 1n) ?? '',
  }
}

export const graphOf = (source: string, flags: string): Graph => {
  const parser = new RegExpParser()
  const unicode = flags.includes('u')
  const pattern = parser.parsePattern(source, 0, source.length, { unicode, unicodeSets: flags.includes('v') })
  const { all, of, example } = createAlphabet(source, flags)
  const reads = new Map<number, { to: number; characters: Characters }>()
  const goes = new Map<number, { to: number; guard: Guard }[]>()
  const ends = new Set<number>()
  const anywhere: Guard = { before: all, behind: all, atStart: true, atEnd: true }
  let nodes = 0
  let looksFarBack = false

  const go = (from: number, to: number, guard = anywhere): void => {
    goes.set(from, [...(goes.get(from) ?? []), { to, guard }])
  }
  const node = (): number => nodes++

  /** Adds what an expression's parts match from a node on; answers the node behind them. */
  const branches = (alternatives: readonly AST.Alternative[], from: number): number => {
    const end = node()
    for (const { elements } of alternatives) {
      const first = node()
      go(from, first)
      go(
        elements.reduce((at, element) => add(element, at), first),
        end,
      )
    }
    return end
  }

  const repeated = ({ min, max, element }: AST.Quantifier, from: number): number => {
    let at = from
    for (let needed = 0; needed < Math.min(min, LOOKED_AT); needed += 1) at = add(element, at)
    const end = node()
    if (max > MANY) {
      const body = node()
      const behind = add(element, body)
      for (const place of [at, behind]) {
        go(place, body)
        go(place, end)
      }
      return end
    }
    for (let other = 0; other < Math.min(max - min, LOOKED_AT); other += 1) {
      go(at, end)
      at = add(element, at)
    }
    go(at, end)
    return end
  }

  /** The characters of alternatives of one each, such as `\S` or `a|$`; null for others. */
  const single = (alternatives: readonly AST.Alternative[]): Guard | null => {
    let guard: Guard = { before: 0n, behind: 0n, atStart: false, atEnd: false }
    for (const { elements } of alternatives) {
      const [element, ...others] = elements
      if (element === undefined || others.length > 0) return null
      const characters = isLeaf(element) ? of(element.raw) : 0n
      const [atStart, atEnd] = [
        element.type === 'Assertion' && element.kind === 'start',
        element.type === 'Assertion' && element.kind === 'end',
      ]
      if (!isLeaf(element) && !atStart && !atEnd) return null
      guard = {
        before: guard.before | characters,
        behind: guard.behind | characters,
        atStart: guard.atStart || atStart,
        atEnd: guard.atEnd || atEnd,
      }
    }
    return guard
  }

  const asserted = (assertion: AST.Assertion, from: number): number => {
    const end = node()
    if (assertion.kind === 'word') {
      const word = of('\\w')
      const [in_, out] = [
        { characters: word, isEdge: false },
        { characters: all & ~word, isEdge: true },
      ]
      const pairs = assertion.negate
        ? [
            [in_, in_],
            [out, out],
          ]
        : [
            [in_, out],
            [out, in_],
          ]
      for (const [before = in_, behind = in_] of pairs)
        go(from, end, {
          before: before.characters,
          behind: behind.characters,
          atStart: before.isEdge,
          atEnd: behind.isEdge,
        })
      return end
    }
    const line = flags.includes('m') ? of('[\\n\\r\\u2028\\u2029]') : 0n
    if (assertion.kind === 'start') go(from, end, { ...anywhere, before: line })
    if (assertion.kind === 'end') go(from, end, { ...anywhere, behind: line })
    if (assertion.kind === 'lookahead' || assertion.kind === 'lookbehind') {
      const looked = single(assertion.alternatives)
      const isAhead = assertion.kind === 'lookahead'
      if (looked === null) {
        // What an assertion reads ahead is read besides what follows it.
        if (isAhead) ends.add(branches(assertion.alternatives, from))
        else looksFarBack ||= hasLoop(assertion)
        go(from, end)
      } else {
        const { before, behind, atStart, atEnd } = assertion.negate
          ? {
              before: all & ~looked.before,
              behind: all & ~looked.behind,
              atStart: !looked.atStart,
              atEnd: !looked.atEnd,
            }
          : looked
        go(from, end, isAhead ? { ...anywhere, behind, atEnd } : { ...anywhere, before, atStart })
      }
    }
    return end
  }

  const add = (element: AST.QuantifiableElement | AST.Element, from: number): number => {
    if (element.type === 'Quantifier') return repeated(element, from)
    if (element.type === 'Group' || element.type === 'CapturingGroup') return branches(element.alternatives, from)
    if (element.type === 'Assertion') return asserted(element, from)
    if (element.type === 'Backreference') {
      const group = [element.resolved].flat()[0]
      return group === undefined ? from : branches(group.alternatives, from)
    }
    const to = node()
    reads.set(from, { to, characters: of(element.raw) })
    return to
  }

  const start = node()
  ends.add(branches(pattern.alternatives, start))
  return { start, ends, reads, goes, all, looksFarBack, example }
}
