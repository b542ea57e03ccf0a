import { type Stack, type StackOptions, startStack } from './index.ts'
import { CannotInstall } from './tools.ts'

/**
 * A stack for tests. Where its engines cannot be had, null after a loud note, so that a machine without Java can still run the
 * other tests; with `CI=true` it rejects, since there nobody reads notes.
 */
export const startTestStack = async (engines: StackOptions['engines']): Promise<Stack | null> => {
  try {
    return await startStack({ engines })
  } catch (error) {
    if (!(error instanceof CannotInstall) || process.env.CI === 'true') throw error
    process.stderr.write(`\n*** NOT TESTED on the real engines (${engines.join(', ')}). ${error.publicMessage} ***\n\n`)
    return null
  }
}
