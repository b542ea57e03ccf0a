import { globSync } from 'node:fs'

export const ROOT = new URL('../', import.meta.url).pathname
export const APP = 'web/tests/'

const EVERY = ['**/*.test.ts']
/** What is begun last should be short: a core waits while the other ends it. */
const LONGEST_FIRST = ['test/faults/', APP, 'test/end-to-end/', 'test/', 'query-api/', 'processors/']

/**
 * Of PostgreSQL and its embedded form themselves: on both. ClickHouse's engine is the same one in the stack and in
 * process.
 */
const ON_BOTH = ['infra/postgres/*.test.ts']

/** Of what is read and written: on one, the servers where these can be had. See docs/decisions/0050. */
const ON_EITHER = [
  'infra/clickhouse/*.test.ts',
  'model/**/*.test.ts',
  'ingest/registry/*.test.ts',
  'processors/jobs/**/*.test.ts',
  'processors/sinks/**/*.test.ts',
  'processors/steps/{anchor,dedup,insert,cluster}/*.test.ts',
  'processors/thread.test.ts',
  'query-api/**/*.test.ts',
]

/** Walks over every screen, form and write in a browser: a third of the time of all its tests. */
export const LONG_SUITES: readonly string[] = ['at-once', 'file-of-many', 'keys', 'narrow', 'two-persons'].map(
  name => `${APP}${name}.test.ts`,
)

/** What `npm run check` runs, and `npm test` begins with it. */
export const CHECKED = ['docs/pages.test.ts', 'web/messages/service.test.ts', 'test/expressions/*.test.ts']

const isNotOurs = (path: string): boolean => /(^|\/)(node_modules|\.cache|\.data)$/.test(path)

const like = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: ROOT, exclude: isNotOurs }).sort()

const rank = (file: string): number => {
  const found = LONGEST_FIRST.findIndex(folder => file.startsWith(folder))
  return found === -1 ? LONGEST_FIRST.length : found
}

const rest = (): string[] => {
  const both = new Set(like(ON_BOTH))
  const ran = new Set(like([...ON_EITHER, ...CHECKED]))
  return like(EVERY).filter(file => both.has(file) || !ran.has(file))
}

const SETS: ReadonlyMap<string, () => string[]> = new Map([
  ['--stores', () => like([...ON_BOTH, ...ON_EITHER])],
  ['--rest', rest],
  ['--long', () => [...LONG_SUITES]],
])

/**
 * The test files that words stand for, in the order to begin with them; paths below `ROOT`. Words are patterns of
 * files, before which `--stores`, `--rest` or `--long` may say of which ones; without patterns they are all.
 */
export const filesFor = (words: readonly string[]): string[] => {
  const set = SETS.get(words[0] ?? '')
  const patterns = set === undefined ? words : words.slice(1)
  const chosen = like(patterns.length === 0 ? EVERY : patterns)
  const ofSet = new Set(set?.() ?? chosen)
  return chosen.filter(file => ofSet.has(file)).sort((one, other) => rank(one) - rank(other))
}
