import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { LEFT_OUT_PALETTES } from '../left-out-palettes.ts'

const SRC = import.meta.dirname

/** Classes that a library gives its own elements. */
const withoutForeign = (css: string): string => css.replaceAll(/:global\([^)]*\)/g, '')

/** The type of a CSS module allows any name: what is misspelt is `undefined`, and shows only to the eye. */
test('each class that a component uses is in its style sheet, and each class there is used', () => {
  const missing: string[] = []
  const unused = new Map<string, Set<string>>()
  for (const file of globSync('**/*.{ts,tsx}', { cwd: SRC })) {
    const text = readFileSync(join(SRC, file), 'utf8')
    for (const [, name, path = ''] of text.matchAll(/import (\w+) from '([^']+\.module\.css)'/g)) {
      const sheet = join(SRC, dirname(file), path)
      const classes = new Set(withoutForeign(readFileSync(sheet, 'utf8')).match(/(?<=\.)[a-z]\w*(?=[^{};]*\{)/gi))
      const rest = unused.get(sheet) ?? new Set(classes)
      unused.set(sheet, rest)
      for (const [used] of text.matchAll(new RegExp(`(?<=\\b${name}\\.)\\w+(?!.*\\.css')`, 'g'))) {
        if (!classes.has(used)) missing.push(`${file}: ${used}`)
        rest.delete(used)
      }
    }
  }
  assert.deepEqual(missing, [])
  assert.deepEqual(
    [...unused].flatMap(([sheet, names]) => [...names].map(name => `${sheet}: ${name}`)),
    [],
  )
})

test('no component and no style sheet names a palette that the build leaves out', () => {
  const name = `(${LEFT_OUT_PALETTES.join('|')})`
  const named = new RegExp(`['"\`]${name}(\\.\\d)?['"\`]|--mantine-color-${name}-`)
  const files = globSync('**/*.{ts,tsx,css}', { cwd: SRC })
  assert.deepEqual(
    files.filter(file => named.test(readFileSync(join(SRC, file), 'utf8'))),
    [],
  )
})

test('no style sheet says a word: what the app says comes from its messages', () => {
  for (const file of globSync('**/*.css', { cwd: SRC })) {
    assert.doesNotMatch(readFileSync(join(SRC, file), 'utf8'), /content:\s*["'][^"']*\p{L}/u, file)
  }
})
