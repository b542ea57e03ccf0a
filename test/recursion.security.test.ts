import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'
import ts from 'typescript'

/**
 * A function that calls itself for each level of what a stranger sent throws a RangeError where the levels are more
 * than a stack holds. Each that calls itself says here what bounds it; another one is written as a loop.
 */
const ROOT = join(import.meta.dirname, '..')
const PRODUCT = '{infra,ingest,model,processors,query-api,schemas,web/src}/**/*.{ts,tsx}'

const JSON_LEVELS = 'levels of JSON: 64 by a call, 1,000 in a line of an import, 100 in an export, 32 in metadata'
const LATER = 'begins again later, from the event loop'
const SCHEMA = 'levels of a schema of ours'
const MAP_LEVELS = 'levels of a map, 100'
const MARKDOWN_LEVELS = 'levels of Markdown, 16 of each kind'

const BOUNDED: Readonly<Record<string, string>> = {
  'infra/log/codec.ts': SCHEMA,
  'infra/log/embedded/consumer.ts': LATER,
  'infra/log/embedded/groups.ts': LATER,
  'infra/log/embedded/writes.ts': LATER,
  'infra/log/kafka/commits.ts': 'each commit of several alone, one level',
  'infra/models/batching-embedder.ts': 'each text of a batch alone, one level',
  'infra/postgres/embedded/index.ts': LATER,
  'infra/postgres/embedded/server.ts': LATER,
  'infra/runtime/health.ts': 'names itself in what it answers',
  'infra/runtime/list-entries.ts': 'folders of the data directory',
  'infra/runtime/program.ts': LATER,
  'infra/runtime/secrets.ts': 'names itself in a type',
  'infra/runtime/written-error.ts': 'causes of an error, a few',
  'infra/stack/engine.ts': 'tries of a port',
  'infra/vector-index/differing-bits.ts': 'names a variable of its own',
  'ingest/receivers/email/reading/mail.ts': 'mails in mails, three',
  'ingest/receivers/email/reading/parts.ts': 'nodes of a mail, 200',
  'ingest/receivers/email/reading/properties.ts': 'overflow-x and the like once more, as overflow',
  'ingest/receivers/email/reading/selectors.ts': 'choices in a choice, counted by the reader itself',
  'ingest/receivers/email/reading/text-style.ts': 'names a variable of its own',
  'ingest/registry/registry.ts': LATER,
  'model/erasures/quotes.ts': JSON_LEVELS,
  'model/reviews/figures.ts': 'names variables of its own',
  'model/search/search-matches.ts': 'once more, among more candidates',
  'model/search/search-texts.ts': LATER,
  'model/transfers/signals/rows.ts': 'three levels of JSON are taken apart',
  'model/transfers/workspace/check-row.ts': 'counts the levels of JSON itself',
  'model/transfers/workspace/exported-rows.ts': JSON_LEVELS,
  'processors/control/report.ts': LATER,
  'processors/framework/joint-batches.ts': LATER,
  'processors/framework/pipeline.ts': 'steps of the pipeline',
  'processors/framework/poll.ts': LATER,
  'processors/framework/thrown.ts': 'halves of a batch',
  'processors/jobs/runner.ts': LATER,
  'processors/steps/normalize/canonical.ts': JSON_LEVELS,
  'processors/steps/scrub/redact.ts': 'encodings in each other, two',
  'processors/steps/scrub/scrub.ts': JSON_LEVELS,
  'query-api/evals/run.ts': 'answers of ours to an eval',
  'query-api/live/watch.ts': LATER,
  'query-api/mcp/said-once.ts': JSON_LEVELS,
  'query-api/mcp/strangers-marks.ts': `${SCHEMA}, ${JSON_LEVELS}`,
  'query-api/operations/call/activity-buffer.ts': LATER,
  'query-api/operations/call/contract.ts': SCHEMA,
  'query-api/operations/changes/change-sections.ts': 'names a variable of its own',
  'query-api/operations/parts/lists.ts': 'levels of an answer of ours',
  'query-api/tools/brief-schema.ts': SCHEMA,
  'query-api/tools/define-tool.ts': SCHEMA,
  'schemas/domain/visible-text.ts': JSON_LEVELS,
  'schemas/http/json-values.ts': JSON_LEVELS,
  'schemas/http/violations.ts': SCHEMA,
  'web/src/api/operations.ts': 'once more, with a new session',
  'web/src/language/rich.ts': 'marks in a sentence of ours',
  'web/src/language/templates.ts': 'values in a sentence of the service, each shorter than it',
  'web/src/load-part.ts': LATER,
  'web/src/parts/evidence/undo.ts': LATER,
  'web/src/screens/decisions/change-list.tsx': JSON_LEVELS,
  'web/src/screens/map/outline.ts': MAP_LEVELS,
  'web/src/screens/map/treemap-layout.ts': MAP_LEVELS,
  'web/src/screens/proposals/pair.tsx': 'names a variable of its own',
  'web/src/screens/solutions/document/document.tsx': LATER,
  'web/src/screens/solutions/document/editor.tsx': 'names a variable of its own',
  'web/src/screens/solutions/markdown/inline-nodes.ts': MARKDOWN_LEVELS,
  'web/src/screens/solutions/markdown/markdown.tsx': MARKDOWN_LEVELS,
  'web/src/screens/triage/use-inbox.ts': LATER,
  'web/src/shell/following.ts': LATER,
  'web/src/shell/kept-focus.ts': LATER,
}

const isFunction = (node: ts.Node | undefined): node is ts.ArrowFunction | ts.FunctionExpression =>
  node !== undefined && (ts.isArrowFunction(node) || ts.isFunctionExpression(node))

/** Functions of a file, by name. Two of one name are one: what either names counts. */
const functionsIn = (source: ts.SourceFile): ReadonlyMap<string, readonly ts.Node[]> => {
  const found = new Map<string, ts.Node[]>()
  const visit = (node: ts.Node): void => {
    const named = (ts.isVariableDeclaration(node) && isFunction(node.initializer)) || ts.isFunctionDeclaration(node)
    if (named && node.name !== undefined && ts.isIdentifier(node.name))
      found.set(node.name.text, [...(found.get(node.name.text) ?? []), node])
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

const namedIn = (functions: ReadonlyMap<string, readonly ts.Node[]>, bodies: readonly ts.Node[]): Set<string> => {
  const found = new Set<string>()
  const visit = (node: ts.Node): void => {
    const isOfAnother =
      node.parent !== undefined &&
      ts.isPropertyAccessExpression(node.parent) &&
      node.parent.name === node &&
      node.parent.expression.kind !== ts.SyntaxKind.ThisKeyword
    const isName = node.parent !== undefined && 'name' in node.parent && node.parent.name === node
    const isField = isName && !ts.isPropertyAccessExpression(node.parent)
    if (ts.isIdentifier(node) && functions.has(node.text) && !isOfAnother && !isField) found.add(node.text)
    ts.forEachChild(node, visit)
  }
  for (const body of bodies) ts.forEachChild(body, visit)
  return found
}

/** Whether a function of the file names itself, or one that names it. */
const recurses = (source: ts.SourceFile): boolean => {
  const functions = functionsIn(source)
  const calls = new Map([...functions].map(([name, bodies]) => [name, namedIn(functions, bodies)]))
  return [...functions.keys()].some(name => {
    const reached = new Set<string>()
    const waiting = [...(calls.get(name) ?? [])]
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      if (next === name) return true
      if (reached.has(next)) continue
      reached.add(next)
      waiting.push(...(calls.get(next) ?? []))
    }
    return false
  })
}

test('every function that calls itself says what bounds it', () => {
  const files = globSync(PRODUCT, { cwd: ROOT }).filter(file => !/test|node_modules/.test(file))
  const found = files.filter(file =>
    recurses(ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true)),
  )
  assert.deepEqual(found.toSorted(), Object.keys(BOUNDED).toSorted())
})

/** Runs in a thread whose stack is half of the usual one. */
const ON_A_SMALL_STACK = `
  const { parentPort } = require('node:worker_threads')
  const nested = (open, close, levels) => JSON.parse(open.repeat(levels) + '1' + close.repeat(levels))
  const from = path => import('file://${ROOT}/' + path)
  const walk = async () => {
    const { visibleJson } = await from('schemas/domain/visible-text.ts')
    const { isShallow } = await from('schemas/http/json-values.ts')
    const { readJsonLine } = await from('model/transfers/signals/read-signal.ts')
    const { maskedDeep } = await from('model/transfers/workspace/exported-rows.ts')
    const { redactJson } = await from('processors/steps/scrub/scrub.ts')
    const { readWording } = await from('model/duplicates/wording/wording.ts')
    const { htmlText } = await from('ingest/receivers/email/reading/visible-html.ts')
    for (const [open, close] of [['[', ']'], ['{"a":', '}']]) {
      visibleJson(nested(open, close, 66))
      isShallow(nested(open, close, 5000))
      maskedDeep(nested(open, close, 100), 1)
      redactJson(nested(open, close, 32), new Map())
      readJsonLine(Buffer.from('{"text":"x","metadata":{"a":' + open.repeat(990) + '1' + close.repeat(990) + '}}'), Date.now())
    }
    for (const tag of ['b', 'div', 'ul><li', 'blockquote', 'table><tr><td']) htmlText(('<' + tag + '>').repeat(9000) + 'x')
    for (const line of ['hi, ', 'hello! ', 'Dear, ']) readWording(line.repeat(12000) + 'it fails')
  }
  walk().then(() => parentPort.postMessage('walked'), error => parentPort.postMessage(String(error.stack)))`

test('the deepest that each reader takes fits a small stack', async () => {
  const worker = new Worker(ON_A_SMALL_STACK, { eval: true, resourceLimits: { stackSizeMb: 0.5 } })
  const said = await new Promise((resolve, reject) => {
    worker.once('message', resolve)
    worker.once('error', reject)
  })
  await worker.terminate()
  assert.equal(said, 'walked')
})
