import assert from 'node:assert/strict'
import { test } from 'node:test'
import { registry } from './registry.ts'

/** Prose in place of the field's term: `docs/glossary.md` has the words. */
const PROSE = [
  /(^|_)(asleep|deaths?|died|letters?|lost|says|told|whole|withheld|yours)(_|$)/,
  /^(appeared|because|deliveries|fell|left|means|of|rest|rose|through|times|trial|what|why|you)$/,
  /^(before|hand|lacks|may|most|stands|why|you)_/,
  /_(before|below|cut|on_the_way|over_time|rest)$/,
]

/** The names of all properties in a JSON Schema, at any depth. */
const fieldsOf = (schema: unknown): readonly string[] =>
  typeof schema !== 'object' || schema === null
    ? []
    : Object.entries(schema).flatMap(([keyword, value]) => [
        ...(keyword === 'properties' ? Object.keys(value) : []),
        ...fieldsOf(value),
      ])

test('a field of the API has a name that readers can look up', () => {
  for (const [name, { input, output }] of registry) {
    const prose = [...fieldsOf(input), ...fieldsOf(output)].filter(field =>
      PROSE.some(words => words.test(field.replace('dead_letter', 'term'))),
    )
    assert.deepEqual([...new Set(prose)], [], name)
  }
})
