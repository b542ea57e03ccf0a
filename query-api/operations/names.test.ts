import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { ROOT } from '../../test/files.ts'
import { registry } from './registry.ts'

const FOLDER = new URL('./', import.meta.url)

test('an operation, its file and its export have one name', async () => {
  for (const [name, operation] of registry) {
    const [file, ...others] = globSync(`*/${name.replaceAll('_', '-')}.ts`, { cwd: FOLDER.pathname })
    assert.ok(file !== undefined && others.length === 0, `${name}: ${[file, ...others].join(', ')}`)
    const exported = name.replaceAll(/_([a-z])/g, (_: string, letter: string) => letter.toUpperCase())
    const module: Readonly<Record<string, unknown>> = await import(new URL(file, FOLDER).href)
    assert.equal(module[exported], operation, `${file} exports ${Object.keys(module).join(', ')}`)
  }
})

test('a list goes on with a cursor, or says that one answer holds all of it', () => {
  for (const { name, effect, input, output } of registry.values()) {
    const items = (output as { readonly properties?: Record<string, object> }).properties?.items
    if (effect !== 'read' || items === undefined || 'cursor' in input.properties) continue
    assert.match(JSON.stringify(items), /all in one answer/i, `${name} has neither`)
  }
})

/** Prose in place of the field's term: `docs/glossary.md` has the words. */
const PROSE = [
  /(^|_)(asleep|deaths?|died|letters?|lost|says|told|whole|withheld|yours)(_|$)/,
  /^(appeared|asked|because|deliveries|fell|left|means|of|rest|rose|through|times|trial|what|why|you)$/,
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

/** The same in what code declares, and in the names that SQL gives to rows. */
const PROSE_IN_CODE =
  /\b(?:const|let|type|interface|class|function) [[{]?(told|gone|asked|lacking|flight|takeOff|patience|patient)\b|\b(?:as|with) (told|gone|asked)\b/gi

test('what code declares has a name that readers can look up', () => {
  const sources = globSync('{commands,docs,infra,ingest,model,processors,query-api,schemas,web/src}/**/*.{ts,tsx}', {
    cwd: ROOT,
    exclude: path => /node_modules|(^|[./])(test|testing)\.tsx?$/.test(path),
  })
  assert.ok(sources.length > 1_000)
  const prose = sources.flatMap(source => {
    const lines = readFileSync(join(ROOT, source), 'utf8').split('\n')
    const code = lines.filter(line => !/^\s*(\/\/|\/?\*)/.test(line)).join('\n')
    return [...code.matchAll(PROSE_IN_CODE)].map(([found]) => `${source}: ${found}`)
  })
  assert.deepEqual(prose, [])
})
