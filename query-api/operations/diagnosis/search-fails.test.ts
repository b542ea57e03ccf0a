import assert from 'node:assert/strict'
import { test } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { startOperations } from '../testing.ts'

test('diagnose tries a search, and says so where it fails', async () => {
  const refresh = () => Promise.reject(new AssayError('unavailable', 'The index of words failed.'))
  const kit = await startOperations(undefined, { texts: { refresh } })
  try {
    const workspace = await kit.workspace()
    await workspace.signal({ text: 'The export hangs.' })
    const { data } = await workspace.call('service_support', 'diagnose')
    const found = data.items.find(({ finding }: { readonly finding: string }) => finding === 'search_fails')
    assert.deepEqual([data.healthy, found?.severity], [false, 'broken'])
  } finally {
    await kit.stop()
  }
})
