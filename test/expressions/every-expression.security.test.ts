import assert from 'node:assert/strict'
import { describe, it, test } from 'node:test'
import { scriptPattern } from '../../model/erasures/words.ts'
import { collectExpressions, type Expression } from './collect.ts'
import { growthOf } from './growth.ts'

/** What an expression takes with a text that it repeats, and what it is known to take. */
const KNOWN = {
  linear: [
    /\d+/,
    /\bfoo\w*x/,
    /\b\w+x/,
    /(?<!\d)\d+x/,
    /<[^<>]*>/,
    /^\s*(?:[-*]\s+)?\[x\](.*)$/,
    /^(\d+)\.(\d+)$/,
    /(?<!\s)\s+$/,
    /(?:^|,)\s*a/,
    /a.{0,30}b.{0,30}c/,
    /^.*\[x\]/s,
    /\w+(?=x)/y,
  ],
  polynomial: [
    /\d+$/,
    /\s+$/,
    /^a*a*$/,
    /translate\w*\(/,
    /(?:^|\s)(\d*\.?\d+px|0)(?=[\s/])/,
    /(?:rgb|hsl)a?\([^)]*\)|[^\s]+/g,
    /^#+[ \t]+(.*?)[ \t]*$/,
    /^\s*(a|b)?\s*:/,
    /"[^"]*“[^”]*”/,
    /a.{0,300}b.{0,300}c/,
    /^--.*\s*$/s,
    /(?=.*b)a/,
    /(?<=a.*)b/,
    /\{(\w+)\}|<(\w+)>(.*?)<\/\2>/gs,
  ],
  exponential: [/^(a+)+$/, /(a*)*b/, /^(?:a|a)*$/, /^(?:a|ab|b)*$/, /^(?:\w+\s?)*$/, /^(?:a?b?)*$/, /^(?:\s|\u00a0)*$/],
} as const

describe('How the work of an expression grows', () => {
  for (const [kind, expressions] of Object.entries(KNOWN)) {
    for (const expression of expressions) {
      it(`${expression} is ${kind}`, () => assert.equal(growthOf(expression.source, expression.flags).kind, kind))
    }
  }
})

const wrong = ({ place, source, flags }: Expression): readonly string[] => {
  const growth = growthOf(source, flags)
  if (growth.kind === 'linear') return []
  const repeated = JSON.stringify(growth.repeated)
  return [`${place}: ${growth.kind} where a text repeats ${repeated}: /${source.slice(0, 200)}/${flags}`]
}

test('The work of every regular expression of the product grows with the text and no faster', async () => {
  const { expressions, unseen } = await collectExpressions()
  assert.ok(expressions.length > 700, `${expressions.length} expressions are seen`)
  assert.deepEqual(
    expressions.flatMap(wrong),
    [],
    'Write it so that no two loops read the same text, or bound one by 64',
  )
  assert.deepEqual(unseen, [], 'Write what makes it as a template, or make it as its module loads')
})

test('So does that of an expression which is made for an erasure', () => {
  const needles = { words: ['Ann Lee', 'a@example.com', '+49 30 1234567', 'a'.repeat(200)] }
  const pattern = scriptPattern(needles)
  assert.ok(pattern)
  assert.deepEqual(wrong({ place: 'model/erasures/words.ts', source: pattern.source, flags: pattern.flags }), [])
})
