import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { afterEach, beforeEach, describe, it } from 'node:test'
import { keepTemporaryFilesInMemory } from './temporary-files.ts'

describe('Temporary files', () => {
  const given = process.env.TMPDIR
  beforeEach(() => {
    delete process.env.TMPDIR
  })
  afterEach(() => {
    if (given === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = given
  })

  it('stay where somebody wants them', async () => {
    process.env.TMPDIR = '/somewhere'
    const remove = await keepTemporaryFilesInMemory()
    await remove()
    assert.equal(process.env.TMPDIR, '/somewhere')
  })

  it('are in memory where there is room, until they are removed, and so is what a killed process left', async () => {
    const before = tmpdir()
    const remove = await keepTemporaryFilesInMemory()
    const directory = tmpdir()
    // A machine without such memory has them where they were.
    if (directory === before) return
    const abandoned = directory.replace(/\d+$/, '999999999')
    await mkdir(abandoned)
    assert.equal(existsSync(directory), true)
    await remove()
    assert.deepEqual([tmpdir(), existsSync(directory)], [before, false])
    await (await keepTemporaryFilesInMemory())()
    assert.equal(existsSync(abandoned), false)
  })
})
