import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { storeThemes } from '../../../model/themes/store-themes.ts'
import { addSignals, newWorkspace } from '../testing.ts'

let db: TestDatabase
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())

it('leads from a theme that ended straight to what it has become since, however often that was joined', async () => {
  const workspaceId = await newWorkspace(db)
  const ids = await addSignals(db, workspaceId, ...Array.from({ length: 24 }, (_, at) => [`It is ${at}.`] as const))
  const store = (...groups: readonly (readonly [from: number, to: number])[]) =>
    db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
      storeThemes(
        transaction,
        workspaceId,
        groups.map(([from, to]) => ({
          name: `From ${from}`,
          members: ids
            .slice(from, to)
            .map(signalId => ({ signalId, likeness: 1, language: null, start: 0, length: 2 })),
        })),
        { throughNumber: 24, signals: 24, model: 'test', mean: null, answers: 0 },
      ),
    )
  await store([0, 3], [3, 8])
  await store([0, 8], [8, 24])
  await store([0, 24])
  const { rows } = await db.pool.query(
    `select themes.number, became.number as became from themes left join themes as became on became.id = themes.became_id
     where themes.workspace_id = $1 order by themes.number`,
    [workspaceId],
  )
  assert.deepEqual(rows, [
    { number: 1, became: 3 },
    { number: 2, became: 3 },
    { number: 3, became: null },
  ])
})
