import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { failsWith, type OperationsKit, startOperations } from '../testing.ts'

let kit: OperationsKit
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

/** What was marked while the mark of the first Signal as a repeat of the second was taken back. */
const MARKED_SINCE: Readonly<Record<string, readonly [repeat: number, original: number]>> = {
  'its original repeats it': [1, 0],
  'its original repeats a third': [1, 2],
  'a third repeats it': [2, 0],
}

for (const [what, [repeat, original]] of Object.entries(MARKED_SINCE)) {
  test(`a repeat is not brought back while ${what}, and is once that was taken out`, async () => {
    const workspace = await kit.workspace()
    const signals: string[] = []
    for (const text of ['Export hangs.', 'The export stops.', 'Exports fail.'])
      signals.push((await workspace.signal({ text })).id)
    const mark = (one: number, of: number) =>
      workspace.run('triage_signals', {
        action: 'duplicate',
        signal_ids: [signals[one]],
        original_signal_id: signals[of],
      })
    const undo = (change_id: unknown) => workspace.run('undo_change', { change_id })
    const marked = await mark(0, 1)
    const undone = await undo(marked.meta.change_id)
    await mark(repeat, original)
    await assert.rejects(
      undo(undone.meta.change_id),
      failsWith('conflict', /^SIG-\d+ would repeat another Signal and have repeats of its own\. .*not_a_repeat\.$/),
    )
    await workspace.run('triage', { action: 'not_a_repeat', signal_id: signals[repeat] })
    await undo(undone.meta.change_id)
    const { rows } = await kit.database.pool.query('select id, signal_id from occurrences where workspace_id = $1', [
      workspace.id,
    ])
    assert.deepEqual(rows, [{ id: signals[0], signal_id: signals[1] }])
  })
}
