import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'

const DIST = new URL('../dist/', import.meta.url)
const MAX_BYTES = 300 * 1024

interface Chunk {
  readonly file: string
  readonly imports?: readonly string[]
  /** What is loaded when it is needed: of the entry, the screens; of a screen, its charts. */
  readonly dynamicImports?: readonly string[]
}

/** Whoever takes no brotli loads gzip; the greater of the two is what is promised. */
const compressedBytes = async (file: string): Promise<number> =>
  (await readFile(new URL(`${file}.gz`, DIST))).byteLength

test('what the first load needs of script is under 300 KB, whichever screen it is of', async t => {
  const manifest = JSON.parse(await readFile(new URL('.vite/manifest.json', DIST), 'utf8')) as Record<string, Chunk>
  const filesOf = (name: string): string[] => {
    const chunk = manifest[name]
    assert.ok(chunk, name)
    return [chunk.file, ...(chunk.imports ?? []).flatMap(filesOf)]
  }
  const bytesOf = async (...names: string[]): Promise<number> => {
    const files = new Set(names.flatMap(filesOf).filter(file => file.endsWith('.js')))
    const sizes = await Promise.all([...files].map(compressedBytes))
    return sizes.reduce((sum, size) => sum + size, 0)
  }
  const later = manifest['index.html']?.dynamicImports ?? []
  const screens = later.filter(name => name.startsWith('src/screens/'))
  assert.ok(screens.length >= 4)
  for (const screen of screens) {
    const bytes = await bytesOf('index.html', screen)
    t.diagnostic(`${screen}: ${Math.ceil(bytes / 1024)} KB`)
    assert.ok(bytes < MAX_BYTES, `${screen} needs ${bytes} bytes of script, compressed`)
  }
})
