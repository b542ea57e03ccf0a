import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, readlink, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, test } from 'node:test'
import { pack } from 'tar-stream'
import { isAssayError } from '../runtime/errors.ts'
import { createArchive, FORMAT } from './archive.ts'
import { readArchive } from './read-archive.ts'
import { SEALED_MAGIC, sealStream, unsealStream } from './sealed-stream.ts'

const folder = await mkdtemp(join(tmpdir(), 'assay-backup-'))
after(() => rm(folder, { recursive: true }))
let made = 0
const newFolder = () => {
  made += 1
  return join(folder, String(made))
}

const MANIFEST = {
  format: FORMAT,
  assay: '0',
  postgres: '18',
  made_at: '2026-11-23T00:00:00Z',
  held_ms: 1,
  key_check: '00',
  counts: { signals: 1 },
  migration: '0001_roles.sql',
  last_erasure: null,
} as const
/** Quick: what it guards against is not tried here. */
const COST = { N: 2, r: 1, p: 1, maxmem: 1024 * 1024 }

const whole = await (async () => {
  const archive = createArchive()
  const read = buffer(archive.stream as unknown as Readable)
  archive.bytes('log/log.sqlite', 'x'.repeat(100_000))
  archive.directory('postgres/pg_wal')
  archive.link('clickhouse/metadata/assay', '../store/a')
  archive.bytes('installation.key', 'a key')
  archive.finish(MANIFEST)
  return read
})()

const read = (bytes: Uint8Array, into = newFolder()) => readArchive(Readable.from([bytes]), into)
const isRefused = (sentence: RegExp) => (error: unknown) => isAssayError(error) && sentence.test(error.publicMessage)
const changed = (bytes: Uint8Array, at: number): Buffer => {
  const copy = Buffer.from(bytes)
  copy[at] = (copy[at] ?? 0) ^ 1
  return copy
}

test('what was put in comes out, with its manifest', async () => {
  const into = newFolder()
  const { parts, counts } = await read(whole, into)
  assert.deepEqual(counts, { signals: 1 })
  assert.deepEqual([parts.log.files, parts.log.bytes, parts.key.bytes], [1, 100_000, 5])
  assert.equal((await readFile(join(into, 'log/log.sqlite'))).length, 100_000)
  assert.equal(await readlink(join(into, 'clickhouse/metadata/assay')), '../store/a')
  assert.deepEqual(await readdir(join(into, 'postgres/pg_wal')), [])
})

test('a backup that is cut short anywhere, or has one other bit in a file, is refused', async () => {
  for (const length of [0, 100, 5_000, 100_512, whole.length - 2_000])
    await assert.rejects(read(whole.subarray(0, length)), isRefused(/cut short/))
  await assert.rejects(read(changed(whole, 5_000)), isRefused(/is not what its manifest says/))
})

test('a name or a link that leads out of the folder is refused', async () => {
  const names = ['../outside', 'log/../../outside', '/etc/passwd', 'other/file', 'log', 'installation.key/x']
  for (const name of names) {
    const tar = pack()
    tar.entry({ name }, 'x')
    tar.finalize()
    const into = newFolder()
    await assert.rejects(read(await buffer(tar as unknown as Readable), into), isRefused(/none of its parts/))
    await assert.rejects(readdir(join(folder, 'outside')))
  }
  const tar = pack()
  tar.entry({ name: 'log/link', type: 'symlink', linkname: '../../..' })
  tar.finalize()
  await assert.rejects(read(await buffer(tar as unknown as Readable)), isRefused(/leads out of it/))
})

test('what is sealed is opened with its passphrase, whatever its length, and with no other', async () => {
  const seal = (bytes: Uint8Array) => buffer(sealStream('right', COST)(Readable.from([bytes])))
  const open = (bytes: Uint8Array, passphrase = 'right') =>
    buffer(unsealStream(passphrase, COST)(Readable.from([bytes.subarray(SEALED_MAGIC.length)])))
  for (const length of [0, 1, 65_536, 65_537, 200_000]) {
    const plain = Buffer.alloc(length, 'p')
    const sealed = await seal(plain)
    assert.deepEqual(await open(sealed), plain)
    assert.equal(sealed.includes('pppp'), false)
  }
  const frame = 65_536 + 16
  const head = SEALED_MAGIC.length + 16
  const sealed = await seal(Buffer.alloc(200_000, 'p'))
  await assert.rejects(open(sealed, 'wrong'), isRefused(/cannot be opened with this passphrase/))
  const swapped = Buffer.concat([
    sealed.subarray(0, head + frame),
    sealed.subarray(head + 2 * frame, head + 3 * frame),
    sealed.subarray(head + frame, head + 2 * frame),
    sealed.subarray(head + 3 * frame),
  ])
  for (const bytes of [
    sealed.subarray(0, sealed.length - 1),
    sealed.subarray(0, head + 2 * frame),
    changed(sealed, head + frame + 5),
    swapped,
    Buffer.concat([sealed, Buffer.alloc(40)]),
  ])
    await assert.rejects(open(bytes), isRefused(/damaged or cut short/))
})
