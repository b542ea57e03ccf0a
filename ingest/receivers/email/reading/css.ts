/** Declarations of CSS by their property, in lower case, the later ones last. */
export type Declarations = readonly (readonly [property: string, value: string, important: boolean])[]

const ESCAPE = /\\([0-9a-f]{1,6})[ \t\n]?/gi

const unescaped = (css: string): string =>
  css.replace(ESCAPE, (_, hex: string) => {
    const code = Number.parseInt(hex, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ''
  })

/** What a `style` attribute, or the body of a rule, declares. */
export const readDeclarations = (css: string): Declarations =>
  unescaped(withoutComments(css))
    .toLowerCase()
    .split(';')
    .flatMap(declaration => {
      const colon = declaration.indexOf(':')
      if (colon === -1) return []
      const value = declaration.slice(colon + 1)
      const plain = value.replace('!important', '').trim()
      return [[declaration.slice(0, colon).trim(), plain, plain.length < value.trim().length] as const]
    })

/** An element as selectors see it. */
export interface Element {
  readonly name: string
  readonly id: string
  readonly classes: readonly string[]
}

/** One step of a selector, such as `td.note`: every token must be the element's. */
type Compound = readonly string[]

interface Rule {
  /** From the outermost; the last one is for the element itself. */
  readonly steps: readonly Compound[]
  readonly declarations: Declarations
}

const MAX_RULES = 200
const MAX_STEPS = 4
/** Properties that hide, or that something is hidden by. */
const HIDES =
  /display|visibility|opacity|font|color|background|height|width|indent|left|top|right|bottom|margin|clip|transform|mso-hide/

/**
 * The rules of style sheets that hide or colour. Selectors of names, classes and ids are known, one inside of the
 * other; rules for some screens alone are not.
 */
export const readRules = (sheets: readonly string[]): readonly Rule[] => {
  const rules: Rule[] = []
  for (const { selector, body } of sheets.flatMap(sheet => blocksOf(withoutComments(sheet)))) {
    if (!HIDES.test(body.toLowerCase())) continue
    const declarations = readDeclarations(body)
    for (const one of selector.split(',')) {
      const steps = readSelector(one)
      if (steps !== null && rules.length < MAX_RULES) rules.push({ steps, declarations })
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
  return steps.map(step => step.match(/[.#]?[\w-]+/g) ?? []).map(tokens => tokens.map(token => token.toLowerCase()))
}

const has = ({ name, id, classes }: Element, compound: Compound): boolean =>
  compound.every(token => {
    if (token.startsWith('.')) return classes.includes(token.slice(1))
    return token.startsWith('#') ? id === token.slice(1) : name === token
  })

/**
 * Says what rules declare for an element among those that are open around it. How often each outer step is open is
 * counted as elements open and close, so that asking costs the same at any depth; in which order they stand is not
 * looked at.
 */
export const createMatcher = (rules: readonly Rule[]) => {
  const outer = rules.map(({ steps }) => steps.slice(0, -1).map(() => 0))
  const count = (element: Element, by: number): void => {
    rules.forEach(({ steps }, index) => {
      const counts = outer[index]
      if (counts === undefined) return
      for (let step = 0; step < counts.length; step++)
        if (has(element, steps[step] ?? [])) counts[step] = (counts[step] ?? 0) + by
    })
  }
  return {
    declarations: (element: Element): Declarations =>
      rules.flatMap(({ steps, declarations }, index) =>
        has(element, steps.at(-1) ?? []) && outer[index]?.every(open => open > 0) ? declarations : [],
      ),
    open: (element: Element) => count(element, 1),
    close: (element: Element) => count(element, -1),
  }
}
