import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import ts from 'typescript'
import { forPeople } from '../../schemas/domain/for-people.ts'

const ROOT = join(import.meta.dirname, '../..')
const globbed = (pattern: string): readonly string[] =>
  globSync(pattern, { cwd: ROOT }).filter(file => !/\.test\.tsx?$|testing/.test(file))

/**
 * Whose sentences reach the app whatever it calls: how calls are made, signing in, files, and what the pipeline gives
 * as its reasons.
 */
const ALWAYS = [
  'query-api/operations/{call,undo,parts}/*.ts',
  'query-api/{accounts,files,live}/*.ts',
  'query-api/http/{requests,problem,body-door,read-json}.ts',
  'query-api/worker/worker.ts',
  'processors/steps/{validate,cluster}/*.ts',
  'processors/jobs/{maintenance,keep-themes}.ts',
  'schemas/http/{violations,time,signal}.ts',
  'model/{quotas,transfers/records,transfers/signals,erasures}/*.ts',
  'infra/{postgres,clickhouse}/errors.ts',
  'infra/runtime/fair-queue.ts',
]
/**
 * No sentence of these is seen in the app: settings and files of an operator, tables with reasons for who reads the
 * code.
 */
const NEVER =
  /^model\/(moves|backup|sandbox|search|keys\/prov|quotas\/quotas|sources\/ingestion)|^model\/(erasures|transfers\/workspace)\/(tables|erasure-list|quotes)|^model\/sources\/kinds|\/(config|operator|list-accounts|create-connection|find-source-kind|named-questions|examples\/(?:index|programs)|fields|filters|triage-shape|signal-filters|search-filters|orient-snapshot|lookup-context|activity|idempotency)\.ts$/
const IMPORT = /^(?:import|export) (?!type)[^{}'"\r\n\u2028\u2029]*(?:\{[^{}'"]*\} )?from '(\.[^'\n]+\.ts)'/gm

/** The operations that the app calls, and what they import of the model. */
const filesOfApp = (): readonly string[] => {
  const app = globbed('web/src/**/*.{ts,tsx}')
    .map(file => readFileSync(join(ROOT, file), 'utf8'))
    .join('\n')
  const isCalled = (file: string): boolean => {
    const name = /name: '([a-z_]+)'/.exec(readFileSync(join(ROOT, file), 'utf8'))?.[1]
    return name !== undefined && app.includes(`'${name}'`)
  }
  const found = new Set<string>()
  const add = (file: string): void => {
    if (found.has(file) || NEVER.test(file)) return
    found.add(file)
    for (const [, path = ''] of readFileSync(join(ROOT, file), 'utf8').matchAll(IMPORT)) {
      const imported = relative(ROOT, join(ROOT, file, '..', path))
      if (/^(query-api\/operations|model)\//.test(imported)) add(imported)
    }
  }
  for (const file of globbed('query-api/operations/**/*.ts').filter(isCalled)) add(file)
  for (const file of ALWAYS.flatMap(globbed)) if (!NEVER.test(file)) found.add(file)
  return [...found]
}

/** At most so many ways to say one sentence are told apart. */
const MAX_WAYS = 64
const VALUE = '{value}'
const IS_VALUE = /^(?:\{value\}|[\s.,:;])*$/

type Scope = ReadonlyMap<string, ts.Node>

/** What the names of a file stand for. */
const namedIn = (source: ts.SourceFile): Map<string, ts.Node> => {
  const named = new Map<string, ts.Node>()
  const visit = (node: ts.Node): void => {
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined)
      named.set(node.name.text, node.initializer)
    ts.forEachChild(node, visit)
  }
  visit(source)
  return named
}

const returnsOf = (body: ts.Node): readonly ts.Expression[] => {
  const found: ts.Expression[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isReturnStatement(node) && node.expression !== undefined) found.push(node.expression)
    else if (!ts.isArrowFunction(node)) ts.forEachChild(node, visit)
  }
  visit(body)
  return found
}

/** All that an expression can say, with `{value}` for what only a run tells. */
const waysOf = (node: ts.Node, scope: Scope, depth = 0): readonly string[] => {
  const any = (nodes: readonly ts.Node[]): readonly string[] => [
    ...new Set(nodes.flatMap(each => waysOf(each, scope, depth + 1))),
  ]
  const joined = (all: readonly (readonly string[])[]): readonly string[] =>
    all.reduce((left, right) => left.flatMap(one => right.map(other => one + other)).slice(0, MAX_WAYS), [''])
  const orValue = (ways: readonly string[]): readonly string[] => (ways.length === 0 ? [VALUE] : ways)
  if (depth > 9) return [VALUE]
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node) || ts.isAwaitExpression(node))
    return any([node.expression])
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.flatMap(span => [any([span.expression]), [span.literal.text]])
    return joined([[node.head.text], ...spans])
  }
  if (ts.isConditionalExpression(node)) return any([node.whenTrue, node.whenFalse])
  if (ts.isBinaryExpression(node)) {
    const { left, right, operatorToken } = node
    if (operatorToken.kind === ts.SyntaxKind.PlusToken) return joined([any([left]), any([right])])
    if (operatorToken.kind === ts.SyntaxKind.QuestionQuestionToken) return any([left, right])
  }
  if (ts.isIdentifier(node)) {
    const known = scope.get(node.text)
    return known === undefined ? [VALUE] : any([known])
  }
  if (ts.isCallExpression(node) && ts.isIdentifier(node.expression)) {
    // A noun in its number, and behind it.
    const { text: called } = node.expression
    if (called === 'plural' || called === 'counted') {
      const [, one, many] = node.arguments
      const nouns =
        many === undefined
          ? orValue(any(one ? [one] : []).flatMap(noun => [noun, `${noun}s`]))
          : any([one ?? many, many])
      return called === 'plural' ? nouns : joined([[`${VALUE} `], nouns])
    }
    const known = scope.get(node.expression.text)
    if (known !== undefined && ts.isArrowFunction(known))
      return orValue(ts.isBlock(known.body) ? any(returnsOf(known.body)) : any([known.body]))
  }
  if (ts.isElementAccessExpression(node) && ts.isIdentifier(node.expression)) {
    const known = scope.get(node.expression.text)
    if (known !== undefined && ts.isObjectLiteralExpression(known))
      return orValue(any(known.properties.flatMap(each => (ts.isPropertyAssignment(each) ? [each.initializer] : []))))
  }
  return [VALUE]
}

/** Where a text is for agents, for operators or for who reads the code. */
const NOT_SHOWN =
  /^(summary|description|describe|title|cannotBeUndone|untrustedText|examples?|comment|idempotency|hints?|meaning|shows|call|invariant|label|about|steps|ask|next|Error|warn|error|info|debug|guarantee|closedAnswer|fields?|text|strictObject|Object|Optional|todo|Union)$/
/** Codes of errors that no person of a workspace meets. */
const OF_OPERATORS = /^'(internal|invalid_configuration|damaged)'$/

const isShown = (node: ts.Node): boolean => {
  for (let at = node; at.parent !== undefined && !ts.isSourceFile(at.parent); at = at.parent) {
    const { parent } = at
    if (ts.isPropertyAssignment(parent) && NOT_SHOWN.test(parent.name.getText())) return false
    // Why an agent may call a tool next.
    if (ts.isObjectLiteralExpression(parent) && parent.properties.some(each => each.name?.getText() === 'tool'))
      return false
    if ((ts.isCallExpression(parent) || ts.isNewExpression(parent)) && at !== parent.expression) {
      const called = ts.isPropertyAccessExpression(parent.expression) ? parent.expression.name : parent.expression
      if (NOT_SHOWN.test(called.getText())) return false
      if (called.getText() === 'AssayError' && OF_OPERATORS.test(parent.arguments?.[0]?.getText() ?? '')) return false
    }
  }
  return true
}

/** What follows its end is another sentence, of another place. */
const IS_SENTENCE = /^[A-Z“"{][^ ]* .*[.!?](?: \{value\})*$/s
/** What is wrong of one field. */
const IS_VIOLATION = /^(?:is|must|needs|does not|has|exactly) /

/** What the code calls what it stores for people to read. */
const STORED = /^(?:statement|reason)$/

/** What the code calls who began a job, in words that its list shows. */
const BEGINNER = 'startedBy'

const saysWhoBegan = ({ parent }: ts.Node): boolean =>
  ts.isPropertyAssignment(parent) && parent.name.getText() === BEGINNER

/** Whether a text is what a Decision, a piece of evidence or a merge says from then on. */
const isStored = (node: ts.Node): boolean => {
  for (let at = node; at.parent !== undefined; at = at.parent) {
    const { parent } = at
    // What is refused is not stored.
    if (ts.isNewExpression(parent) || ts.isThrowStatement(parent)) return false
    if ((ts.isPropertyAssignment(parent) || ts.isVariableDeclaration(parent)) && STORED.test(parent.name.getText()))
      return true
    if (ts.isArrowFunction(parent)) return false
  }
  return false
}

interface Sentence {
  /** The file that has it. */
  readonly file: string
  readonly isStored: boolean
}

/** What the service may say to people in the app. Values are `{value}`. */
export const sentencesOfService = (): ReadonlyMap<string, Sentence> => {
  const files = filesOfApp()
  const sources = files.map(file =>
    ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true),
  )
  const shared = new Map<string, ts.Node>()
  for (const source of sources) {
    for (const [name, node] of namedIn(source)) if (ts.isArrowFunction(node)) shared.set(name, node)
  }
  const sentences = new Map<string, Sentence>()
  for (const source of sources) {
    const scope = new Map([...shared, ...namedIn(source)])
    const visit = (node: ts.Node): void => {
      const isText = ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)
      if (!isText) ts.forEachChild(node, visit)
      for (const way of isText && isShown(node) ? waysOf(node, scope) : []) {
        const sentence = forPeople(way)
        const isSaid = IS_SENTENCE.test(way) || IS_VIOLATION.test(way) || saysWhoBegan(node)
        if (isSaid && !IS_VALUE.test(sentence))
          sentences.set(sentence, { file: source.fileName, isStored: isStored(node) })
      }
    }
    visit(source)
  }
  return sentences
}
