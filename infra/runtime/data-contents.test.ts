import assert from 'node:assert/strict'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, truncate, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { listFiles, openContents } from './data-contents.ts'
import { isAssayError } from './errors.ts'

const root = await mkdtemp(join(tmpdir(), 'assay-contents-'))
after(() => rm(root, { recursive: true, force: true }))

const FILES = [
  'log/log.sqlite',
  'log/accepted',
  'postgres/PG_VERSION',
  'postgres/global/pg_control',
  'postgres/base/5/1259',
  'clickhouse/metadata/default',
  'clickhouse/store/1/all_1_1_0/data.bin',
]

const DAMAGES: Readonly<Record<string, (file: string) => Promise<void>>> = {
  'cut to nothing': file => truncate(file),
  'cut in half': async file => truncate(file, (await readFile(file)).length >> 1),
  'with a bit turned': async file => {
    const bytes = await readFile(file)
    bytes[bytes.length >> 1] = (bytes[bytes.length >> 1] ?? 0) ^ 1
    await writeFile(file, bytes)
  },
  removed: file => unlink(file),
}

const STORES = ['log', 'postgres', 'clickhouse'] as const

/** Opens what is there as a start does, and closes it in good order. */
const openAndClose = async (directory: string): Promise<void> => {
  const contents = await openContents(directory)
  for (const store of STORES) contents.opening(store)
  await Promise.all(STORES.map(store => contents.opened(store)))
  for (const store of STORES) contents.closed(store)
  await contents.close()
}

const pristine = join(root, 'pristine')
before(async () => {
  for (const file of FILES) {
    await mkdir(dirname(join(pristine, file)), { recursive: true })
    await writeFile(join(pristine, file), `what is in ${file}`)
  }
  await symlink('../store/1', join(pristine, 'clickhouse/metadata/link'))
  await openAndClose(pristine)
})

let copies = 0
const copy = async (): Promise<string> => {
  copies += 1
  const directory = join(root, `copy-${copies}`)
  await cp(pristine, directory, { recursive: true, verbatimSymlinks: true })
  return directory
}

test('a directory that holds a store is not opened with an engine in its place', async () => {
  const contents = await openContents(await copy())
  for (const store of STORES)
    assert.throws(() => contents.assertNone(store, 'THE_ENGINE'), {
      code: 'invalid_configuration',
      message: /^THE_ENGINE is set, .* holds .* of its own.*Unset THE_ENGINE, move .*, or set DATA_DIR/,
    })
  const empty = await openContents(await mkdtemp(join(root, 'empty-')))
  for (const store of STORES) empty.assertNone(store, 'THE_ENGINE')
})

const refusal = async (directory: string): Promise<string> => {
  const error = await openContents(directory).then(
    () => assert.fail('it was opened'),
    (error: unknown) => error,
  )
  assert.ok(isAssayError(error))
  assert.equal(error.code, 'damaged')
  return error.publicMessage
}

test('what was left in good order is opened again, and again', async () => {
  const directory = await copy()
  await openAndClose(directory)
  await openAndClose(directory)
})

for (const file of [...FILES, 'clickhouse/metadata/link']) {
  for (const [damage, apply] of Object.entries(DAMAGES)) {
    if (file.endsWith('link') && damage !== 'removed') continue
    test(`${file} ${damage} is noticed and named, at every start until it is restored`, async () => {
      const directory = await copy()
      await apply(join(directory, file))
      for (let start = 0; start < 2; start += 1) {
        const message = await refusal(directory)
        assert.ok(message.includes(file), message)
        assert.match(message, /Restore the whole directory from a backup\./)
        assert.doesNotMatch(message, /\n/)
      }
      await cp(join(pristine, file), join(directory, file), { verbatimSymlinks: true })
      await openAndClose(directory)
    })
  }
}

test('after a kill the sizes say nothing, but a store that is gone is noticed', async () => {
  const directory = await copy()
  await openContents(directory)
  await writeFile(join(directory, 'log/log.sqlite'), 'what was written before the kill')
  await openContents(directory)
  await rm(join(directory, 'postgres'), { recursive: true })
  assert.match(await refusal(directory), /postgres\/PG_VERSION is missing or empty/)
})

test('whoever changed files on purpose goes on without the note', async () => {
  const directory = await copy()
  await unlink(join(directory, 'log/accepted'))
  const [, note = ''] = /remove (\S+) and start again/.exec(await refusal(directory)) ?? []
  await rm(note)
  await openAndClose(directory)
})

test('a note that cannot be read says nothing', async () => {
  for (const text of ['', '{"stores":["log"', '{"stores":["moon"],"closed":null}', 'null']) {
    const directory = await copy()
    await writeFile(join(directory, 'contents.json'), text)
    await openAndClose(directory)
  }
})

test('a store that could not be opened or closed leaves no note of what the files were like', async () => {
  const directory = await copy()
  const contents = await openContents(directory)
  contents.opening('postgres')
  await contents.close()
  await writeFile(join(directory, 'postgres/PG_VERSION'), 'made anew')
  await openContents(directory)
})

test('a directory that cannot be written to is refused in a sentence', async () => {
  const directory = await copy()
  await mkdir(join(directory, 'contents.json.new'))
  assert.match(await refusal(directory), /cannot be used/)
})

test('beyond a budget of bytes the smallest files are read, and of the others the size is known', () => {
  const files = Object.values(listFiles(pristine, ['log', 'postgres'], 60))
  const read = files.filter(([, crc]) => crc !== null).map(([size]) => size)
  const unread = files.filter(([, crc]) => crc === null).map(([size]) => size)
  assert.ok(read.length > 0 && unread.length > 0)
  assert.ok(Math.max(...read) <= Math.min(...unread))
})
