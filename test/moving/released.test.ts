import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { test } from 'node:test'
import { RELEASED } from './released.ts'

const git = (...words: readonly string[]): string =>
  execFileSync('git', words, { cwd: import.meta.dirname, encoding: 'utf8', stdio: 'pipe' }).trim()

/** A copy without its history, or with the end of it alone, cannot tell. */
const knowsItsHistory = (): boolean => {
  try {
    return git('rev-parse', '--is-shallow-repository') === 'false'
  } catch {
    return false
  }
}

test('what the trial of an upgrade calls released is of this history', { skip: !knowsItsHistory() }, () => {
  assert.equal(git('merge-base', RELEASED, 'HEAD'), RELEASED)
})
