import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'

const FOLDER = new URL('../', import.meta.url)

/** A body that is read, of a request or an answer, or text that is parsed. */
const READS = /\.(?:json|text|arrayBuffer|formData|blob|bytes)\(\)|\b(?:request|raw|req)\.body\b|\bJSON\.parse\b/

/** The door itself. */
const DOOR = ['http/body-door.ts', 'http/read-json.ts']

/** Which files read something else, and what: never the body of a request. */
const OTHERS: Readonly<Record<string, string>> = {
  'accounts/account-route.ts': 'An answer of the library.',
  'accounts/auth.ts': 'An answer of the library.',
  'accounts/passkey-routes.ts': 'An answer of the library.',
  'accounts/sessions.ts': 'The token of a link, whose body has at most 16 KiB.',
  'accounts/sign-on/issuer.ts': 'An answer of the issuer, as long as it may be.',
  'accounts/sign-on/sign-on.ts': 'The token of the issuer.',
  'evals/run.ts': 'What a tool answered.',
  'mail/mail-queue.ts': 'A mail that was sealed here.',
  'mcp/tool-call.ts': 'The facts of a refusal, which were written here.',
  'operations/parts/lists.ts': 'A cursor, whose length its field bounds.',
  'operations/solutions/lookup-solution.ts': 'What the database answered.',
  'operations/sources/automatic-mail.ts': 'What the database answered.',
  'operations/sources/examples/programs.ts': 'The text of a program, for people to copy.',
}

const isTest = (file: string): boolean => /\.test\.ts$|\.testing\.ts$|(^|\/)testing[^/]*\.ts$/.test(file)

test('bodies of requests are read by the one door, and nowhere else', () => {
  const files = globSync('**/*.ts', { cwd: FOLDER.pathname }).filter(file => !isTest(file))
  assert.ok(files.length > 200, 'all files are looked at')
  const reading = files.filter(file => READS.test(readFileSync(new URL(file, FOLDER), 'utf8')))
  assert.deepEqual(reading.sort(), [...DOOR, ...Object.keys(OTHERS)].sort())
})
