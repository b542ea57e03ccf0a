import assert from 'node:assert/strict'
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chooseUser, prepareHome, removePostgresHome } from './postgres-home.ts'

test('a home that was being made when its maker was killed is finished by the next', async t => {
  const root = await mkdtemp(join(tmpdir(), 'assay-home-'))
  t.after(() => rm(root, { recursive: true }))
  const installed = join(root, 'installed')
  await mkdir(installed)
  await writeFile(join(installed, 'initdb'), 'a program')
  const link = join(root, 'postgres')
  const user = await chooseUser()
  // As far as a kill lets it come: the place, and some of the programs.
  if (user.uid === undefined) await mkdir(link)
  else await symlink(await mkdtemp(join(tmpdir(), 'assay-stack-postgres-')), link)
  await mkdir(join(link, 'server.new'))
  const home = await prepareHome(link, user, installed)
  assert.equal(await readFile(join(home, 'server', 'initdb'), 'utf8'), 'a program')
  if (user.uid !== undefined) assert.equal((await stat(join(home, 'server', 'initdb'))).uid, user.uid)
  assert.equal(await prepareHome(link, user, installed), home)
  await removePostgresHome(root)
})
