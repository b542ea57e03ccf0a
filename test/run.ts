/**
 * A program: runs test files, several at once, and ends with 1 when a test fails. Without arguments it runs every file; `--stores` those
 * that do not care which stores they are given, `--rest` all that need not run after these; anything else is a pattern of files.
 *
 * Beside what `node --test` does, it begins with the files that take longest, so that no core waits for the last of them, and has one
 * installation up for the tests of the app that need none of their own.
 */
import { join } from 'node:path'
import { run } from 'node:test'
import report from '../infra/stack/test-reporter.ts'
import { APP, filesFor, ROOT } from './files.ts'
import { unpackBrowser } from './support/browser.ts'
import { type Installation, SHARED_INSTALLATION_VARIABLE, startSharedInstallation } from './support/installation.ts'

/** Two cores are busy with three: a test waits now and then for a browser or a timer. */
const AT_ONCE = 3
/** The databases of tests live for seconds: compiling what is hot in them a second time takes longer than it saves. */
const FLAGS = ['--disable-warning=ExperimentalWarning', '--liftoff-only']

/** Runs the files; `onEnded` is told of each that has ended. Answers whether all tests passed. */
const runFiles = async (files: readonly string[], onEnded: (file: string) => void): Promise<boolean> => {
  let passed = true
  const events = run({ files: files.map(file => join(ROOT, file)), concurrency: AT_ONCE, execArgv: FLAGS })
  events.on('test:fail', () => {
    passed = false
  })
  events.on('test:summary', ({ file, success }) => {
    passed &&= success
    if (file !== undefined) onEnded(file.slice(ROOT.length))
  })
  for await (const text of report(events)) process.stdout.write(text)
  return passed
}

const main = async (words: readonly string[]): Promise<number> => {
  const files = filesFor(words)
  if (files.length === 0) {
    console.error(`No test file is like ${words.join(', ')}.`)
    return 1
  }
  // Activity is told sooner than an installation tells it unless it is told otherwise: a test waits for it.
  process.env.ACTIVITY_LINGER ??= '100ms'
  // Hundreds of processes read the same files: each finds what V8 and the type stripper made of them.
  process.env.NODE_COMPILE_CACHE ??= join(ROOT, '.cache/node')
  const ofTheApp = new Set(files.filter(file => file.startsWith(APP)))
  let shared: Installation | null = null
  if (ofTheApp.size > 1) {
    await unpackBrowser()
    shared = await startSharedInstallation()
    process.env[SHARED_INSTALLATION_VARIABLE] = shared.baseUrl
  }
  // It goes when the last of them has ended: what idles takes its share of the processor, too.
  const passed = await runFiles(files, file => {
    if (ofTheApp.delete(file) && ofTheApp.size === 0) void shared?.remove()
  })
  return passed ? 0 : 1
}

process.exitCode = await main(process.argv.slice(2))
