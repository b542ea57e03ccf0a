import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import ts from 'typescript'

/**
 * Each element of a spread array is an argument of the call, and a call with some 120,000 of them throws a RangeError.
 * Who sends enough lines, rows or values would have every such call answer 500.
 */
const ROOT = join(import.meta.dirname, '..')
const PRODUCT = '{commands,infra,ingest,model,processors,query-api,schemas}/**/*.ts'

/** What bounds the arrays that are spread in a file, and how many spreads there are. Others may not be spread. */
const BOUNDED: Readonly<Record<string, readonly [spreads: number, bound: string]>> = {
  'commands/account.ts': [1, 'accounts that one command lists'],
  'commands/ledger-table.ts': [1, 'rows of a table on a terminal'],
  'infra/backup/byte-search.ts': [2, 'excerpts that a proof looks for, 100'],
  'infra/charsets/detected-charset.ts': [2, 'languages that are compared, and the charsets that are tried'],
  'infra/log/conformance/retention.ts': [1, 'what a test of a log has written'],
  'infra/log/kafka/contents.ts': [1, 'partitions'],
  'infra/log/kafka/retention.ts': [1, 'partitions'],
  'infra/postgres/held-writes.ts': [1, 'arguments of one query'],
  'infra/runtime/list-entries.ts': [1, 'files of the data directory in one folder'],
  'infra/text-index/concepts.ts': [1, 'splits of one word'],
  'infra/text-index/text-index.ts': [1, 'fields of a text'],
  'ingest/ingest.ts': [1, 'receivers'],
  'ingest/receivers/drafts.ts': [1, 'parts of the key of a signal'],
  'ingest/receivers/email/reading/css.ts': [1, 'longhands of one declaration'],
  'ingest/smtp/handle-mail.ts': [1, 'recipients of a mail, 100'],
  'model/activity/activity-clauses.ts': [1, 'fields that a question may name'],
  'model/members/people.ts': [1, 'members of a workspace'],
  'model/merges/chance/fit.ts': [1, 'a batch of texts'],
  'model/references/resolve.ts': [1, 'candidates of one name'],
  'model/sandbox/story/claims.ts': [1, 'evidence of a claim of the sandbox'],
  'model/signals/select-signals.ts': [1, 'kinds of filters of a list'],
  'model/themes/likeness.ts': [1, 'the two of a pair'],
  'model/themes/read-themes.ts': [2, 'the surest members of one theme'],
  'processors/framework/health.ts': [1, 'partitions'],
  'processors/framework/run-step.ts': [1, 'signals of a batch'],
  'processors/framework/step-activity.ts': [2, 'parts of the name of an event'],
  'processors/jobs/find-themes/find-themes.ts': [1, 'a page of 500'],
  'processors/jobs/import/import-workspace.ts': [1, 'parts of the name of an event'],
  'processors/sinks/activity/store-events.ts': [2, '3,000 ids of a question'],
  'processors/steps/classify/built-in/lexicon.ts': [1, 'classes'],
  'processors/steps/classify/built-in/linear.ts': [2, 'classes'],
  'processors/steps/classify/built-in/noise.ts': [2, 'numbers of a vector, and classes'],
  'processors/steps/classify/built-in/train.ts': [1, 'classes'],
  'processors/steps/classify/classify.ts': [1, 'calls to a classifier at once'],
  'processors/steps/dedup/dedup.ts': [1, 'signals of a batch'],
  'processors/steps/scrub/detectors/introduced.ts': [1, 'countries of one word'],
  'query-api/evals/story/seed.ts': [1, 'what the story of an eval has'],
  'query-api/mail/messages.ts': [2, 'lines of one digest'],
  'query-api/operations/activity/named-questions.ts': [1, 'sources of a workspace'],
  'query-api/operations/activity/resolve-filters.ts': [1, 'objects of one name'],
  'query-api/operations/decisions/reverse-decision.ts': [2, 'elements of one decision'],
  'query-api/operations/diagnosis/findings/pipeline.ts': [4, 'steps, and reasons of dead letters and refusals'],
  'query-api/operations/diagnosis/findings/requests.ts': [1, 'kinds of requests'],
  'query-api/operations/diagnosis/findings/sources.ts': [1, 'sources of a workspace'],
  'query-api/operations/diagnosis/findings/work.ts': [1, 'jobs of a workspace that are in trouble'],
  'query-api/operations/references/lookup-reference.ts': [1, 'candidates of one name'],
  'query-api/operations/signals/trace-signal.ts': [2, '1,000 steps of a signal'],
}

/** An array whose elements all stand there, one for one. */
const isWrittenOut = (node: ts.Expression): boolean => {
  if (ts.isParenthesizedExpression(node)) return isWrittenOut(node.expression)
  if (ts.isConditionalExpression(node)) return isWrittenOut(node.whenTrue) && isWrittenOut(node.whenFalse)
  if (ts.isArrayLiteralExpression(node)) return !node.elements.some(ts.isSpreadElement)
  // As many as the array has that they are made of.
  const call = ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression) ? node.expression : null
  return call !== null && /^(map|toSorted)$/.test(call.name.text) && isWrittenOut(call.expression)
}

/** `a.slice(from, from + 1)` */
const isOne = (node: ts.Expression): boolean => /\.slice\((\w+), \1 \+ 1\)$/.test(node.getText())

const isRestParameter = (node: ts.Expression): boolean => {
  if (!ts.isIdentifier(node)) return false
  for (let at: ts.Node = node; at !== undefined; at = at.parent) {
    if (!ts.isFunctionLike(at)) continue
    const own = at.parameters.find(({ name }) => name.getText() === node.text)
    if (own !== undefined) return own.dotDotDotToken !== undefined
  }
  return false
}

const spreadsIn = (file: string): readonly string[] => {
  const source = ts.createSourceFile(file, readFileSync(join(ROOT, file), 'utf8'), ts.ScriptTarget.Latest, true)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      for (const argument of node.arguments ?? []) {
        if (!ts.isSpreadElement(argument)) continue
        const { expression } = argument
        if (isWrittenOut(expression) || isOne(expression) || isRestParameter(expression)) continue
        const { line } = source.getLineAndCharacterOfPosition(argument.getStart())
        found.push(`${file}:${line + 1} ${argument.getText()}`)
      }
    }
    ts.forEachChild(node, visit)
  }
  visit(source)
  return found
}

test('no call has an argument for each element of an array that strangers make long', () => {
  const files = globSync(PRODUCT, { cwd: ROOT }).filter(file => !/\.(test|trial)\.ts$|testing/.test(file))
  assert.ok(files.length > 500, `${files.length} files`)
  const wrong = files.flatMap(file => {
    const found = spreadsIn(file)
    const [spreads = 0] = BOUNDED[file] ?? []
    return found.length === spreads ? [] : [`${file}: ${spreads} are bounded of ${found.length}`, ...found]
  })
  assert.deepEqual(wrong, [], 'Append in a loop, or reduce; or say what bounds the array.')
  assert.deepEqual(
    Object.keys(BOUNDED).filter(file => !files.includes(file)),
    [],
  )
})
