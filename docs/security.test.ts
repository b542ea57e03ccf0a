import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { filesFor, ROOT } from '../test/files.ts'

/**
 * What `docs/security.md` says that a test holds is held: every file it names is there, and it names every test of the
 * suite.
 */

const page = readFileSync(new URL('security.md', import.meta.url), 'utf8')
const named = [...new Set([...page.matchAll(/`(\w[\w./-]*\.(?:ts|sql|json|yaml))`/g)].map(([, file = '']) => file))]

test('the security page names files that are there', () => {
  assert.ok(named.length > 100)
  assert.deepEqual(
    named.filter(file => !existsSync(`${ROOT}${file}`)),
    [],
  )
})

test('every test of npm run test:security is named on the security page', () => {
  const suite = filesFor(['**/*.security.test.ts'])
  assert.ok(suite.length > 10)
  assert.deepEqual(
    suite.filter(file => !named.includes(file)),
    [],
  )
})
