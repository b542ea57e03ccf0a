import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { BUILT_IN_MODEL } from '../../../infra/models/meaning/name.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { startJob } from '../../../model/jobs/start-job.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

const support = (mode: string, input: object = {}, idempotencyKey?: string) =>
  workspace.call('service_support', mode, input, idempotencyKey)

const jobs = async () => {
  const { rows } = await kit.database.pool.query('select * from jobs where workspace_id = $1 order by created_at', [
    workspace.id,
  ])
  return rows
}

const refused = (code: string, message: RegExp) => (error: unknown) => {
  assert.ok(isAssayError(error))
  assert.equal(error.code, code)
  assert.match(error.publicMessage, message)
  return true
}

describe('jobs', () => {
  it('are started by their kind in the member’s name, with what the kind needs', async () => {
    for (const job_kind of ['re_embed', 're_scrub', 're_anchor', 're_judge']) {
      const { data } = await support('start_job', { job_kind })
      assert.partialDeepStrictEqual(data, {
        kind: job_kind,
        state: 'running',
        done: 0,
        total: null,
        failed: 0,
        message: null,
        started_by: 'Owner',
        finished_at: null,
      })
    }
    assert.deepEqual(
      (await jobs()).map(({ kind, input }) => [kind, input]),
      [
        ['re_embed', { model: BUILT_IN_MODEL }],
        ['re_scrub', {}],
        ['re_anchor', {}],
        ['re_judge', { again: true }],
      ],
    )
  })

  it('are one of a kind at a time in a workspace; the refusal names the one that is running', async () => {
    const { data } = await support('start_job', { job_kind: 're_scrub' })
    await assert.rejects(support('start_job', { job_kind: 're_scrub' }), error => {
      refused('conflict', /running in this workspace already.*mode cancel_job/)(error)
      assert.deepEqual(isAssayError(error) && error.context, { id: data.id })
      return true
    })
    const other = await kit.workspace()
    await other.call('service_support', 'start_job', { job_kind: 're_scrub' })
    await support('cancel_job', { id: data.id })
    await support('start_job', { job_kind: 're_scrub' })
    assert.equal((await jobs()).length, 2)
  })

  it('of dead letters are started elsewhere, and a repetition of a call starts nothing', async () => {
    await assert.rejects(
      support('start_job', { job_kind: 'replay' }),
      refused('invalid_input', /service_support mode replay/),
    )
    await assert.rejects(support('start_job', { job_kind: 'polish' }), refused('invalid_input', /job_kind/))
    const first = await support('start_job', { job_kind: 're_scrub' }, 'once')
    assert.deepEqual(await support('start_job', { job_kind: 're_scrub' }, 'once'), first)
    assert.equal((await jobs()).length, 1)
  })

  it('are listed with their progress, the newest first, by kind and state, a page at a time', async () => {
    for (const job_kind of ['re_embed', 're_scrub', 're_judge']) await support('start_job', { job_kind })
    await kit.database.pool.query(
      `update jobs set done = 40, total = 100, failed = 2, message = 'No words for it.' where workspace_id = $1 and kind = 're_scrub'`,
      [workspace.id],
    )
    await kit.database.pool.query(
      `update jobs set state = 'done', finished_at = now(), created_at = created_at - interval '1 hour'
       where workspace_id = $1 and kind = 're_embed'`,
      [workspace.id],
    )
    const kinds = (items: { kind: string }[]) => items.map(({ kind }) => kind)
    kit.now = new Date()
    const { data, meta } = await support('jobs', { limit: 2 })
    assert.deepEqual([data.count, kinds(data.items)], [3, ['re_judge', 're_scrub']])
    assert.partialDeepStrictEqual(data.items[1], { done: 40, total: 100, failed: 2, message: 'No words for it.' })
    const { data: rest, meta: end } = await support('jobs', { limit: 2, cursor: meta.next_cursor })
    assert.deepEqual([kinds(rest.items), end.next_cursor], [['re_embed'], null])
    assert.ok(rest.items[0].finished_at)
    assert.deepEqual(kinds((await support('jobs', { job_kind: 're_embed' })).data.items), ['re_embed'])
    assert.deepEqual(kinds((await support('jobs', { job_state: 'running' })).data.items), ['re_judge', 're_scrub'])
  })

  it('are cancelled while they run, and only then', async () => {
    const { data: started } = await support('start_job', { job_kind: 're_scrub' })
    const { data } = await support('cancel_job', { id: started.id })
    assert.deepEqual(
      [data.state, data.finished_at, data.cancelled_by],
      ['cancelled', kit.now.toISOString(), workspace.caller.userName],
    )
    await assert.rejects(support('cancel_job', { id: started.id }), refused('conflict', /cancelled already/))
    const stranger = await kit.workspace()
    await assert.rejects(
      stranger.call('service_support', 'cancel_job', { id: started.id }),
      refused('not_found', /No job of this workspace/),
    )
  })

  it('of replays may run beside each other, and are cancelled in the same way', async () => {
    const start = () =>
      kit.database.database.transaction({ role: 'assay_app', workspaceId: workspace.id }, transaction =>
        startJob(transaction, {
          workspaceId: workspace.id,
          kind: 'replay',
          input: {},
          total: 5,
          startedBy: 'Owner',
        }),
      )
    const [first] = [await start(), await start()]
    await support('cancel_job', { id: first })
    assert.deepEqual((await jobs()).map(({ state }) => state).toSorted(), ['cancelled', 'running'])
  })

  it('begin with each change of the map, one for all changes that come while it runs', async () => {
    const { data: node } = await workspace.call('service_map', 'add_node', { name: 'Exports' })
    await workspace.call('service_map', 'update_node', { id: node.id, description: 'Getting data out.' })
    await workspace.call('service_map', 'remove_node', { id: node.id })
    const { data } = await support('jobs')
    assert.deepEqual(
      data.items.map((job: { kind: string; started_by: string }) => [job.kind, job.started_by]),
      [['re_anchor', 'Owner']],
    )
    const { rows } = await kit.database.pool.query(
      'select revision, anchored from map_revisions where workspace_id = $1',
      [workspace.id],
    )
    assert.deepEqual(rows, [{ revision: 3, anchored: 0 }])
  })

  it('begin with no change of the map that is refused', async () => {
    await workspace.call('service_map', 'add_node', { name: 'Exports' })
    await kit.database.pool.query(`update jobs set state = 'done' where workspace_id = $1`, [workspace.id])
    await assert.rejects(
      workspace.call('service_map', 'add_node', { name: 'exports' }),
      refused('conflict', /Exports|exports/),
    )
    assert.deepEqual((await support('jobs', { job_state: 'running' })).data.items, [])
  })

  it('are what diagnose points at when vectors are of another model', async () => {
    await workspace.signal({ text: 'The export fails' })
    await kit.database.pool.query(`update signal_vectors set model = 'older' where workspace_id = $1`, [workspace.id])
    const { data } = await support('diagnose')
    const found = data.items.find((item: { finding: string }) => item.finding === 'vectors_of_another_model')
    assert.deepEqual([found.next.tool, found.next.mode], ['service_support', 'jobs'])
    assert.match(found.next.reason, /re_embed/)
  })
})
