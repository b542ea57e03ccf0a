import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { createMetrics } from '../infra/runtime/metrics.ts'
import { readUnfinishedWork } from '../model/installation/unfinished-work.ts'
import { newId } from '../schemas/domain/ids.ts'
import { startTestApi } from './testing.ts'
import { measureUnfinishedWork } from './unfinished-work-metrics.ts'

const kit = await startTestApi()
after(() => kit.stop())

const query = (sql: string, values: readonly unknown[] = []) => kit.database.pool.query(sql, [...values])

const putMail = (ended: string | null, hours: number) =>
  query(
    `insert into outgoing_mail (id, kind, recipient, sealed, created_at, expires_at, ended, ended_at)
     values ($1, 'invitation', repeat('a', 64), case when $2::text is null then '\\x00'::bytea end,
       now() - $3 * interval '1 hour', now() + interval '1 day', $2, case when $2::text is not null then now() end)`,
    [newId(), ended, hours],
  )

const putErasure = (workspace: string, state: string, hours: number) =>
  query(
    `insert into jobs (id, workspace_id, kind, state, input, started_by, created_at, finished_at)
     values ($1, $2, 'erase', $3, '{}', 'Ada', now() - $4 * interval '1 hour', case when $3 <> 'running' then now() end)`,
    [newId(), workspace, state, hours],
  )

const workspaceOf = async (name: string): Promise<string> => {
  const { items } = await (await kit.signUp(name)).data<{ items: { id: string }[] }>('list_workspaces')
  return items[0]?.id ?? assert.fail('no workspace')
}

test('mail and erasures that wait or failed are measured, and nothing is said while the database is away', async () => {
  let isAway = false
  const metrics = createMetrics({ program: 'test', ofProcess: false })
  measureUnfinishedWork(metrics, () =>
    isAway ? Promise.reject(new Error('away')) : readUnfinishedWork(kit.database.database),
  )
  const measured = async () => {
    const { body } = await metrics.expose()
    const samples = [...body.matchAll(/^assay_(\w+)\{program="test"\} (\S+)$/gm)]
    // Ages in whole hours: how long the test takes is in none of them.
    const rounded = (name: string, value: number) => (name.endsWith('_seconds') ? Math.floor(value / 3600) : value)
    return Object.fromEntries(samples.map(([, name = '', value]) => [name, rounded(name, Number(value))]))
  }
  const nothing = Object.fromEntries(
    ['mails', 'erasures'].flatMap(what =>
      ['waiting', 'oldest_age_seconds', 'failed'].map(each => [`${what}_${each}`, 0]),
    ),
  )
  assert.deepEqual(await measured(), nothing)

  await Promise.all(Array.from({ length: 10 }, (_, at) => putMail(null, at + 1)))
  await Promise.all(Array.from({ length: 20 }, (_, at) => putMail(at < 10 ? 'refused' : 'expired', 60)))
  await putMail('sent', 90)
  for (let count = 0; count < 10; count += 1) {
    const [waits, fails, redone] = await Promise.all(['a', 'b', 'c'].map(workspaceOf))
    await putErasure(waits ?? '', 'failed', 20)
    await putErasure(waits ?? '', 'running', 1 + count)
    await putErasure(fails ?? '', 'done', 5)
    await putErasure(fails ?? '', 'failed', 4)
    await putErasure(redone ?? '', 'failed', 30)
    await putErasure(redone ?? '', 'done', 1)
  }
  assert.deepEqual(await measured(), {
    mails_waiting: 10,
    mails_oldest_age_seconds: 10,
    mails_failed: 20,
    erasures_waiting: 10,
    erasures_oldest_age_seconds: 10,
    erasures_failed: 10,
  })
  isAway = true
  assert.deepEqual(await measured(), {})
})
