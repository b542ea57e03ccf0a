import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
let confirm: string
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  const { workspaceId } = workspace.caller
  const { rows } = await kit.database.pool.query('select name from workspaces where id = $1', [workspaceId])
  confirm = rows[0].name
})

const FOR_EVER = {
  signals_days: null,
  keeps_evidence: true,
  activity_days: null,
  dead_letters_days: null,
  jobs_days: null,
}
const A_YEAR = { ...FOR_EVER, signals_days: 365 }

const daysUntil = (at: string): number => (Date.parse(at) - Date.now()) / 86_400_000

describe('Retention', () => {
  it('keeps everything until an owner says otherwise, and then gives a day', async () => {
    const { data: before } = await workspace.inApp('read_retention', {}, 'viewer')
    assert.deepEqual(before, { ...FOR_EVER, set_by: null, set_at: null, next_at: null })
    const { data: set } = await workspace.inApp('set_retention', { ...A_YEAR, confirm })
    assert.partialDeepStrictEqual(set, A_YEAR)
    assert.ok(Math.abs(daysUntil(set.next_at) - 1) < 0.1)
    assert.deepEqual((await workspace.inApp('read_retention')).data, set)
    const { data: off } = await workspace.inApp('set_retention', FOR_EVER)
    assert.equal(off.next_at, null)
  })

  it('asks for the name where something goes sooner than before, and for nothing where it is kept longer', async () => {
    const refused = (periods: object) =>
      assert.rejects(workspace.inApp('set_retention', periods), failsWith('invalid_input'))
    await refused(A_YEAR)
    await refused({ ...A_YEAR, confirm: 'another name' })
    await workspace.inApp('set_retention', { ...A_YEAR, confirm })
    await workspace.inApp('set_retention', { ...A_YEAR, signals_days: 400 })
    await refused({ ...A_YEAR, signals_days: 399 })
    await refused({ ...A_YEAR, signals_days: 400, keeps_evidence: false })
    await refused({ ...A_YEAR, signals_days: 400, jobs_days: 3650 })
    await refused({ ...A_YEAR, signals_days: 400, activity_days: 3650 })
    await refused({ ...A_YEAR, signals_days: 400, dead_letters_days: 3650 })
    assert.equal((await workspace.inApp('read_retention')).data.signals_days, 400)
  })

  it('takes no period that is too short or too long', async () => {
    for (const periods of [{ signals_days: 29 }, { activity_days: 29 }, { dead_letters_days: 13 }, { jobs_days: 3651 }])
      await assert.rejects(
        workspace.inApp('set_retention', { ...FOR_EVER, ...periods, confirm }),
        failsWith('invalid_input'),
      )
  })

  it('is for owners, who see first what would go', async () => {
    for (const role of ['member', 'viewer'] as const) {
      await assert.rejects(workspace.inApp('set_retention', { ...A_YEAR, confirm }, role), failsWith('forbidden'))
      await assert.rejects(workspace.inApp('preview_retention', A_YEAR, role), failsWith('forbidden'))
    }
    const longAgo = new Date(kit.now.getTime() - 400 * 86_400_000)
    await workspace.signal({ text: 'The export fails since last year.', receivedAt: longAgo })
    await workspace.signal({ text: 'A dark theme, please.' })
    const { data } = await workspace.inApp('preview_retention', { ...A_YEAR, dead_letters_days: 30, jobs_days: 30 })
    assert.deepEqual(data, {
      signals: 1,
      repeats: 0,
      kept_as_evidence: 0,
      activity: 0,
      dead_letters: 0,
      jobs: 0,
      exports: 0,
    })
  })

  it('says the same when it is set twice', async () => {
    const { data: once } = await workspace.inApp('set_retention', { ...A_YEAR, confirm })
    const { data: twice } = await workspace.inApp('set_retention', { ...A_YEAR, confirm })
    assert.deepEqual({ ...twice, set_at: null, next_at: null }, { ...once, set_at: null, next_at: null })
  })
})
