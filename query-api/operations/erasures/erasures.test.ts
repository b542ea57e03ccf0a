import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { createMemoryRegistry } from '../../../infra/log/testing-registry.ts'
import { createBuiltInEmbedder } from '../../../infra/models/built-in-embedder.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { createCodecs } from '../../../model/codecs.ts'
import { createEraseJob } from '../../../processors/jobs/erase/erase.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const ADDRESS = 'anna@example.com'
const actorKey = (address: string) => `key of ${address}`

let kit: OperationsKit
let clickHouse: TestAnalytics
let workspace: Workspace
let confirm: string
before(async () => {
  kit = await startOperations()
  clickHouse = await startTestAnalytics()
})
after(async () => {
  await kit.stop()
  await clickHouse.stop()
})
beforeEach(async () => {
  workspace = await kit.workspace()
  const { rows } = await kit.database.pool.query('select name from workspaces where id = $1', [
    workspace.caller.workspaceId,
  ])
  confirm = rows[0].name
})

/** Does what was asked for, as the processors do. */
const erase = async (): Promise<void> => {
  const { database } = kit.database
  const job = createEraseJob({
    database,
    analytics: clickHouse.analytics,
    log: { lag: async () => [] },
    pipeline: { segments: [] },
    embedder: createBuiltInEmbedder(),
    sealer: createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7)),
    signalCodec: createCodecs(createMemoryRegistry()).signalCodec,
    actorKey,
  })
  const leases = createLeases(database, 60_000)
  for (let held = await leases.take(['erase']); held !== null; held = await leases.take(['erase'])) {
    const { id: jobId, workspace_id: workspaceId, input, cursor } = held
    await leases.store(held, await job.slice({ jobId, workspaceId, input, cursor }))
  }
}

describe('Erasing a person', () => {
  it('shows first whom an address and a name find, then erases those that were chosen', async () => {
    const his = await workspace.signal({
      text: 'Ask Anna Berg about the export of boards.',
      actorKey: actorKey('bo@example.com'),
      actorName: 'Bo',
    })
    await workspace.signal({ text: 'The export fails.', actorKey: actorKey(ADDRESS), actorName: 'Anna Berg' })
    await workspace.signal({
      text: 'Another Anna Berg writes from another company.',
      actorName: 'Anna Berg',
      source: 'desk',
    })
    const { data } = await workspace.inApp('preview_erasure', {
      person: { address: `Anna <${ADDRESS}>`, name: 'anna berg' },
    })
    assert.deepEqual(
      data.actors.map(({ actor, name, signals, is_address }: Record<string, unknown>) => [
        actor,
        name,
        signals,
        is_address,
      ]),
      [
        [actorKey(ADDRESS), 'Anna Berg', 1, true],
        ['desk\u001fAnna Berg', 'Anna Berg', 1, false],
      ],
    )
    const mentioned = data.mentions.find(({ place }: { place: string }) => place === 'signals')
    assert.equal(mentioned.rows, 2)
    const asked = { person: { address: ADDRESS, name: 'Anna Berg' }, actors: [actorKey(ADDRESS)], masks_words: false }
    await assert.rejects(workspace.inApp('erase_person', { ...asked, confirm: 'yes' }), failsWith('invalid_input'))
    await assert.rejects(workspace.inApp('erase_person', { ...asked, confirm }, 'member'), failsWith('forbidden'))
    const started = await workspace.inApp('erase_person', { ...asked, confirm })
    await assert.rejects(workspace.inApp('erase_person', { ...asked, confirm }), failsWith('conflict'))
    const { rows: jobs } = await kit.database.pool.query(
      `select id from jobs where kind = 'erase' and state = 'running'`,
    )
    await assert.rejects(workspace.inApp('cancel_job', { id: jobs[0].id }), failsWith('conflict'))
    await erase()
    const [done] = (await workspace.inApp('list_erasures')).data.items
    assert.equal(done.id, started.data.id)
    assert.ok(done.finished_at)
    assert.equal(done.erased_signals, 1)
    assert.deepEqual(
      done.proof.filter(({ found }: { found: number }) => found > 0),
      [],
    )
    await assert.rejects(workspace.inApp('resume_erasure', { id: done.id }), failsWith('conflict'))
    const { rows: kept } = await kit.database.pool.query('select number from signals where workspace_id = $1', [
      workspace.caller.workspaceId,
    ])
    assert.equal(kept.length, 2)
    const { rows: said } = await kit.database.pool.query(
      `select (select json_agg(erasures) from erasures)::text || (select json_agg(jobs) from jobs)::text as said`,
    )
    assert.doesNotMatch(said[0].said, /anna/i)
    assert.ok(his)
  })

  it('erases one Signal, and a source with its Signals, by their names', async () => {
    const { reference } = await workspace.signal({ text: 'Sign in is slow.' })
    await workspace.inApp('erase_signal', { id: reference, confirm })
    await erase()
    const { data: source } = await workspace.inApp('create_source', { kind: 'connection', name: 'Helpdesk' })
    await workspace.inApp('erase_source', { id: source.id ?? source.source.id, confirm })
    await erase()
    const { items } = (await workspace.inApp('list_erasures')).data
    assert.deepEqual(
      items.map(({ kind, label }: Record<string, string>) => [kind, label]),
      [
        ['source', 'Helpdesk'],
        ['signal', reference],
      ],
    )
    await assert.rejects(workspace.inApp('lookup_signal', { id: reference }), failsWith('not_found'))
  })

  it('deletes a workspace for everybody, once its name is written out', async () => {
    await assert.rejects(workspace.inApp('delete_workspace', { confirm: 'x' }), failsWith('invalid_input'))
    assert.deepEqual((await workspace.inApp('delete_workspace', { confirm })).data, { deleted: true })
    const { rows } = await kit.database.pool.query(
      'select deleted_at is not null as deleted, (select count(*)::int from members where workspace_id = $1) as members from workspaces where id = $1',
      [workspace.caller.workspaceId],
    )
    assert.deepEqual(rows, [{ deleted: true, members: 0 }])
  })
})
