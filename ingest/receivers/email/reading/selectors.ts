import { type CSSToken, TokenType } from '@csstools/css-tokenizer'

/** An element as selectors see it. */
export interface Element {
  readonly name: string
  readonly classes: ReadonlySet<string>
  /** By lower-case name. */
  readonly attributes: Readonly<Record<string, string>>
  /** The position among its parent's elements, from 1. */
  readonly place: number
}

interface Condition {
  readonly holds: (element: Element) => boolean
  /** The class, id or name that an element must have, used as an index of the rules. */
  readonly key: string | null
  /** Number of comparisons. */
  readonly cost: number
}

/** One step of a selector, such as `td.note`: every condition must hold. */
export interface Compound {
  readonly conditions: readonly Condition[]
  /** The text, which identifies the compound. */
  readonly text: string
}

interface Step {
  readonly compound: Compound
  /** The relation to the step before: its descendant, or a later sibling. */
  readonly after: 'inside' | 'beside'
}

export interface Selector {
  /** Outermost first; the last one matches the element itself. */
  readonly steps: readonly Step[]
  /** The greater specificity wins. */
  readonly specificity: number
}

/** Limits of a selector. The rest is left out, so that the selector matches more elements, never fewer. */
const MAX_STEPS = 12
const MAX_CONDITIONS = 20
const MAX_ATTRIBUTE_LENGTH = 1_000
/** Depth to which `:is()` and similar ones are read. */
const MAX_NESTED = 4

/**
 * The selectors of a rule, combined with those of an outer rule. Selectors that cannot be decided while a mail is read
 * are left out. Null above `limit` selectors.
 */
export const readSelectors = (
  prelude: readonly CSSToken[],
  outer: readonly Selector[],
  limit: number,
): readonly Selector[] | null => {
  const read = splitAt(prelude, TokenType.Comma).flatMap(tokens => readSelector(tokens, MAX_NESTED) ?? [])
  if (read.length * Math.max(1, outer.length) > limit) return null
  if (outer.length === 0) return read
  return read.flatMap(own =>
    outer.map(parent => ({
      steps: nested(parent, own).slice(-MAX_STEPS),
      specificity: parent.specificity + own.specificity,
    })),
  )
}

/** `&` in a nested rule. */
const PARENT: Condition = { holds: () => true, key: null, cost: 1 }
const ANY: Condition = { holds: () => true, key: null, cost: 1 }
export const EVERY_ELEMENT: Compound = { conditions: [ANY], text: '*' }

const nested = (parent: Selector, own: Selector): readonly Step[] => {
  const at = own.steps.findIndex(({ compound }) => compound.conditions.includes(PARENT))
  const last = parent.steps.at(-1)
  const step = own.steps[at]
  if (last === undefined || step === undefined) return [...parent.steps, ...own.steps]
  const conditions = [...last.compound.conditions, ...step.compound.conditions.filter(one => one !== PARENT)]
  const text = `${last.compound.text}|${step.compound.text.replace('&', '')}`
  return [
    ...parent.steps.slice(0, -1),
    { after: last.after, compound: { conditions, text } },
    ...own.steps.slice(at + 1),
  ]
}

const splitAt = (tokens: readonly CSSToken[], separator: string): readonly (readonly CSSToken[])[] => {
  const parts: CSSToken[][] = [[]]
  let depth = 0
  for (const token of tokens) {
    const [type] = token
    if (type === TokenType.Function || type === TokenType.OpenParen || type === TokenType.OpenSquare) depth += 1
    if (type === TokenType.CloseParen || type === TokenType.CloseSquare) depth -= 1
    if (type === separator && depth === 0) parts.push([])
    else parts.at(-1)?.push(token)
  }
  return parts
}

const readSelector = (tokens: readonly CSSToken[], depth: number): Selector | null => {
  const steps: Step[] = []
  let conditions: Condition[] = []
  let text = ''
  let specificity = 0
  let after: Step['after'] = 'inside'
  const endStep = (): void => {
    if (conditions.length > 0) steps.push({ after, compound: { conditions, text } })
    if (conditions.length > 0) after = 'inside'
    conditions = []
    text = ''
  }
  for (let at = 0; at < tokens.length; at += 1) {
    const token = tokens[at]
    if (token === undefined) break
    const [type, raw] = token
    if (type === TokenType.Whitespace || raw === '>') {
      endStep()
      continue
    }
    if (raw === '+' || raw === '~') {
      endStep()
      after = 'beside'
      continue
    }
    const end = endOfPart(tokens, at)
    const read = raw === '&' ? { condition: PARENT, weight: 0 } : readCondition(tokens.slice(at, end), depth)
    if (read === null) return null
    const part = tokens.slice(at, end).map(partOfText).join('')
    specificity += read.weight
    at = end - 1
    if (conditions.length === MAX_CONDITIONS) continue
    conditions.push(read.condition)
    text += part
  }
  endStep()
  return steps.length === 0 ? null : { steps: steps.slice(-MAX_STEPS), specificity }
}

const partOfText = ([, raw]: CSSToken): string => raw.toLowerCase()

/** The index after `.x`, `[x=y]`, `:x(…)`, or a single token. */
const endOfPart = (tokens: readonly CSSToken[], at: number): number => {
  let end = at
  if (tokens[end]?.[1] === '.' || tokens[end]?.[0] === TokenType.Colon) end += 1
  if (tokens[end]?.[0] === TokenType.Colon) end += 1
  const opens = (token: CSSToken | undefined) =>
    token?.[0] === TokenType.Function || token?.[0] === TokenType.OpenSquare
  if (!opens(tokens[end])) return end + 1
  let depth = 0
  for (; end < tokens.length; end += 1) {
    const type = tokens[end]?.[0]
    if (opens(tokens[end]) || type === TokenType.OpenParen) depth += 1
    if (type === TokenType.CloseParen || type === TokenType.CloseSquare) depth -= 1
    if (depth === 0) return end + 1
  }
  return end
}

interface Weighted {
  readonly condition: Condition
  readonly weight: number
}

const ID = 10_000
const CLASS = 100
const NAME = 1

const wordOf = (token: CSSToken | undefined): string =>
  token?.[0] === TokenType.Ident || token?.[0] === TokenType.Hash || token?.[0] === TokenType.String
    ? token[4].value.toLowerCase()
    : (token?.[1] ?? '').toLowerCase()

const readCondition = (tokens: readonly CSSToken[], depth: number): Weighted | null => {
  const [first, second] = tokens
  if (first?.[0] === TokenType.Ident) {
    const name = wordOf(first)
    return { condition: { key: name, cost: 1, holds: element => element.name === name }, weight: NAME }
  }
  if (first?.[0] === TokenType.Hash) {
    const id = wordOf(first)
    return {
      condition: { key: `#${id}`, cost: 1, holds: element => element.attributes.id?.toLowerCase() === id },
      weight: ID,
    }
  }
  if (first?.[1] === '*') return { condition: ANY, weight: 0 }
  if (first?.[1] === '.' && second?.[0] === TokenType.Ident) {
    const name = wordOf(second)
    return { condition: { key: `.${name}`, cost: 1, holds: element => element.classes.has(name) }, weight: CLASS }
  }
  if (first?.[0] === TokenType.OpenSquare)
    return readAttribute(tokens.filter(([type]) => type !== TokenType.Whitespace))
  return first?.[0] === TokenType.Colon ? readPseudoClass(tokens.slice(1), depth) : null
}

const readAttribute = (tokens: readonly CSSToken[]): Weighted => {
  const name = wordOf(tokens[1])
  const operator = tokens[2]?.[1] ?? ']'
  const wanted = wordOf(tokens[operator === '=' ? 3 : 4])
  const compares = (value: string): boolean => {
    if (operator === ']') return true
    if (operator === '=') return value === wanted
    if (wanted === '') return false
    if (operator === '~') return value.split(/\s+/).includes(wanted)
    if (operator === '^') return value.startsWith(wanted)
    if (operator === '$') return value.endsWith(wanted)
    if (operator === '*') return value.includes(wanted)
    return operator === '|' && (value === wanted || value.startsWith(`${wanted}-`))
  }
  const holds = ({ attributes }: Element): boolean => {
    const value = attributes[name]
    return value !== undefined && compares(value.slice(0, MAX_ATTRIBUTE_LENGTH).toLowerCase())
  }
  return { condition: { key: null, cost: 3, holds }, weight: CLASS }
}

const isFirst = ({ place }: Element): boolean => place === 1
const isLink = ({ name, attributes }: Element): boolean => name === 'a' && attributes.href !== undefined
const never = (): boolean => false
/** Pseudo-classes of interaction never hold: nobody points at the mail. */
const PSEUDO_CLASSES: Readonly<Record<string, Condition['holds']>> = {
  'first-child': isFirst,
  'first-of-type': isFirst,
  root: ({ name }) => name === 'html',
  ...Object.fromEntries(['link', 'any-link'].map(name => [name, isLink])),
  ...Object.fromEntries(
    ['hover', 'active', 'focus', 'focus-within', 'focus-visible', 'visited', 'target', 'checked'].map(name => [
      name,
      never,
    ]),
  ),
}
const CHOICES = new Set(['is', 'where', 'matches', '-webkit-any', '-moz-any', 'not'])

/** Null for pseudo-elements, and for pseudo-classes that depend on later elements, such as `:last-child`. */
const readPseudoClass = (tokens: readonly CSSToken[], depth: number): Weighted | null => {
  const [first] = tokens
  if (first?.[0] === TokenType.Ident) {
    const name = wordOf(first)
    const holds = Object.hasOwn(PSEUDO_CLASSES, name) ? PSEUDO_CLASSES[name] : undefined
    return holds === undefined ? null : { condition: { key: null, cost: 1, holds }, weight: CLASS }
  }
  if (first?.[0] !== TokenType.Function) return null
  const name = first[4].value.toLowerCase()
  const inside = tokens.slice(1, -1)
  if (name === 'nth-child' || name === 'nth-of-type') return readPlace(inside.map(partOfText).join(''))
  if (!CHOICES.has(name) || depth === 0) return null
  const read = splitAt(inside, TokenType.Comma).map(choice => readSelector(choice, depth - 1))
  const choices = read.filter(choice => choice !== null)
  if (name === 'not' && choices.length < read.length) return null
  /** Only the last step of a choice is checked. */
  const groups = choices.map(({ steps }) => steps.at(-1)?.compound.conditions ?? [])
  const any = (element: Element): boolean => groups.some(group => group.every(({ holds }) => holds(element)))
  const holds = name === 'not' ? (element: Element) => !any(element) : any
  const cost = groups.flat().reduce((sum, condition) => sum + condition.cost, 1)
  const weight = name === 'where' ? 0 : (choices[0]?.specificity ?? 0)
  return { condition: { key: null, cost, holds }, weight }
}

const FORMULA = /^([+-]?\d{0,4})n(?:([+-]\d{1,4}))?$/

/** `odd`, `even`, `3`, `2n+1`. */
const readPlace = (written: string): Weighted | null => {
  const text = written.replace(/\s/g, '')
  const [step, first] = text === 'odd' ? [2, 1] : text === 'even' ? [2, 0] : formulaOf(text)
  if (!Number.isInteger(step) || !Number.isInteger(first)) return null
  const holds = ({ place }: Element): boolean =>
    step === 0 ? place === first : (place - first) % step === 0 && (place - first) / step >= 0
  return { condition: { key: null, cost: 1, holds }, weight: CLASS }
}

const formulaOf = (text: string): readonly [step: number, first: number] => {
  const [, step, first = '0'] = FORMULA.exec(text) ?? []
  if (step === undefined) return [0, Number(text)]
  return [step === '' || step === '+' ? 1 : step === '-' ? -1 : Number(step), Number(first)]
}
