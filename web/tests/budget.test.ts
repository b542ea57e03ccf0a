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

/** Of each screen, with the style sheet, of the 18 requests; the others are the page and what is read. */
const MAX_FILES = 11

const APP = 'src/app.tsx'
/** What a language other than English says, by the file that says it; English is in the code. */
const MESSAGES = '../virtual:messages'
/** What is compressed by itself. */
const COMPRESSED = /\.woff2$/
const NAMED_ASSET = /\/(assets\/[^"]+\.(?:js|css|woff2))"/g

/**
 * What no screen needs at first: what comes when somebody begins to write, compares two versions or opens the tab of
 * Decisions, and the Outcome of a Solution that is done. `first-load.test.ts` counts what a page really reads.
 */
const LATER = [
  'src/screens/solutions/document/',
  'src/screens/solutions/decisions.tsx',
  'src/screens/solutions/outcome.tsx',
  MESSAGES,
]

const compressedBytes = async (file: string, encoding: keyof typeof MAX_BYTES): Promise<number> =>
  (await readFile(new URL(COMPRESSED.test(file) ? file : `${file}.${encoding}`, DIST))).byteLength

test('what the first load needs is under 250 KB, whichever screen it is of and in each language', async t => {
  const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8')) as Record<string, Chunk>
  /** With what a screen loads by itself: a chart that comes a moment later is a part of what it shows. */
  const filesOf = (name: string, isScreen: boolean): string[] => {
    const chunk = manifest[name]
    assert.ok(chunk, name)
    const parts = [...(chunk.imports ?? []), ...(isScreen ? (chunk.dynamicImports ?? []) : [])]
    const shown = parts.filter(part => part !== APP && !LATER.some(later => part.startsWith(later)))
    return [chunk.file, ...shown.flatMap(part => filesOf(part, isScreen))]
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
      language === 'en' ? [] : [`${MESSAGES}|${language}|${part.replace('src/', '')}`]
    for (const [encoding, most] of Object.entries(MAX_BYTES) as ['br' | 'gz', number][]) {
      for (const screen of screens) {
        const files = new Set([
          ...first,
          ...messagesOf('').flatMap(name => filesOf(name, false)),
          ...[screen, ...messagesOf(screen)].flatMap(name => filesOf(name, true)),
        ])
        const sizes = await Promise.all([...files].map(file => compressedBytes(file, encoding)))
        const bytes = sizes.reduce((sum, size) => sum + size, 0)
        t.diagnostic(`${language} ${screen}: ${Math.ceil(bytes / 1024)} KB in ${files.size} files, ${encoding}`)
        assert.ok(files.size <= MAX_FILES, `${screen}: ${[...files].join(', ')}`)
        assert.ok(bytes < most, `${screen} needs ${bytes} bytes, ${encoding}: ${[...files].join(', ')}`)
      }
    }
  }
})
