import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { copyFileSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, it } from 'node:test'
import { isAssayError } from '../runtime/errors.ts'
import { loadServer, PACKED, PACKED_BINARIES, packedBinary, verifiedBinary } from './load-server.ts'

const folder = mkdtempSync(join(tmpdir(), 'assay-native-'))
after(() => rmSync(folder, { recursive: true }))

const sha256 = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex')
const here = `uws_${process.platform}_${process.arch}_${process.versions.modules}`

const refused = (code: string, words: RegExp) => (error: unknown) => {
  assert.ok(isAssayError(error), String(error))
  assert.equal(error.code, code)
  assert.match(error.publicMessage, words)
  return true
}

it('knows the binary of every supported platform, for the Node that is pinned', () => {
  assert.deepEqual(
    Object.keys(PACKED_BINARIES).sort(),
    ['darwin_arm64', 'darwin_x64', 'linux_arm64', 'linux_x64'].map(
      platform => `uws_${platform}_${process.versions.modules}`,
    ),
  )
  for (const [name, expected] of Object.entries(PACKED_BINARIES))
    assert.equal(sha256(packedBinary(name)), expected, name)
})

it('loads the packed binary, and an operator’s own once its SHA-256 is what they set', async () => {
  assert.equal(typeof (await loadServer()).App, 'function')
  const own = join(folder, 'own.node')
  copyFileSync(packedBinary(here), own)
  assert.equal(typeof (await loadServer({ uwsBinary: own, uwsBinarySha256: sha256(own) })).App, 'function')
})

it('loads no binary in which one byte is another', async () => {
  const changed = join(folder, 'changed.node')
  const bytes = readFileSync(packedBinary(here))
  bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
  writeFileSync(changed, bytes)
  const settings = { uwsBinary: changed, uwsBinarySha256: PACKED_BINARIES[here] ?? '' }
  await assert.rejects(
    loadServer(settings),
    refused('forbidden', /was not loaded: its SHA-256 is [0-9a-f]{64}, not [0-9a-f]{64}/),
  )
})

it('refuses what is no binary before the system is asked to load it, and says so of one that is missing', async () => {
  const text = join(folder, 'text.node')
  writeFileSync(text, 'no binary')
  await assert.rejects(
    verifiedBinary({ uwsBinary: text, uwsBinarySha256: 'a'.repeat(64) }),
    refused('forbidden', /UWS_BINARY_SHA256/),
  )
  await assert.rejects(
    loadServer({ uwsBinary: text, uwsBinarySha256: sha256(text) }),
    refused('unsupported', /cannot be loaded/),
  )
  const missing = join(folder, 'missing.node')
  await assert.rejects(
    verifiedBinary({ uwsBinary: missing, uwsBinarySha256: 'a'.repeat(64) }),
    refused('unavailable', /ENOENT/),
  )
  for (const half of [{ uwsBinary: text }, { uwsBinarySha256: 'a'.repeat(64) }])
    await assert.rejects(verifiedBinary({ ...PACKED, ...half }), refused('invalid_input', /set both, or neither/))
})

it('says what is supported on a platform without a build', () => {
  const module = new URL('./load-server.ts', import.meta.url).href
  const script = `
    Object.defineProperty(process, 'arch', { value: 'riscv64' })
    const { loadServer } = await import('${module}')
    await loadServer().catch(error => console.log(error.code + ': ' + error.message))`
  const { stdout } = spawnSync(process.execPath, ['--no-warnings', '--input-type=module', '-e', script], {
    encoding: 'utf8',
  })
  assert.match(stdout, /^unsupported: .*riscv64.*Linux with glibc \(x64, arm64\) or on macOS/)
})

it('is the only way to the binary: no other file takes more than types of the package', () => {
  const root = new URL('../../', import.meta.url).pathname
  const files = globSync('{*.ts,{bench,commands,infra,ingest,model,processors,query-api,schemas,test}/**/*.ts}', {
    cwd: root,
  })
  assert.ok(files.length > 500)
  const loads = /(?<!import type .*|typeof )(from |import\(|import |require\(|resolve\()'uWebSockets\.js'/
  const loaders = files.filter(file => !file.endsWith('.test.ts') && loads.test(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(loaders, ['infra/uws/load-server.ts'])
})
