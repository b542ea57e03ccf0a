import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, test } from 'node:test'
import { openDataDirectory } from './data-directory.ts'
import { isAssayError } from './errors.ts'

const root = await mkdtemp(join(tmpdir(), 'assay-data-'))
after(() => rm(root, { recursive: true, force: true }))

const OWN_KEY = { installationKey: null, acceptNewKey: false }

const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const refusal = (code: string) => (error: unknown) => isAssayError(error) && error.code === code

test('makes the directory and a key for this user only, and keeps the key', async () => {
  const path = join(root, 'new', 'data')
  const first = await openDataDirectory(path)
  const key = await first.loadKey(OWN_KEY)
  assert.equal(await modeOf(path), 0o700)
  assert.equal(await modeOf(first.file('installation.key')), 0o600)
  await first.release()
  const second = await openDataDirectory(path)
  assert.deepEqual(await second.loadKey(OWN_KEY), key)
  assert.equal(key.length, 32)
  await second.release()
})

test('a key that is given is used, and none is made beside the data', async () => {
  const data = await openDataDirectory(join(root, 'given'))
  const installationKey = new Uint8Array(32).fill(7)
  assert.equal(await data.loadKey({ installationKey, acceptNewKey: false }), installationKey)
  await assert.rejects(stat(data.file('installation.key')))
  await data.release()
})

test('a key that is missing beside data is not replaced, unless that is asked for', async () => {
  const data = await openDataDirectory(join(root, 'lost'))
  const key = await data.loadKey(OWN_KEY)
  for (const store of ['log/log.sqlite', 'postgres/PG_VERSION', 'clickhouse/metadata/default']) {
    const file = data.file(store)
    await mkdir(dirname(file), { recursive: true })
    await writeFile(file, 'data')
    await rm(data.file('installation.key'), { force: true })
    await assert.rejects(data.loadKey(OWN_KEY), error => {
      assert.ok(isAssayError(error))
      assert.match(error.publicMessage, /installation\.key is missing.* Restore it from a backup/)
      return true
    })
    const made = await data.loadKey({ ...OWN_KEY, acceptNewKey: true })
    assert.notDeepEqual(made, key)
    await rm(dirname(file), { recursive: true })
  }
  await data.release()
})

test('a second start is refused with a sentence that names the directory and what to do', async () => {
  const path = join(root, 'busy')
  const first = await openDataDirectory(path)
  await assert.rejects(openDataDirectory(path), error => {
    assert.ok(isAssayError(error))
    assert.equal(error.code, 'already_running')
    assert.ok(error.publicMessage.includes(path))
    assert.match(error.publicMessage, /Stop that one first, or .*DATA_DIR/)
    return true
  })
  await first.release()
  const third = await openDataDirectory(path)
  await third.release()
})

test('a process that is killed leaves no lock behind', async () => {
  const path = join(root, 'killed')
  const program = `
    const { openDataDirectory } = await import(${JSON.stringify(new URL('./data-directory.ts', import.meta.url).href)})
    await openDataDirectory(${JSON.stringify(path)})
    console.log('open')
    setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, [...process.execArgv, '--input-type=module', '-e', program], {
    env: { ...process.env, NODE_TEST_CONTEXT: '' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  await assert.rejects(openDataDirectory(path), refusal('already_running'))
  child.kill('SIGKILL')
  await once(child, 'exit')
  const reopened = await openDataDirectory(path)
  await reopened.release()
})

test('a damaged key is refused instead of being replaced', async () => {
  const path = join(root, 'damaged')
  const data = await openDataDirectory(path)
  await writeFile(data.file('installation.key'), 'too short\n')
  await assert.rejects(data.loadKey(OWN_KEY), refusal('damaged'))
  await data.release()
})

test('a path that is a file is refused', async () => {
  const path = join(root, 'file')
  await writeFile(path, '')
  await assert.rejects(openDataDirectory(path), refusal('damaged'))
})
