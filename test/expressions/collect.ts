import { globSync, readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'
import ts from 'typescript'
import { ROOT } from '../files.ts'

/** A regular expression, and where it stands: `path:line`. */
export interface Expression {
  readonly place: string
  readonly source: string
  readonly flags: string
}

interface Written {
  readonly expressions: readonly Expression[]
  /** Those that are made of parts, with `x` for each part, or null where it is not a template that makes them. */
  readonly made: readonly (Expression | { readonly place: string; readonly source: null })[]
}

/** Programs and parts of tests are nobody's to attack. */
const NOT_PRODUCT =
  /^(?:test|bench|docs|web\/tests|query-api\/evals|infra\/log\/conformance)\/|(?:^|[/.])(?:test|testing|trial)(?:-\w+)*\.tsx?$/
const isSkipped = (path: string): boolean => /(?:^|\/)(?:node_modules|\.cache|\.data|dist)$/.test(path)

const productFiles = (): readonly string[] =>
  globSync('**/*.{ts,tsx,cjs}', { cwd: ROOT, exclude: isSkipped })
    .filter(path => !NOT_PRODUCT.test(path) && !path.endsWith('.d.ts'))
    .sort()

const isText = (node: ts.Node | undefined): node is ts.StringLiteral | ts.NoSubstitutionTemplateLiteral =>
  node !== undefined && ts.isStringLiteralLike(node)

const inParts = (place: string, source: ts.Node | undefined, flags: ts.Node | undefined): Written['made'][number] => {
  if (source === undefined || !ts.isTemplateExpression(source)) return { place, source: null }
  const parts = source.templateSpans.map(({ literal }) => `x${literal.text}`)
  return { place, source: source.head.text + parts.join(''), flags: isText(flags) ? flags.text : '' }
}

/** What a file has written out: literals, `RegExp` of texts, and the patterns of schemas. */
const writtenIn = (path: string): Written => {
  const text = readFileSync(`${ROOT}${path}`, 'utf8')
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)
  const expressions: Expression[] = []
  const made: Written['made'][number][] = []
  const visit = (node: ts.Node): void => {
    const place = () => `${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1}`
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf('/')
      expressions.push({ place: place(), source: node.text.slice(1, end), flags: node.text.slice(end + 1) })
    } else if ((ts.isNewExpression(node) || ts.isCallExpression(node)) && node.expression.getText(file) === 'RegExp') {
      const [source, flags] = node.arguments ?? []
      if (isText(source) && (flags === undefined || isText(flags)))
        expressions.push({ place: place(), source: source.text, flags: flags?.text ?? '' })
      else made.push(inParts(place(), source, flags))
    } else if (ts.isPropertyAssignment(node) && node.name.getText(file) === 'pattern' && isText(node.initializer))
      expressions.push({ place: place(), source: node.initializer.text, flags: '' })
    ts.forEachChild(node, visit)
  }
  visit(file)
  return { expressions, made }
}

/** The line of the product, in a file of those, that called. */
const caller = (files: ReadonlySet<string>): string | null => {
  const frames = new Error().stack?.split('\n') ?? []
  for (const frame of frames) {
    const [, path = '', line] = /file:\/\/(\/[^\s:()]+):(\d+):\d+\)?$/.exec(frame) ?? []
    const own = path.startsWith(ROOT) ? path.slice(ROOT.length) : ''
    if (files.has(own)) return `${own}:${line}`
  }
  return null
}

/** Loads modules, and answers each expression that they make of parts as they load. */
const madeBy = async (files: readonly string[]): Promise<readonly Expression[]> => {
  const made: Expression[] = []
  const wanted = new Set(files)
  const native = globalThis.RegExp
  const see = (expression: RegExp): RegExp => {
    const place = caller(wanted)
    if (place !== null) made.push({ place, source: expression.source, flags: expression.flags })
    return expression
  }
  globalThis.RegExp = new Proxy(native, {
    construct: (target, [source, flags]) => see(new target(source, flags)),
    apply: (target, _, [source, flags]) => see(target(source, flags)),
  })
  try {
    for (const file of files) await import(pathToFileURL(`${ROOT}${file}`).href)
  } finally {
    globalThis.RegExp = native
  }
  return made
}

interface Collected {
  readonly expressions: readonly Expression[]
  /** Where an expression is made that nobody has seen. */
  readonly unseen: readonly string[]
}

/** The app's modules load in a browser alone. */
const loads = (place: string): boolean => !place.startsWith('web/')

/**
 * Every regular expression of the product. One that is made of parts is what its module makes as it loads; in a
 * function, which would have to be called, and in the app, it is what its template says, with `x` for each part.
 */
export const collectExpressions = async (): Promise<Collected> => {
  const written = productFiles().map(writtenIn)
  const inParts = written.flatMap(({ made }) => made)
  const places = inParts.map(({ place }) => place).filter(loads)
  const made = await madeBy([...new Set(places.map(place => place.slice(0, place.lastIndexOf(':'))))])
  const seen = new Set(made.map(({ place }) => place))
  const others = inParts.filter(({ place }) => !seen.has(place))
  return {
    expressions: [
      ...written.flatMap(({ expressions }) => expressions),
      ...made,
      ...others.flatMap(other => (other.source === null ? [] : [other])),
    ],
    unseen: others.flatMap(({ place, source }) => (source === null ? [place] : [])),
  }
}
