/**
 * The app that the long suites last passed with: `npm test` runs them when the app is another one. `npm run test:long`
 * runs them always, and writes `long-suites.json` when they pass.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { LONG_SUITES, ROOT } from './files.ts'

const OF_THE_APP = [
  ...['web/*.{ts,html}', 'web/{messages,src,static}/**/*.*', 'schemas/**/*.ts', 'package-lock.json'],
  // What the suites import of each other and of other tests.
  ...['web/tests/*.ts', 'web/tests/{forms,keys}/*.ts'],
]
const RECORD = join(ROOT, 'test/long-suites.json')

const isOfOtherSuite = (file: string): boolean => file.endsWith('.test.ts') && !LONG_SUITES.includes(file)

/** SHA-256 in hex over the names and contents of the app's files and of the suites. */
const digestOfApp = (): string => {
  const digest = createHash('sha256')
  const files = globSync(OF_THE_APP, { cwd: ROOT })
  for (const file of files.filter(each => !isOfOtherSuite(each)).toSorted())
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return digest.digest('hex')
}

/** Whether the long suites passed with the app as it is. */
export const havePassed = (): boolean => JSON.parse(readFileSync(RECORD, 'utf8')).app === digestOfApp()

export const recordPassed = (): void => writeFileSync(RECORD, `${JSON.stringify({ app: digestOfApp() }, null, 2)}\n`)
