/**
 * A program: runs test files, several at once, and ends with 1 when a test fails. Without arguments it runs every file;
 * `--stores` those that do not care which stores they are given, `--rest` all that need run neither after these nor
 * after `npm run check`, `--long` the long suites; anything else, also behind one of these, is a pattern of files, each
 * of which runs in a process of its own.
 *
 * Beside what `node --test` does, it begins with the files that take longest, so that no core waits for the last of
 * them, runs files that can share a process in groups, and has one installation up for the tests of the app that need
 * none of their own.
 */
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { run } from 'node:test'
import { keepTemporaryFilesInMemory } from '../infra/stack/temporary-files.ts'
import report from '../infra/stack/test-reporter.ts'
import { APP, filesFor, LONG_SUITES, ROOT } from './files.ts'
import { groupsOf } from './groups.ts'
import { havePassed, recordPassed } from './long-suites.ts'
import { BUILT_PROGRAM_VARIABLE, TEST_FLAGS } from './support/assay.ts'
import { linkBrowser, unpackBrowser } from './support/browser.ts'
import { buildProgram } from './support/built-program.ts'
import { type Installation, SHARED_INSTALLATION_VARIABLE, startSharedInstallation } from './support/installation.ts'

/** Two cores are busy with four: tests wait for browsers, timers and engines that start. */
const CONCURRENCY = 4
const FLAGS = ['--disable-warning=ExperimentalWarning', ...TEST_FLAGS]

/** Long after the slowest file has ended on a slow machine. */
const UNUSUAL_MS = 12 * 60_000

/** Whole programs, started a hundred times. */
const STARTS_PROGRAMS = /^(test|web\/tests)\//

/** What runs in one process: a file, or a group by way of a program that is written for it. */
interface Entry {
  readonly path: string
  readonly files: readonly string[]
  /** Where a group writes how far it is. */
  readonly progress: string | null
}

const GROUP_PROGRAM = new URL('group.ts', import.meta.url).href

const entriesOf = async (groups: readonly string[][], directory: string): Promise<Entry[]> => {
  const entries: Entry[] = []
  for (const [at, files] of groups.entries()) {
    const [first = ''] = files
    if (files.length === 1) {
      entries.push({ path: join(ROOT, first), files, progress: null })
      continue
    }
    const name = `${first.split('/', 1)[0]}-${at}-with-${files.length}-files`
    const path = join(directory, `${name}.mjs`)
    const progress = join(directory, name)
    const program = `import { runGroup } from '${GROUP_PROGRAM}'\nawait runGroup(${JSON.stringify(files)}, ${JSON.stringify(progress)})\n`
    await writeFile(path, program)
    entries.push({ path, files, progress })
  }
  return entries
}

/** Where a process is that has not ended as it should. */
const readProgress = ({ path, progress }: Entry): string => {
  if (progress === null) return `in ${path.slice(ROOT.length)}`
  return existsSync(progress) ? readFileSync(progress, 'utf8') : `before the first file of ${path}`
}

/**
 * Runs the groups, each in a process; `onEnded` is told of each file that has ended. Answers whether all tests passed.
 */
const runGroups = async (groups: readonly string[][], onEnded: (file: string) => void): Promise<boolean> => {
  const directory = await mkdtemp(join(tmpdir(), 'assay-test-groups-'))
  const entries = await entriesOf(groups, directory)
  const byPath = new Map(entries.map(entry => [entry.path, entry]))
  const since = new Map<Entry, number>()
  const notices: string[] = []
  let passed = true
  const events = run({ files: entries.map(({ path }) => path), concurrency: CONCURRENCY, execArgv: FLAGS })
  events.on('test:dequeue', ({ name, nesting }) => {
    const entry = nesting === 0 ? byPath.get(name) : undefined
    if (entry !== undefined) since.set(entry, Date.now())
  })
  events.on('test:fail', ({ name, nesting }) => {
    passed = false
    const entry = nesting === 0 ? byPath.get(name) : undefined
    if (entry !== undefined) notices.push(`A process ended with an error ${readProgress(entry)}`)
  })
  events.on('test:summary', ({ file, success }) => {
    passed &&= success
    const entry = file === undefined ? undefined : byPath.get(file)
    if (entry === undefined) return
    since.delete(entry)
    for (const each of entry.files) onEnded(each)
  })
  const watch = setInterval(() => {
    for (const [entry, at] of since)
      if (Date.now() - at > UNUSUAL_MS)
        console.error(`\n*** Runs for ${Math.round((Date.now() - at) / 60_000)} minutes: ${readProgress(entry)} ***\n`)
  }, 60_000)
  for await (const text of report(events)) process.stdout.write(text)
  clearInterval(watch)
  for (const notice of notices) console.error(`\n*** ${notice} ***\n`)
  await rm(directory, { recursive: true, force: true })
  return passed
}

/** The long suites are left out of `--rest` when they passed with this very app. */
const chosenFor = (words: readonly string[]): readonly string[] => {
  const files = filesFor(words)
  if (words[0] !== '--rest' || !havePassed()) return files
  console.log(`Left out, since they passed with this app (npm run test:long): ${LONG_SUITES.join(', ')}`)
  return files.filter(file => !LONG_SUITES.includes(file))
}

const main = async (words: readonly string[]): Promise<number> => {
  const files = chosenFor(words)
  if (files.length === 0) {
    console.error(`No test file is like ${words.join(', ')}.`)
    return 1
  }
  const ofTheApp = new Set(files.filter(file => file.startsWith(APP)))
  const browser = ofTheApp.size > 0 ? await unpackBrowser() : null
  const removeTemporaryFiles = await keepTemporaryFilesInMemory()
  try {
    if (browser !== null) await linkBrowser(browser)
    const code = await runFiles(words, files, ofTheApp)
    if (code === 0 && words.join(' ') === '--long') recordPassed()
    return code
  } finally {
    await removeTemporaryFiles()
  }
}

const runFiles = async (words: readonly string[], files: readonly string[], ofTheApp: Set<string>): Promise<number> => {
  // Hundreds of processes read the same files: each finds what V8 made of them.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache/node')
  const isWhole = words.every(word => word.startsWith('--'))
  if (isWhole && files.some(file => STARTS_PROGRAMS.test(file)))
    process.env[BUILT_PROGRAM_VARIABLE] = await buildProgram()
  let shared: Installation | null = null
  if (ofTheApp.size > 1) {
    // What this process starts is started as by a test.
    process.execArgv.push(...TEST_FLAGS)
    shared = await startSharedInstallation()
    process.env[SHARED_INSTALLATION_VARIABLE] = shared.baseUrl
  }
  // It goes when the last of them has ended: what idles takes its share of the processor, too.
  const groups = isWhole ? groupsOf(files) : files.map(file => [file])
  const passed = await runGroups(groups, file => {
    if (ofTheApp.delete(file) && ofTheApp.size === 0) void shared?.remove()
  })
  return passed ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
