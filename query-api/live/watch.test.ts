import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { createWatch } from './watch.ts'

/** A database whose revision a test moves, and that can be away. */
const fakeDatabase = () => {
  const state = { asked: [] as number[], revision: 1, away: false }
  const database: Pick<Database, 'transaction'> = {
    transaction: async (scope, work) => {
      const ids = 'workspaceIds' in scope ? scope.workspaceIds : []
      state.asked.push(ids.length)
      if (state.away) throw new Error('away')
      const rows = ids.map(workspace_id => ({ workspace_id, signals: String(state.revision) }))
      // The rows are what the one statement answers.
      return work({ query: async <Row>() => rows as Row[] })
    },
  }
  return { state, database: database as Database }
}

const SILENT = { begun: () => {}, changed: () => {} }

describe('Watching workspaces', () => {
  const start = () => {
    const { state, database } = fakeDatabase()
    const warnings: unknown[] = []
    const log = { warn: (...said: unknown[]) => warnings.push(said) } as never
    return { state, warnings, watch: createWatch({ database, now: () => new Date(), log, intervalMs: 5 }) }
  }
  const id = () => newId<WorkspaceId>()

  it('asks once for all that are watched, and not at all when nobody watches', async () => {
    const { state, watch } = start()
    const [one, two] = [id(), id()]
    const leave = [watch.watch(one, SILENT), watch.watch(one, SILENT), watch.watch(two, SILENT)]
    await eventually('it asked', async () => state.asked.length > 2 || null)
    assert.deepEqual(new Set(state.asked), new Set([2]))
    for (const each of leave) each()
    assert.equal(watch.size(), 0)
    await new Promise(resolve => setTimeout(resolve, 20))
    const asked = state.asked.length
    await new Promise(resolve => setTimeout(resolve, 50))
    assert.equal(state.asked.length, asked)
  })

  it('tells every watcher what differs, once, and what changed while the database was away when it is back', async () => {
    const { state, watch, warnings } = start()
    const told: string[] = []
    const workspace = id()
    const begun: number[] = []
    const leave = [1, 2].map(who =>
      watch.watch(workspace, {
        begun: () => {
          begun.push(who)
        },
        changed: topics => told.push(`${who} ${topics}`),
      }),
    )
    await eventually('they were told that it begins', async () => begun.length === 2 || null)
    state.revision = 2
    await eventually('both were told', async () => told.length === 2 || null)
    state.away = true
    state.revision = 3
    const asked = state.asked.length
    await eventually('it asked in vain', async () => state.asked.length > asked + 2 || null)
    assert.equal(warnings.length, 1)
    state.away = false
    await eventually('both were told', async () => told.length === 4 || null)
    assert.deepEqual(told, ['1 signals', '2 signals', '1 signals', '2 signals'])
    for (const each of leave) each()
  })

  it('misses nothing from the moment on at which it begins, be it the first watcher or a later one', async () => {
    const { state, watch } = start()
    const workspace = id()
    const leave: (() => void)[] = []
    for (const who of ['the first', 'the second']) {
      const heard: string[] = []
      const watcher = { begun: () => heard.push('begun'), changed: () => heard.push('changed') }
      leave.push(watch.watch(workspace, watcher))
      await eventually(`it begins for ${who}`, async () => heard.length > 0 || null)
      state.revision += 1
      await eventually(`${who} is told`, async () => heard.includes('changed') || null)
      assert.equal(heard[0], 'begun')
    }
    for (const each of leave) each()
  })
})
