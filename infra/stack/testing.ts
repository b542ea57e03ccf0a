import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Stack, type StackOptions, startStack } from './index.ts'
import { UNTESTED } from './test-reporter.ts'
import { CannotInstall } from './tools.ts'

/**
 * Tests on real engines; they stop the stack themselves. Where the engines cannot be had, the file has one test that
 * says so in its name, for the reporter to repeat at the end of the run: it passes, but fails with `CI=true`, since
 * there nobody reads notes.
 */
export const describeWithStack = async (
  engines: StackOptions['engines'],
  describeTests: (stack: Stack) => void,
  options: Pick<StackOptions, 'atRest' | 'directory'> = {},
): Promise<void> => {
  const stack = await startStack({ engines, shortLived: true, ...options }).catch(error => {
    if (error instanceof CannotInstall) return error
    throw error
  })
  if (!(stack instanceof CannotInstall)) return describeTests(stack)
  test(`${UNTESTED} (${engines.join(', ')}): ${stack.publicMessage}`, () => {
    assert.notEqual(process.env.CI, 'true', 'With CI=true every engine has to be there.')
  })
}
