import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { type DeadLetterPlace, readStoredDeadLetters } from '../erasures/dead-letters.ts'

describe('a page of dead letters', () => {
  let db: TestDatabase
  before(async () => {
    db = await startTestDatabase()
  })
  after(() => db.stop())

  it('ends where the records get long, and the pages leave no letter out', async () => {
    const [workspaceId] = await db.workspaces(1)
    assert.ok(workspaceId)
    for (const [place, megabytes] of [3, 3, 3, 5, 1, 1, 1, 1].entries())
      await db.pool.query(
        `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts,
           first_failed_at, last_failed_at, trace_id, sealed, record)
         values (lpad($2::text, 32, '0')::uuid, 'embed', $1, 'signals.embed', 'ours', '', '', 1, now(), now(), '', true,
           convert_to(repeat('x', $3), 'UTF8'))`,
        [workspaceId, place, megabytes * 1024 * 1024],
      )
    const pages: number[] = []
    const pageBehind = (place: DeadLetterPlace | null) =>
      db.database.transaction({ role: 'assay_erasure', workspaceId }, transaction =>
        readStoredDeadLetters(transaction, workspaceId, place, 3),
      )
    let last: DeadLetterPlace | null = null
    do {
      const page = await pageBehind(last)
      pages.push(page.letters.length)
      last = page.last
    } while (last !== null)
    assert.deepEqual(pages, [2, 2, 3, 1])
  })
})
