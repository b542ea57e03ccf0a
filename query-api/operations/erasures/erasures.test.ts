import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { createMemoryRegistry } from '../../../infra/log/testing-registry.ts'
import { createBuiltInEmbedder } from '../../../infra/models/built-in-embedder.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { createCodecs } from '../../../model/codecs.ts'
import { createEraseJob } from '../../../processors/jobs/erase/erase.ts'
import { createLeases } from '../../../processors/jobs/runner.ts'
import { visibleJson } from '../../../schemas/domain/visible-text.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const ADDRESS = 'anna@example.com'
const actorKey = (address: string) => `key of ${address}`

let kit: OperationsKit
let clickHouse: TestAnalytics
let workspace: Workspace
let confirm: string
before(async () => {
  clickHouse = await startTestAnalytics()
  kit = await startOperations(clickHouse.analytics)
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
const erase = async (afterSlice = async (): Promise<void> => {}): Promise<void> => {
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
    await afterSlice()
  }
}

describe('While an erasure runs', () => {
  it('says in every count that lists may have less of it than the activity', async () => {
    const own = await kit.workspace()
    const { id } = await own.signal({ text: 'The import hangs.' })
    const [name] = (
      await kit.database.pool.query('select name from workspaces where id = $1', [own.caller.workspaceId])
    ).rows
    const notes = async (): Promise<readonly unknown[]> => [
      (await own.run('list_signals', {})).meta.note,
      (await own.run('lookup_triage', {})).meta.note,
      (await own.run('orient_snapshot', {})).meta.note,
      (await own.inApp('analyze_activity', { metrics: ['distinct_signals'] })).data.note,
    ]
    const isErasing = async (): Promise<boolean> =>
      (await own.inApp('list_jobs', { job_kind: 'erase', job_state: 'running' })).data.count > 0
    const saying = (said: readonly unknown[]) => said.filter(note => String(note).includes('is being erased')).length
    assert.equal(saying(await notes()), 0)
    await own.inApp('erase_signal', { id, confirm: name.name })
    assert.equal(saying(await notes()), 4)
    let slices = 0
    await erase(async () => {
      slices += 1
      assert.equal(saying(await notes()), (await isErasing()) ? 4 : 0)
    })
    assert.ok(slices > 1)
    assert.equal(saying(await notes()), 0)
  })
})

describe('Erasing a person', () => {
  it('shows as emptied no claim whose evidence a repeat of somebody else takes the place of', async () => {
    const own = await kit.workspace()
    const address = 'carla@example.com'
    const said = async (text: string) => own.signal({ text, actorKey: actorKey(address), actorName: 'Carla' })
    const repeated = await said('The import hangs.')
    await own.occurrence(repeated.id, { actorKey: actorKey('others@example.com'), actorName: 'Somebody else' })
    await own.claim('The import hangs', [repeated])
    await own.claim('The export hangs', [await said('The export hangs.')])
    const { data } = await own.inApp('preview_erasure', { person: { address, name: null } })
    assert.deepEqual([data.repeats_of_others, data.claims_kept, data.claims_emptied], [1, 1, 1])
  })

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

  it('takes an actor as the door shows and reads it, and refuses one that said nothing here', async () => {
    const { id } = await workspace.signal({ text: 'The lift is slow.', actorName: 'Ola Berg', source: 'desk' })
    const person = { address: null, name: 'Ola Berg' }
    const { data } = await workspace.inApp('preview_erasure', { person })
    // What stands between the source and the name cannot be seen: answers and inputs have another sign there.
    const [actor] = visibleJson(data).actors.map((found: { actor: string }) => found.actor)
    assert.equal(actor, 'desk␟Ola Berg')
    const again = await workspace.inApp('preview_erasure', { person, actors: [actor] })
    assert.equal(again.data.claims_emptied + again.data.claims_kept + again.data.repeats_of_others, 0)
    const asked = { person, masks_words: false, confirm }
    for (const actors of [['desk␟Ola Bergg'], [actor, 'nobody']]) {
      await assert.rejects(workspace.inApp('erase_person', { ...asked, actors }), failsWith('invalid_input'))
      await assert.rejects(workspace.inApp('preview_erasure', { person, actors }), failsWith('invalid_input'))
    }
    await workspace.inApp('erase_person', { ...asked, actors: [actor] })
    await erase()
    const { rows } = await kit.database.pool.query('select id from signals where id = $1', [id])
    assert.deepEqual(rows, [])
    const [done] = (await workspace.inApp('list_erasures')).data.items
    assert.equal(done.erased_signals, 1)
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
    const wasErased = failsWith('not_found', new RegExp(`${reference} was erased`))
    await assert.rejects(workspace.inApp('lookup_signal', { id: reference }), wasErased)
    await assert.rejects(workspace.inApp('lookup_reference', { query: reference }), wasErased)
    const never = failsWith('not_found', /No signal of this workspace/)
    await assert.rejects(workspace.inApp('lookup_signal', { id: 'SIG-999' }), never)
  })

  it('leaves nothing that the next search finds, counts or goes on to', async () => {
    const anna = { actorKey: actorKey(ADDRESS), actorName: 'Anna Berg' }
    for (const place of ['attic', 'cellar', 'garden'])
      await workspace.signal({ text: `No light in the ${place}.`, ...anna })
    const { id } = await workspace.signal({ text: 'The light in the hall flickers.', actorName: 'Bo' })
    await workspace.occurrence(id, { text: 'The kettle whistles.', ...anna })
    const search = async (query: string) =>
      await workspace.inApp('lookup_search', { query, types: ['signal'], limit: 1 })
    const countOf = async (query: string) => (await search(query)).data.count
    assert.deepEqual([await countOf('light'), await countOf('kettle')], [4, 1])
    const person = { address: ADDRESS, name: null }
    await workspace.inApp('erase_person', { person, actors: [actorKey(ADDRESS)], masks_words: false, confirm })
    await erase()
    const { data, meta } = await search('light')
    assert.deepEqual([data.count, data.items.map((item: { id: string }) => item.id), meta.next_cursor], [1, [id], null])
    assert.equal(await countOf('kettle'), 0)
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
