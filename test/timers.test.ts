import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import ts from 'typescript'
import { ROOT } from './files.ts'

/** What sets a timer, and which of its arguments is the delay. */
const OF_THE_WORK_FIRST = /^(?:globalThis\.|window\.)?set(?:Timeout|Interval)$/
const OF_THE_DELAY_FIRST = /^AbortSignal\.timeout$/

/** Pages compute no delay by a clock, and import nothing of the service. */
const isProduct = (path: string): boolean =>
  !/^(?:test|bench|docs|web)\/|(?:^|[/.])(?:test|testing|trial)(?:-\w+)*\.tsx?$/.test(path)

const productFiles = (): readonly string[] =>
  globSync('**/*.{ts,tsx}', { cwd: ROOT, exclude: path => /(?:^|\/)(?:node_modules|\.cache|\.data|dist)$/.test(path) })
    .filter(isProduct)
    .sort()

/** Whether a delay is written out, by constants, or bounded: then no clock and no setting makes it too long. */
const isBounded = (delay: ts.Expression | undefined, file: ts.SourceFile): boolean => {
  if (delay === undefined || ts.isNumericLiteral(delay)) return true
  if (ts.isIdentifier(delay)) return /^[A-Z][A-Z0-9_]*$/.test(delay.text)
  if (ts.isParenthesizedExpression(delay)) return isBounded(delay.expression, file)
  if (ts.isBinaryExpression(delay)) return isBounded(delay.left, file) && isBounded(delay.right, file)
  if (ts.isConditionalExpression(delay)) return isBounded(delay.whenTrue, file) && isBounded(delay.whenFalse, file)
  if (!ts.isCallExpression(delay)) return false
  const called = delay.expression.getText(file)
  return called === 'timerMs' || (called === 'Math.min' && delay.arguments.some(each => isBounded(each, file)))
}

/** Where a file sets a timer with a delay that nothing bounds. */
const unboundedIn = (path: string, text: string): readonly string[] => {
  const file = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false)
  const promised = /import \{([^}]*)\} from '(?:node:)?timers\/promises'/.exec(text)?.[1] ?? ''
  const sleeps = [...promised.matchAll(/set(?:Timeout|Interval)(?: as (\w+))?/g)].map(([name, alias]) => alias ?? name)
  const found: string[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node)) {
      const called = node.expression.getText(file)
      const isFirst = OF_THE_DELAY_FIRST.test(called) || sleeps.includes(called)
      if ((isFirst || OF_THE_WORK_FIRST.test(called)) && !isBounded(node.arguments[isFirst ? 0 : 1], file))
        found.push(`${path}:${file.getLineAndCharacterOfPosition(node.getStart(file)).line + 1} ${called}`)
    }
    ts.forEachChild(node, visit)
  }
  visit(file)
  return found
}

test('every delay of a timer is a constant, or goes through timerMs', () => {
  const files = productFiles()
  assert.ok(files.length > 500)
  assert.deepEqual(
    files.flatMap(path => unboundedIn(path, readFileSync(`${ROOT}${path}`, 'utf8'))),
    [],
  )
})

test('a delay that nothing bounds is found', () => {
  const text = `import { setTimeout as sleep } from 'node:timers/promises'
    setTimeout(work, dueAt - Date.now())
    await sleep(pause)
    AbortSignal.timeout(settings.ms)
    setInterval(work, PERIOD_MS / 3)
    setTimeout(work, timerMs(dueAt - now()))`
  assert.deepEqual(unboundedIn('a.ts', text), ['a.ts:2 setTimeout', 'a.ts:3 sleep', 'a.ts:4 AbortSignal.timeout'])
})
