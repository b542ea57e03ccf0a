/**
 * The app that the long suites last passed with: `npm test` runs them when the app is another one. `npm run test:long`
 * runs them always, and writes `long-suites.json` when they pass.
 */
import { createHash } from 'node:crypto'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { ROOT } from './files.ts'

const OF_THE_APP = ['web/*.{ts,html}', 'web/{messages,src,static,tests}/**/*.*', 'schemas/**/*.ts', 'package-lock.json']
const RECORD = join(ROOT, 'test/long-suites.json')

/** SHA-256 in hex over the names and contents of the app's files. */
const digestOfApp = (): string => {
  const digest = createHash('sha256')
  for (const file of globSync(OF_THE_APP, { cwd: ROOT }).toSorted())
    digest
      .update(`${file}\0`)
      .update(readFileSync(join(ROOT, file)))
      .update('\0')
  return digest.digest('hex')
}

/** Whether the long suites passed with the app as it is. */
export const havePassed = (): boolean => JSON.parse(readFileSync(RECORD, 'utf8')).app === digestOfApp()

export const recordPassed = (): void => writeFileSync(RECORD, `${JSON.stringify({ app: digestOfApp() }, null, 2)}\n`)
