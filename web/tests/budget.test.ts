import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

const DIST = new URL('../dist/', import.meta.url)
/** What it is over TLS, where browsers take brotli; and without, where they take gzip. */
const MAX_BYTES = { br: 250 * 1024, gz: 290 * 1024 } as const

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  /** What is loaded when it is needed: of the entry, the screens. */
  readonly dynamicImports?: readonly string[]
}

/** What the page begins with, which decides on the language, and the app, which is read meanwhile. */
const APP = 'src/app.tsx'
const FIRST = ['index.html', APP]

/**
 * What no screen needs at first: what comes when somebody begins to write or compares two versions, and the messages of a language that
 * was chosen. English is in the code.
 */
const LATER = ['src/screens/solutions/document/writing/', 'messages/']
/** The messages of one language come beside the app. */
const MAX_MESSAGES_BYTES = 48 * 1024

const compressedBytes = async (file: string, encoding: keyof typeof MAX_BYTES): Promise<number> =>
  (await readFile(new URL(`${file}.${encoding}`, DIST))).byteLength

test('what the first load needs of script is under 250 KB, whichever screen it is of, with what it shows at first', async t => {
  const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8')) as Record<string, Chunk>
  /** With what a screen loads by itself: a chart that comes a moment later is a part of what it shows. */
  const filesOf = (name: string, isScreen: boolean): string[] => {
    const chunk = manifest[name]
    assert.ok(chunk, name)
    const parts = [...(chunk.imports ?? []), ...(isScreen ? (chunk.dynamicImports ?? []) : [])]
    const shown = parts.filter(part => !FIRST.includes(part) && !LATER.some(later => part.startsWith(later)))
    return [chunk.file, ...shown.flatMap(part => filesOf(part, isScreen))]
  }
  const later = manifest[APP]?.dynamicImports ?? []
  const screens = later.filter(name => name.startsWith('src/screens/'))
  assert.ok(screens.length >= 4)
  for (const [encoding, most] of Object.entries(MAX_BYTES) as ['br' | 'gz', number][]) {
    for (const screen of screens) {
      const files = new Set(
        [...FIRST.flatMap(name => filesOf(name, false)), ...filesOf(screen, true)].filter(file => file.endsWith('.js')),
      )
      const sizes = await Promise.all([...files].map(file => compressedBytes(file, encoding)))
      const bytes = sizes.reduce((sum, size) => sum + size, 0)
      t.diagnostic(`${screen}: ${Math.ceil(bytes / 1024)} KB, ${encoding}`)
      assert.ok(bytes < most, `${screen} needs ${bytes} bytes of script, ${encoding}`)
    }
  }
  for (const name of Object.keys(manifest).filter(each => each.startsWith('messages/'))) {
    const bytes = await compressedBytes(manifest[name]?.file ?? name, 'br')
    t.diagnostic(`${name}: ${Math.ceil(bytes / 1024)} KB, br`)
    assert.ok(bytes < MAX_MESSAGES_BYTES, `${name} has ${bytes} bytes`)
  }
})
