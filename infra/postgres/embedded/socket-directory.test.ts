import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, symlink } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { removeAbandonedSockets, SOCKET } from './socket-directory.ts'

const HOUR = 3_600_000

/** Leaves a socket behind, as a killed program does. */
const abandon = async (path: string): Promise<void> => {
  const listen = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => process.kill(process.pid, 'SIGKILL'))`
  await once(spawn(process.execPath, ['-e', listen]), 'exit')
}

test('what killed programs left is removed; what is in use, new, or something else stays', async t => {
  const parent = await mkdtemp(join(tmpdir(), 'sockets-'))
  t.after(() => rm(parent, { recursive: true }))
  for (const name of ['killed', 'running', 'empty']) await mkdir(join(parent, `assay-pg-${name}`))
  await mkdir(join(parent, 'other'))
  await symlink(join(parent, 'other'), join(parent, 'assay-pg-link'))
  await abandon(join(parent, 'assay-pg-killed', SOCKET))
  await abandon(join(parent, 'other', SOCKET))
  const server = createServer().listen(join(parent, 'assay-pg-running', SOCKET))
  await once(server, 'listening')
  t.after(() => server.close())

  await removeAbandonedSockets(parent)
  assert.deepEqual(await readdir(parent), ['assay-pg-empty', 'assay-pg-link', 'assay-pg-running', 'other'])
  await removeAbandonedSockets(parent, Date.now() + HOUR)
  assert.deepEqual(await readdir(parent), ['assay-pg-link', 'assay-pg-running', 'other'])
  assert.deepEqual(await readdir(join(parent, 'other')), [SOCKET])
})
