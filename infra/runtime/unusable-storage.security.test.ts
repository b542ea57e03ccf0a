import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, chown, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startEmbeddedLog } from '../log/embedded/index.ts'
import { openDataDirectory } from './data-directory.ts'

/**
 * Of nobody: root may read and write everything, so that whoever runs these tests as root becomes somebody else for the
 * start.
 */
const NOBODY = 65_534
const isRoot = process.getuid?.() === 0

const root = await mkdtemp(join(tmpdir(), 'assay-unusable-'))
before(async () => {
  await chmod(root, 0o755)
  await writeFile(script, START)
})
after(() => rm(root, { recursive: true, force: true }))

/** Opens what a start opens first, and prints why it cannot. */
const START = `
  const [{ openDataDirectory }, { startEmbeddedLog }] = await Promise.all(
    ['${new URL('./data-directory.ts', import.meta.url).href}', '${new URL('../log/embedded/index.ts', import.meta.url).href}']
      .map(module => import(module)))
  if (process.argv[3] === 'drop') {
    process.setegid(${NOBODY})
    process.seteuid(${NOBODY})
  }
  try {
    const data = await openDataDirectory(process.argv[2])
    await data.loadKey({ installationKey: null, acceptNewKey: false })
    await startEmbeddedLog({ directory: data.file('log') })
    console.log('started')
  } catch (error) {
    console.log(error.publicMessage ?? String(error))
  }
  process.exit(0)`
const script = join(root, 'start.mjs')
const NODE = ['--disable-warning=ExperimentalWarning', script]

const startOn = (path: string, drop = isRoot): string =>
  spawnSync(process.execPath, [...NODE, path, drop ? 'drop' : ''], { encoding: 'utf8' }).stdout.trim()

const made = async (name: string): Promise<string> => {
  const path = join(root, name)
  const data = await openDataDirectory(path)
  await data.loadKey({ installationKey: null, acceptNewKey: false })
  const log = await startEmbeddedLog({ directory: data.file('log') })
  await log.stop()
  await data.release()
  if (isRoot)
    for (const each of ['', ...(await readdir(path, { recursive: true }))])
      await chown(join(path, each), NOBODY, NOBODY)
  return path
}

/** Takes a file from everybody for the time of the work. */
const unreadable = async <T>(path: string, work: () => T): Promise<T> => {
  if (isRoot) await chown(path, 0, 0)
  await chmod(path, 0)
  try {
    return work()
  } finally {
    await chmod(path, 0o700)
  }
}

const NOT_ALLOWED =
  /^\/\S+ cannot be used: this user may not read or write there\. Give it to the user that Assay runs as\.$/

test('starts on what this user may read and write', async () => {
  assert.equal(startOn(await made('whole')), 'started')
})

for (const name of ['.', 'installation.key', 'lock', 'log'])
  test(`a start is refused in a sentence where ${name} may not be read`, async () => {
    const path = await made(`unreadable-${name}`)
    assert.match(await unreadable(join(path, name), () => startOn(path)), NOT_ALLOWED)
  })

test('a start is refused in a sentence where no directory can be', async () => {
  const file = join(root, 'a-file')
  await writeFile(file, '')
  assert.equal(startOn(file, false), `${file} cannot be used: there is a file of that name.`)
  const below = join(file, 'below')
  assert.equal(startOn(below, false), `${below} cannot be used: a part of its path is a file, and no directory.`)
})

test('a start is refused in a sentence where a directory stands in place of a file', async () => {
  for (const name of ['installation.key', 'lock']) {
    const path = await made(`directory-${name}`)
    await rm(join(path, name), { force: true })
    await mkdir(join(path, name))
    assert.match(startOn(path, false), new RegExp(`^/\\S+/${name} cannot be used: .*\\.$`))
  }
})

/** A mount that only this command sees. */
const READ_ONLY = 'mount --bind "$0" "$0" && mount -o remount,ro,bind "$0" && exec "$@"'
const canMount = isRoot && spawnSync('unshare', ['-m', 'sh', '-c', READ_ONLY, root, 'true']).status === 0

test('a start is refused in a sentence on a mount that can only be read', {
  skip: !canMount && 'it takes root and unshare',
}, async () => {
  const path = await made('read-only')
  const command = ['-m', 'sh', '-c', READ_ONLY, path, process.execPath, ...NODE, path]
  const { stdout } = spawnSync('unshare', command, { encoding: 'utf8' })
  assert.match(stdout, /^\/\S+ cannot be used: (the disk|it) can only be read.*\.\n$/)
})
