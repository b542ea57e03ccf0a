import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'

test('the package that npm leaves out under an older Node is missed in a sentence', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'assay-installed-'))
  const add = (name: string) => mkdirSync(join(cwd, 'node_modules', name), { recursive: true })
  const complaint = (): string => {
    const env = { ...process.env, npm_config_user_agent: 'npm/9.9.4 node/v18.20.8 linux x64 workspaces/false' }
    const script = join(import.meta.dirname, 'supported-platform.cjs')
    const { status, stderr } = spawnSync(process.execPath, [script], { cwd, env, encoding: 'utf8' })
    assert.equal(status === 0, stderr === '')
    return stderr
  }
  try {
    assert.equal(complaint(), '')
    add('rolldown')
    assert.match(complaint(), /npm runs on Node 18\.20\.8 here.* Run npm with Node 20\.19/)
    add('@rolldown/plugin')
    assert.notEqual(complaint(), '')
    add('@rolldown/binding-linux-x64-gnu')
    assert.equal(complaint(), '')
  } finally {
    rmSync(cwd, { recursive: true })
  }
})
