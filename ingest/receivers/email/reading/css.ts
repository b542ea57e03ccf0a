import { calc } from '@csstools/css-calc'
import { type CSSToken, TokenType, tokenize } from '@csstools/css-tokenizer'
import { holdsOnScreen } from './media.ts'
import { longhands } from './properties.ts'
import { EVERY_ELEMENT, readSelectors, type Selector } from './selectors.ts'

/** Declarations in their order; property names are in lower case. */
export type Declarations = readonly (readonly [property: string, value: string, important: boolean])[]

export interface Rule {
  readonly selectors: readonly Selector[]
  readonly declarations: Declarations
}

/** An open block with the declarations read so far. */
interface Block {
  /** Null outside of every rule. */
  readonly selectors: readonly Selector[] | null
  /** False for blocks that do not apply, such as `@media print` and `@font-face`. */
  readonly counts: boolean
  readonly declared: Declarations[number][]
}

/** Limit of a value's length. A longer value counts as hiding, whatever the property: no visible text needs it. */
const MAX_VALUE_LENGTH = 2_000
/** Above these limits nothing of the mail counts as visible. The largest newsletters have a tenth of them. */
const MAX_BLOCKS = 50
const MAX_SELECTORS = 20_000

const NOTHING_SEEN: Rule = {
  selectors: [{ steps: [{ after: 'inside', compound: EVERY_ELEMENT }], specificity: 0 }],
  declarations: [['display', 'none', true]],
}

/** The declarations of a `style` attribute. */
export const readDeclarations = (css: string): Declarations =>
  css === ''
    ? []
    : rulesIn(css, []).flatMap(({ selectors, declarations }) => (selectors.length === 0 ? declarations : []))

/** The rules of a style sheet that hide or colour on a light screen of usual width. */
export const readRules = (css: string): readonly Rule[] => rulesIn(css, null)

/** Parses by CSS Syntax 3 without recursion, in linear time. */
const rulesIn = (css: string, outermost: Block['selectors']): readonly Rule[] => {
  const rules: Rule[] = []
  const first: Block = { selectors: outermost, counts: true, declared: [] }
  const open: Block[] = [first]
  let statement: CSSToken[] = []
  let parentheses = 0
  let selectorsRead = 0
  const close = ({ selectors, counts, declared }: Block): void => {
    if (selectors === null || !counts || declared.length === 0) return
    rules.push({ selectors, declarations: lastOfEach(declared) })
  }
  const endDeclaration = (): void => {
    const { selectors, counts, declared } = open.at(-1) ?? first
    if (selectors !== null && counts) declared.push(...declarationOf(statement))
    statement = []
  }
  for (const token of tokenize({ css })) {
    const [type] = token
    if (type === TokenType.Comment || type === TokenType.CDO || type === TokenType.CDC) continue
    if (OPENING.has(type)) parentheses += 1
    if (CLOSING.has(type)) parentheses = Math.max(0, parentheses - 1)
    if (parentheses === 0 && type === TokenType.OpenCurly) {
      const block = blockOf(statement, open.at(-1) ?? first, MAX_SELECTORS - selectorsRead)
      if (block === null || open.length === MAX_BLOCKS) return [NOTHING_SEEN]
      selectorsRead += block.selectors?.length ?? 0
      open.push(block)
      statement = []
    } else if (parentheses === 0 && type === TokenType.CloseCurly) {
      endDeclaration()
      const block = open.length > 1 ? open.pop() : undefined
      if (block !== undefined) close(block)
    } else if (parentheses === 0 && type === TokenType.Semicolon) endDeclaration()
    else if (type !== TokenType.EOF) statement.push(token)
  }
  endDeclaration()
  for (const block of open.toReversed()) close(block)
  return rules
}

const OPENING: ReadonlySet<string> = new Set([TokenType.Function, TokenType.OpenParen, TokenType.OpenSquare])
const CLOSING: ReadonlySet<string> = new Set([TokenType.CloseParen, TokenType.CloseSquare])
const GROUPS = new Set(['supports', 'layer', 'scope', 'container', 'starting-style'])

/** The block after this prelude; null when it has more than `selectorsLeft` selectors. */
const blockOf = (prelude: readonly CSSToken[], outer: Block, selectorsLeft: number): Block | null => {
  const at = prelude.findIndex(([type]) => type !== TokenType.Whitespace)
  const begin = prelude[at]
  if (!outer.counts) return { selectors: null, counts: false, declared: [] }
  if (begin?.[0] === TokenType.AtKeyword) {
    const name = begin[4].value.toLowerCase()
    const condition = written(prelude.slice(at + 1))
    const counts = name === 'media' ? holdsOnScreen(condition) : GROUPS.has(name) && !condition.startsWith('not ')
    return { selectors: outer.selectors, counts, declared: [] }
  }
  const selectors = readSelectors(prelude, outer.selectors ?? [], selectorsLeft)
  return selectors && { selectors, counts: selectors.length > 0, declared: [] }
}

/** The last declaration of each property, normal and important: a bounded number, whatever the text's length. */
const lastOfEach = (declared: Declarations): Declarations => [
  ...new Map(declared.map(declaration => [`${declaration[0]} ${declaration[2]}`, declaration])).values(),
]

/** Empty for an invalid value: an earlier declaration of the property stays then. */
const declarationOf = (statement: readonly CSSToken[]): Declarations => {
  const tokens = statement.filter(([type]) => type !== TokenType.Whitespace)
  const [name, colon] = tokens
  if (name?.[0] !== TokenType.Ident || colon?.[0] !== TokenType.Colon) return []
  const end = tokens.at(-1)
  const important =
    end?.[0] === TokenType.Ident && end[4].value.toLowerCase() === 'important' && tokens.at(-2)?.[1] === '!'
  const value = statement.slice(
    statement.indexOf(colon) + 1,
    important ? statement.lastIndexOf(tokens.at(-2) ?? end) : undefined,
  )
  const property = name[4].value.toLowerCase()
  const text = written(value)
  if (text.length > MAX_VALUE_LENGTH) return [['display', 'none', important]]
  const computed = MATH.test(text) ? calc(text) : text
  return longhands(property, computed).map(([longhand, one]) => [longhand, one, important] as const)
}

const MATH = /(?:calc|min|max|clamp)\(/

/** Tokens in normal form: lower case, escapes decoded, plain numbers, single spaces, empty strings and URLs. */
const written = (tokens: readonly CSSToken[]): string => tokens.map(writtenToken).join('').trim().replace(/ {2,}/g, ' ')

const writtenToken = (token: CSSToken): string => {
  switch (token[0]) {
    case TokenType.Whitespace:
      return ' '
    case TokenType.Ident:
      return token[4].value.toLowerCase()
    case TokenType.Function:
      return `${token[4].value.toLowerCase()}(`
    case TokenType.Hash:
      return `#${token[4].value.toLowerCase()}`
    case TokenType.URL:
    case TokenType.BadURL:
      return 'url()'
    case TokenType.String:
      return '""'
    case TokenType.Number:
      return plainNumber(token[4].value)
    case TokenType.Percentage:
      return `${plainNumber(token[4].value)}%`
    case TokenType.Dimension:
      return `${plainNumber(token[4].value)}${token[4].unit.toLowerCase()}`
    default:
      return token[1].toLowerCase()
  }
}

/** Without an exponent, limited to a million. */
const plainNumber = (value: number): string => String(Number(Math.max(-1e6, Math.min(value, 1e6)).toFixed(4)))
