import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { LANGUAGES } from '../src/language/languages.ts'

const DIST = new URL('../dist/', import.meta.url)
/** What it is over TLS, where browsers take brotli; and without, where they take gzip. */
const MAX_BYTES = { br: 250 * 1024, gz: 290 * 1024 } as const

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  /** What is loaded when it is needed: of the app, the screens. */
  readonly dynamicImports?: readonly string[]
}

/**
 * Of each screen, with the style sheet, of the 18 requests that `first-load.test.ts` allows; the others are the page
 * and what is read. A language other than English has two more: what the app says, and what the screen says.
 */
const MAX_FILES = 9
const MAX_MESSAGE_FILES = 2

const APP = 'src/app.tsx'
/** What a language other than English says, by the file that says it; English is in the code. */
const MESSAGES = '../virtual:messages'
/** What is compressed by itself. */
const COMPRESSED = /\.woff2$/
const NAMED_ASSET = /\/(assets\/[^"]+\.(?:js|css|woff2))"/g

/** What no screen needs at first: what comes when somebody begins to write, changes something or compares versions. */
const LATER = [
  'src/screens/solutions/document/',
  'src/screens/solutions/dialogs/',
  'src/screens/triage/dialogs.tsx',
  'src/screens/map/map-dialogs.tsx',
  'src/screens/themes/node-of-theme.tsx',
  'src/screens/pipeline/dead-letters/',
  'src/screens/pipeline/trace-signal.tsx',
  'src/screens/roadmap/roadmap-dialogs.tsx',
  'src/screens/strategy/strategy-dialogs.tsx',
  'src/screens/map/proposed-places.tsx',
  'src/parts/evidence/choose.tsx',
  'src/parts/forms/conflicts.tsx',
  'src/parts/nothing-here.tsx',
  'src/screens/claims/claim-page.tsx',
  'src/screens/proposals/likely-pairs.tsx',
  MESSAGES,
]
/** A tab of a Solution, and the part of one that is done: within the bytes, and requested once somebody opens them. */
const OPENED_LATER = ['src/screens/solutions/decisions.tsx', 'src/screens/solutions/outcome.tsx']

const compressedBytes = async (file: string, encoding: keyof typeof MAX_BYTES): Promise<number> =>
  (await readFile(new URL(COMPRESSED.test(file) ? file : `${file}.${encoding}`, DIST))).byteLength

test('what the first load needs is under 250 KB, whichever screen it is of and in each language', async t => {
  const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8')) as Record<string, Chunk>
  /** With what a screen loads by itself: a chart that comes a moment later is a part of what it shows. */
  const filesOf = (
    name: string,
    isScreen: boolean,
    without: readonly string[] = LATER,
    seen = new Set<string>(),
  ): string[] => {
    // A part that is loaded later may import what loads it.
    if (seen.has(name)) return []
    seen.add(name)
    const chunk = manifest[name]
    assert.ok(chunk, name)
    const parts = [...(chunk.imports ?? []), ...(isScreen ? (chunk.dynamicImports ?? []) : [])]
    const shown = parts.filter(part => part !== APP && !without.some(later => part.startsWith(later)))
    return [chunk.file, ...shown.flatMap(part => filesOf(part, isScreen, without, seen))]
  }
  const later = manifest[APP]?.dynamicImports ?? []
  const screens = later.filter(name => name.startsWith('src/screens/'))
  assert.ok(screens.length >= 4)
  const page = await readFile(new URL('index.html', DIST), 'utf8')
  // What it begins with, the app, which is read meanwhile, and the style sheet.
  const first = [...page.matchAll(NAMED_ASSET)].map(([, file = '']) => file)
  assert.ok(first.length >= 4 && first.some(file => file.endsWith('.css')), first.join(', '))
  for (const { language } of LANGUAGES) {
    const messagesOf = (part: string) =>
      [`${MESSAGES}|${language}|${part.replace('src/', '')}`].filter(name => name in manifest)
    for (const [encoding, most] of Object.entries(MAX_BYTES) as ['br' | 'gz', number][]) {
      for (const screen of screens) {
        const messages = [...messagesOf(''), ...messagesOf(screen)].flatMap(name => filesOf(name, false))
        const requested = new Set([...first, ...messages, ...filesOf(screen, true, [...LATER, ...OPENED_LATER])])
        const files = new Set([...requested, ...filesOf(screen, true)])
        const sizes = await Promise.all([...files].map(file => compressedBytes(file, encoding)))
        const bytes = sizes.reduce((sum, size) => sum + size, 0)
        t.diagnostic(`${language} ${screen}: ${Math.ceil(bytes / 1024)} KB in ${requested.size} files, ${encoding}`)
        const allowed = MAX_FILES + (language === 'en' ? 0 : MAX_MESSAGE_FILES)
        assert.ok(requested.size <= allowed, `${screen}: ${[...requested].join(', ')}`)
        assert.ok(bytes < most, `${screen} needs ${bytes} bytes, ${encoding}: ${[...files].join(', ')}`)
      }
    }
  }
})
