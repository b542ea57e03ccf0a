/** Declarations of CSS by their property, in lower case, the later ones last. */
export type Declarations = readonly (readonly [property: string, value: string, important: boolean])[]

const ESCAPE = /\\([0-9a-f]{1,6})[ \t\n]?/gi

const unescaped = (css: string): string =>
  css.replace(ESCAPE, (_, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** The properties that hide, or that something is hidden by; no other one is read. */
export const READ_PROPERTIES: ReadonlySet<string> = new Set([
  ...['display', 'visibility', 'content-visibility', 'mso-hide', 'opacity', 'color', 'font', 'font-size'],
  ...['background', 'background-color', 'background-image', 'overflow', 'width', 'height', 'max-width', 'max-height'],
  ...['position', 'left', 'right', 'top', 'bottom', 'margin-left', 'margin-top', 'text-indent'],
  ...['transform', 'clip', 'clip-path'],
])

/**
 * As much of a value is read. What hides stands at its beginning; a longer one has a picture or a list of fonts in it.
 */
const MAX_VALUE_LENGTH = 200

/**
 * What a `style` attribute, or the body of a rule, declares: of each property the last value, and the last important
 * one. Their number and the length of each are bounded, whatever the length of the text.
 */
export const readDeclarations = (css: string): Declarations => {
  const plain = new Map<string, string>()
  const important = new Map<string, string>()
  for (const declaration of unescaped(withoutComments(css)).toLowerCase().split(';')) {
    const colon = declaration.indexOf(':')
    const property = declaration.slice(0, Math.max(colon, 0)).trim()
    if (!READ_PROPERTIES.has(property)) continue
    const value = declaration.slice(colon + 1).trim()
    const kept = value.replace('!important', '').trim()
    const declared = kept.length < value.length ? important : plain
    declared.set(property, kept.replace(/\s+/g, ' ').slice(0, MAX_VALUE_LENGTH))
  }
  return [
    ...Array.from(plain, ([property, value]) => [property, value, false] as const),
    ...Array.from(important, ([property, value]) => [property, value, true] as const),
  ]
}

/** An element as selectors see it. */
export interface Element {
  readonly name: string
  readonly id: string
  readonly classes: readonly string[]
}

/** One step of a selector, such as `td.note`: every token must be the element's. Each token once. */
type Compound = readonly string[]

interface Rule {
  /** From the outermost; the last one is for the element itself. */
  readonly steps: readonly Compound[]
  readonly declarations: Declarations
}

const MAX_RULES = 200
const MAX_STEPS = 4
/** Names, classes and ids in the selectors of all rules: each is looked for in each element. */
const MAX_TOKENS = 2_000
const MAX_DECLARATIONS = 1_000

/**
 * The rules of style sheets that hide or colour. Selectors of names, classes and ids are known, one inside of the
 * other; rules for some screens alone are not.
 */
export const readRules = (sheets: readonly string[]): readonly Rule[] => {
  const rules: Rule[] = []
  let tokens = 0
  let declared = 0
  for (const { selector, body } of sheets.flatMap(sheet => blocksOf(withoutComments(sheet)))) {
    const declarations = readDeclarations(body)
    if (declarations.length === 0) continue
    for (const one of selector.split(',')) {
      const steps = readSelector(one)
      if (steps === null) continue
      tokens += steps.flat().length
      declared += declarations.length
      if (rules.length === MAX_RULES || tokens > MAX_TOKENS || declared > MAX_DECLARATIONS) return rules
      rules.push({ steps, declarations })
    }
  }
  return rules
}

const withoutComments = (css: string): string => {
  let text = ''
  let at = 0
  for (let open = css.indexOf('/*'); open !== -1; open = css.indexOf('/*', at)) {
    const close = css.indexOf('*/', open + 2)
    text += css.slice(at, open)
    if (close === -1) return text
    at = close + 2
  }
  return text + css.slice(at)
}

/** For every screen, or without a condition. */
const EVERYWHERE = /^@media\s+(all|screen|only screen)\s*$/i

const blocksOf = (css: string): { readonly selector: string; readonly body: string }[] => {
  const blocks: { selector: string; body: string }[] = []
  /** The blocks around the current place; true where what they hold does not count. */
  const around: boolean[] = []
  let prelude = ''
  for (const part of css.split(/([{}])/)) {
    if (part === '}') around.pop()
    else if (part === '{') {
      const selector = prelude.slice(prelude.lastIndexOf(';') + 1).trim()
      around.push(around.at(-1) === true || (selector.startsWith('@') && !EVERYWHERE.test(selector)))
      if (!selector.startsWith('@')) blocks.push({ selector, body: '' })
    } else if (around.length > 0) {
      const block = blocks.at(-1)
      if (block && block.body === '' && around.at(-1) === false) block.body = part
    }
    prelude = part
  }
  return blocks.filter(({ body }) => body !== '')
}

const STEP = /^(?:[a-z][\w-]*|\*)?(?:[.#][\w-]+)*$/i

const readSelector = (selector: string): readonly Compound[] | null => {
  const steps = selector.trim().split(/[\s>]+/)
  if (steps.length > MAX_STEPS || steps.some(step => step === '' || !STEP.test(step))) return null
  return steps.map(step => [...new Set(step.toLowerCase().match(/[.#]?[\w-]+/g))])
}

const tokensOf = ({ name, id, classes }: Element): readonly string[] => [
  name,
  `#${id}`,
  ...classes.map(name => `.${name}`),
]

/** Gives each different value a number, from 0. */
const createNumbers = () => {
  const numbers = new Map<string, number>()
  return {
    numbers,
    numberOf: (value: string): number => {
      const number = numbers.get(value) ?? numbers.size
      numbers.set(value, number)
      return number
    },
  }
}

/**
 * Says what rules declare for an element among those that are open around it. How often each outer step is open is
 * counted as elements open and close, so that asking costs the same at any depth; in which order they stand is not
 * looked at. An element costs one look at each token of the rules and at each of their declarations, at most.
 */
export const createMatcher = (rules: readonly Rule[]) => {
  const { numbers: tokens, numberOf: tokenOf } = createNumbers()
  const { numberOf: compoundOf } = createNumbers()
  const { numberOf: placeOf } = createNumbers()
  /** Steps of selectors, each once, as the numbers of their tokens. */
  const compounds: (readonly number[])[] = []
  const numbered = rules.map(({ steps, declarations }) => {
    const numbers = steps.map(step => {
      const number = compoundOf(step.join(' '))
      compounds[number] ??= step.map(tokenOf)
      return number
    })
    const placed = declarations.map(declaration => ({
      place: placeOf(`${declaration[0]} ${declaration[2]}`),
      declaration,
    }))
    return { own: numbers.at(-1) ?? 0, outer: numbers.slice(0, -1), placed }
  })
  const compoundsOf = (element: Element): ReadonlySet<number> => {
    const has = new Uint8Array(tokens.size)
    for (const token of tokensOf(element)) {
      const number = tokens.get(token)
      if (number !== undefined) has[number] = 1
    }
    const found = new Set<number>()
    compounds.forEach((compound, number) => {
      if (compound.every(token => has[token] === 1)) found.add(number)
    })
    return found
  }
  const openOf = new Uint32Array(compounds.length)
  const known = new WeakMap<Element, ReadonlySet<number>>()
  const count = (numbers: ReadonlySet<number>, by: number): void => {
    for (const number of numbers) openOf[number] = (openOf[number] ?? 0) + by
  }
  return {
    /** Answers what is declared for it. */
    open: (element: Element): Declarations => {
      const own = compoundsOf(element)
      const last: Declarations[number][] = []
      for (const rule of numbered)
        if (own.has(rule.own) && rule.outer.every(outer => (openOf[outer] ?? 0) > 0))
          for (const { place, declaration } of rule.placed) last[place] = declaration
      count(own, 1)
      known.set(element, own)
      return last.filter(declaration => declaration !== undefined)
    },
    close: (element: Element): void => count(known.get(element) ?? new Set(), -1),
  }
}
