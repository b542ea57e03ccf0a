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

const isNotOurs = (path: string): boolean => /(^|\/)(node_modules|\.cache|\.data)$/.test(path)

const like = (patterns: readonly string[]): string[] =>
  globSync([...patterns], { cwd: ROOT, exclude: isNotOurs }).sort()

const rank = (file: string): number => {
  const found = LONGEST_FIRST.findIndex(folder => file.startsWith(folder))
  return found === -1 ? LONGEST_FIRST.length : found
}

const rest = (): string[] => {
  const both = new Set(like(ON_BOTH))
  const either = new Set(like(ON_EITHER))
  return like(EVERY).filter(file => both.has(file) || !either.has(file))
}

/**
 * The test files that `--stores`, `--rest`, patterns or nothing stand for, in the order to begin with them; paths below
 * `ROOT`.
 */
export const filesFor = (words: readonly string[]): string[] => {
  const [word] = words
  const files =
    word === '--stores'
      ? like([...ON_BOTH, ...ON_EITHER])
      : word === '--rest'
        ? rest()
        : like(words.length === 0 ? EVERY : words)
  return files.sort((one, other) => rank(one) - rank(other))
}
