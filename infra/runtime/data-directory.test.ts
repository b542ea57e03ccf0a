import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { openDataDirectory } from './data-directory.ts'
import { isAssayError } from './errors.ts'

const root = await mkdtemp(join(tmpdir(), 'assay-data-'))
after(() => rm(root, { recursive: true, force: true }))

const modeOf = async (path: string) => (await stat(path)).mode & 0o777
const refusal = (code: string) => (error: unknown) => isAssayError(error) && error.code === code

test('makes the directory and a key for this user only, and keeps the key', async () => {
  const path = join(root, 'new', 'data')
  const first = await openDataDirectory(path)
  assert.equal(await modeOf(path), 0o700)
  assert.equal(await modeOf(first.file('installation.key')), 0o600)
  first.release()
  const second = await openDataDirectory(path)
  assert.deepEqual(second.installationKey, first.installationKey)
  assert.equal(second.installationKey.length, 32)
  second.release()
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
  first.release()
  const third = await openDataDirectory(path)
  third.release()
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
  reopened.release()
})

test('a damaged key is refused instead of being replaced', async () => {
  const path = join(root, 'damaged')
  const first = await openDataDirectory(path)
  first.release()
  await writeFile(first.file('installation.key'), 'too short\n')
  await assert.rejects(openDataDirectory(path), refusal('invalid_configuration'))
  // And the refusal leaves no lock behind.
  await assert.rejects(openDataDirectory(path), refusal('invalid_configuration'))
})

test('a path that is a file is refused', async () => {
  const path = join(root, 'file')
  await writeFile(path, '')
  await assert.rejects(openDataDirectory(path), refusal('invalid_configuration'))
})
