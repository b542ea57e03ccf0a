import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Embedder, Judge } from '../../infra/models/port.ts'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { eventually } from '../../infra/runtime/testing.ts'
import { storeNodeVectors } from '../../model/map/anchor.ts'
import { changeMap, lockMap } from '../../model/map/nodes.ts'
import { WITH_THEMES_TO_FIND } from '../../model/themes/due.ts'
import { setSignals } from '../../model/triage/triage.ts'
import { type ClaimId, type NodeId, newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Polling } from '../framework/poll.ts'
import { testObserver } from '../framework/testing.ts'
import { createBuiltInClassifier } from '../steps/classify/built-in/classifier.ts'
import { embedder, vectorAt } from '../steps/testing.ts'
import { createCalibrateJob } from './calibrate/calibrate.ts'
import { createFindThemesJob } from './find-themes/find-themes.ts'
import { startKeepingThemes } from './keep-themes.ts'
import { createLearnJob } from './learn/learn.ts'
import { startDue, startMaintenance } from './maintenance.ts'
import { createReAnchorJob } from './re-anchor/re-anchor.ts'
import { createReEmbedJob } from './re-embed/re-embed.ts'
import { createReJudgeJob } from './re-judge/re-judge.ts'
import { startJobRunner } from './runner.ts'
import { addManySignals, addSignals, newWorkspace } from './testing.ts'

let db: TestDatabase
let workspace: WorkspaceId
const running: Polling[] = []
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})
afterEach(async () => {
  await Promise.all(running.splice(0).map(part => part.stop()))
  // The next test begins with nothing to do.
  for (const table of [
    'jobs',
    'signal_vectors',
    'map_node_vectors',
    'map_revisions',
    'merge_proposals',
    'learned_classifiers',
    'retention',
    'theme_runs',
  ])
    await db.pool.query(`delete from ${table}`)
})

/** A model whose vectors are the built-in ones. */
const named = (model: string, known: Partial<Embedder> = {}): Embedder => ({ ...embedder, ...known, model })
const classifier = createBuiltInClassifier()

interface Processor {
  readonly embedder?: Embedder
  readonly judge?: Judge | null
}

const maintenance = ({ embedder: model = named('new'), judge = null }: Processor = {}): void => {
  running.push(
    startMaintenance({
      database: db.database,
      embedder: model,
      judge,
      classifier,
      observer: testObserver(),
      intervalMs: 5,
    }),
  )
}

/** What a processor does with jobs. */
const processor = (parts: Processor = {}): void => {
  const { database } = db
  const { embedder: model = named('new'), judge = null } = parts
  maintenance(parts)
  const kinds = [
    createReEmbedJob({ database, embedder: model }),
    createReAnchorJob({ database, embedder: model, settleMs: 0 }),
    createReJudgeJob({ database, judge }),
    createLearnJob({ database, classifier }),
    createFindThemesJob({ database, embedder: model }),
    createCalibrateJob({ database, embedder: model }),
  ]
  const pauses = { firstMs: 5, longestMs: 20 }
  running.push(startJobRunner({ database, kinds, observer: testObserver(), intervalMs: 5, pauses }))
}

const jobs = async (id: WorkspaceId = workspace) => {
  const { rows } = await db.pool.query(
    `select kind, state, started_by, done, total, failed from jobs where workspace_id = $1 order by created_at, id`,
    [id],
  )
  return rows
}
const kindsAndStates = async (id?: WorkspaceId) => (await jobs(id)).map(job => `${job.kind} ${job.state}`)

/** Waits until the upkeep has looked at everything at least once more. */
const looked = async (): Promise<void> => {
  const probe = await newWorkspace(db)
  await addSignals(db, probe, ['probe', { model: 'old' }])
  await eventually('the upkeep looked', async () => (await kindsAndStates(probe)).length > 0)
  await db.pool.query('delete from signal_vectors where workspace_id = $1', [probe])
}

const addProposal = async (): Promise<void> => {
  const [one, other] = [newId<ClaimId>(), newId<ClaimId>()]
  await db.pool.query(
    `insert into claims (id, workspace_id, number, kind, title)
     select id, $1, number, 'problem', 'Title' from unnest($2::uuid[]) with ordinality as added (id, number)`,
    [workspace, [one, other]],
  )
  await db.pool.query(
    `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, reason)
     values (gen_random_uuid(), $1, $2, $3, 0.1, 'They are near.')`,
    [workspace, one, other],
  )
}

describe('what is done again by itself', () => {
  it('begins when signals or nodes have vectors of another model, once, however many processors look', async () => {
    await addSignals(db, workspace, ['The export fails', { model: 'old' }])
    const ofNodes = await newWorkspace(db)
    const node = newId<NodeId>()
    await db.pool.query(`insert into map_nodes (id, workspace_id, name) values ($1, $2, 'Export')`, [node, ofNodes])
    await db.database.transaction({ role: 'assay_app', workspaceId: ofNodes }, transaction =>
      storeNodeVectors(transaction, ofNodes, node, 'older', [vectorAt(1)]),
    )
    const clean = await newWorkspace(db)
    await addSignals(db, clean, ['The export fails', { model: 'new' }])
    for (let count = 0; count < 3; count += 1) maintenance()
    await looked()
    assert.deepEqual(await kindsAndStates(), ['re_embed running'])
    assert.deepEqual(await kindsAndStates(ofNodes), ['re_embed running'])
    assert.deepEqual(await kindsAndStates(clean), [])
    assert.equal((await jobs())[0].started_by, 'the embedding model new')
  })

  it('embeds, and then anchors, a workspace whose model was exchanged, and rests', async () => {
    await addManySignals(db, workspace, 250)
    await db.pool.query(`insert into reference_counters (workspace_id, kind, last_number) values ($1, 'signal', 250)`, [
      workspace,
    ])
    await addSignals(db, workspace, ['Please add a dark mode', { model: 'old' }])
    const node = newId<NodeId>()
    await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, async transaction => {
      await changeMap(transaction, workspace, 'Somebody')
      await transaction.query(
        `insert into map_nodes (id, workspace_id, name) values ($1, $2, 'Please add a dark mode')`,
        [node, workspace],
      )
      await storeNodeVectors(transaction, workspace, node, 'old', [vectorAt(1)])
    })
    processor()
    await eventually('everything is done', async () => {
      const found = await kindsAndStates()
      return found.length > 0 && found.every(job => job.endsWith(' done')) && found.includes('re_embed done')
    })
    await looked()
    const found = await jobs()
    assert.ok(found.every(({ state }) => state === 'done'))
    assert.partialDeepStrictEqual(
      found.find(({ kind }) => kind === 're_embed'),
      { done: 252, total: 252, failed: 0 },
    )
    const { rows } = await db.pool.query('select number from signals where workspace_id = $1 and node_id = $2', [
      workspace,
      node,
    ])
    assert.deepEqual(rows, [{ number: 251 }])
  })

  it('asks a judge once about what waits, and not again when it said nothing of use', async () => {
    await addProposal()
    maintenance()
    await looked()
    assert.deepEqual(await kindsAndStates(), [])
    let asked = 0
    const silent: Judge = {
      model: 'a-judge',
      judge: async () => {
        asked += 1
        throw new AssayError('internal', 'The model gave no usable verdict.')
      },
    }
    processor({ judge: silent })
    await eventually('it was asked', async () => (await kindsAndStates()).includes('re_judge done'))
    await looked()
    assert.equal(asked, 1)
    assert.equal((await jobs()).filter(({ kind }) => kind === 're_judge').length, 1)
    assert.equal((await jobs())[0].started_by, 'the judge a-judge')
  })

  it('anchors again when the map changed after the job had looked for the last time', async () => {
    await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
      changeMap(transaction, workspace, 'Somebody'),
    )
    await db.pool.query(`update jobs set state = 'done' where workspace_id = $1`, [workspace])
    maintenance()
    await looked()
    assert.deepEqual(await kindsAndStates(), ['re_anchor done', 're_anchor running'])
  })

  it('measures the nodes of a map from 50 signals on, and again once there are twice as many', async () => {
    const add = (count: number, from = 0) =>
      addSignals(db, workspace, ...Array.from({ length: count }, (_, at) => [`Text ${from + at}`] as const))
    await add(49)
    await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
      lockMap(transaction, workspace),
    )
    await db.pool.query(`insert into map_nodes (id, workspace_id, name) values (gen_random_uuid(), $1, 'Exports')`, [
      workspace,
    ])
    processor({ embedder })
    const measured = async (): Promise<number> => {
      const { rows } = await db.pool.query('select measured_number from map_revisions where workspace_id = $1', [
        workspace,
      ])
      return rows[0]?.measured_number
    }
    await looked()
    assert.equal(await measured(), 0)
    await add(1, 49)
    await eventually('they are measured', async () => (await measured()) === 50)
    await add(49, 50)
    await looked()
    assert.equal(await measured(), 50)
    await add(1, 99)
    await eventually('they are measured again', async () => (await measured()) === 100)
    assert.ok((await jobs()).every(({ started_by }) => started_by === 'signals that came'))
  })

  it('learns from 20 lessons on, and again once people have paused', async () => {
    await addManySignals(db, workspace, 20)
    const few = await newWorkspace(db)
    await addManySignals(db, few, 19)
    await db.pool.query(`update signals set classification_version = 'member' where workspace_id = any ($1)`, [
      [workspace, few],
    ])
    processor()
    await eventually('it has learned', async () => (await kindsAndStates()).includes('learn done'))
    await db.database.transaction({ role: 'assay_app', workspaceId: workspace }, async transaction => {
      const signals = await transaction.query<{ id: SignalId }>('select id from signals order by number limit 1')
      await setSignals(transaction, signals, { state: 'accepted' })
    })
    await looked()
    assert.deepEqual(await kindsAndStates(), ['learn done'])
    await db.pool.query(`update learned_classifiers set taught_at = taught_at - interval '11 seconds'`)
    await eventually(
      'it has learned again',
      async () => (await jobs()).filter(({ state }) => state === 'done').length === 2,
    )
    await looked()
    assert.deepEqual([(await jobs()).length, await kindsAndStates(few)], [2, []])
    assert.equal((await jobs())[0].started_by, 'what people said')
  })

  it('finds themes once there are signals enough, and once only while none come', async () => {
    await addManySignals(db, workspace, 12)
    const few = await newWorkspace(db)
    await addManySignals(db, few, 11)
    processor()
    const keeping = { database: db.database, embedder: named('new'), observer: testObserver(), intervalMs: 5 }
    running.push(startKeepingThemes(keeping))
    await eventually('themes were looked for', async () =>
      (await jobs()).some(({ kind, state }) => kind === 'find_themes' && state === 'done'),
    )
    await looked()
    assert.deepEqual([await jobs(few), (await jobs()).length], [[], 1])
    assert.partialDeepStrictEqual(await jobs(), [{ started_by: 'signals that came', total: 12 }])
  })

  it('is not done again when it ended while it was asked for', async () => {
    await addManySignals(db, workspace, 12)
    const finding = {
      kind: 'find_themes',
      due: WITH_THEMES_TO_FIND,
      model: null,
      startedBy: 'signals that came',
    } as const
    const start = (afterFirst: () => Promise<unknown>) =>
      db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace] }, transaction => {
        let asked = 0
        const query: typeof transaction.query = async (statement, values) => {
          const rows = await transaction.query<never>(statement, values)
          asked += 1
          if (asked === 1) await afterFirst()
          return rows
        }
        return startDue({ ...transaction, query }, finding, [workspace])
      })
    await start(() =>
      db.pool.query(
        `insert into theme_runs (workspace_id, through_number, signals, model, mean, found_at)
         values ($1, 12, 12, $2, array_fill(0::real, array[1024]), now())`,
        [workspace, embedder.model],
      ),
    )
    assert.deepEqual(await jobs(), [])
    await db.pool.query('delete from theme_runs where workspace_id = $1', [workspace])
    await start(async () => {})
    assert.equal((await jobs()).length, 1)
  })

  for (const state of ['cancelled', 'failed']) {
    it(`stays as it is once it was ${state}, until there is another model`, async () => {
      await addSignals(db, workspace, ['The export fails', { model: 'old' }])
      maintenance()
      await looked()
      await db.pool.query('update jobs set state = $2 where workspace_id = $1', [workspace, state])
      await looked()
      assert.deepEqual(await kindsAndStates(), [`re_embed ${state}`])
      maintenance({ embedder: named('newer') })
      await eventually('the other model began', async () => (await jobs()).length === 2)
    })
  }
})

describe('a job that is done with the runner', () => {
  it('is taken up by another processor after a crash, and stops when it is cancelled', async () => {
    await addManySignals(db, workspace, 1000)
    await db.pool.query(
      `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
       select id, workspace_id, 'old', number, $2 from signals where workspace_id = $1`,
      [workspace, `[${vectorAt(1).join()}]`],
    )
    const gate = Promise.withResolvers<void>()
    running.push({ stop: async () => gate.resolve() })
    let pages = 0
    // The third page is on its way when the job is cancelled. Fitting the new model's scale embeds in smaller parts.
    const gated = named('new', {
      embed: async texts => {
        if (texts.length === 200) pages += 1
        if (pages === 3) await gate.promise
        return embedder.embed(texts)
      },
    })
    processor({ embedder: gated })
    await eventually('two pages are done', async () => (await jobs())[0]?.done === 400)
    const { rowCount } = await db.pool.query(
      `update jobs set state = 'cancelled', finished_at = now() where workspace_id = $1 and state = 'running' and kind = 're_embed'`,
      [workspace],
    )
    assert.equal(rowCount, 1)
    gate.resolve()
    await looked()
    assert.partialDeepStrictEqual((await jobs())[0], { kind: 're_embed', state: 'cancelled', done: 400, total: 1000 })
    const count = async (model: string) => {
      const { rows } = await db.pool.query(
        'select count(*)::int as n from signal_vectors where workspace_id = $1 and model = $2',
        [workspace, model],
      )
      return rows[0].n
    }
    assert.deepEqual([await count('old'), (await count('new')) <= 600], [1000, true])
    await Promise.all(running.splice(0).map(part => part.stop()))

    // By hand, and in the hands of a processor that died within its third page.
    await db.pool.query(
      `update jobs set state = 'running', finished_at = null, lease_id = gen_random_uuid(), leased_until = now() - interval '1 second'
       where workspace_id = $1 and kind = 're_embed'`,
      [workspace],
    )
    processor()
    await eventually('it is done', async () => (await kindsAndStates()).includes('re_embed done'))
    assert.partialDeepStrictEqual((await jobs())[0], { kind: 're_embed', done: 1000, total: 1000, failed: 0 })
    assert.deepEqual([await count('old'), await count('new')], [0, 1000])
  })

  it('sends what was taken out and has no job, as after an import', async () => {
    const [original] = await addSignals(db, workspace, ['The export fails', { model: 'new' }])
    const repeat = newId()
    await db.pool.query(
      `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, text, signal_origin, actor_role, occurred_at, received_at)
       values ($1, $2, $3, 'same_text', 1, 'webhook', 'The export fails', 'customer', 'user', now(), now())`,
      [repeat, workspace, original],
    )
    await db.pool.query(
      'insert into taken_out_repeats (id, workspace_id, original_id, replay, taken_out_at) values ($1, $2, $3, 1, now())',
      [repeat, workspace, original],
    )
    maintenance()
    await eventually('the job is there', async () => (await kindsAndStates()).length > 0)
    assert.deepEqual(await kindsAndStates(), ['take_out running'])
  })

  describe('what is too old', () => {
    const keep = (setAt: string, signalsDays: number | null) =>
      db.pool.query(
        `insert into retention (workspace_id, signals_days, set_by, set_by_name, set_at)
         values ($1, $2, gen_random_uuid(), 'Ada', now() - $3::interval)
         on conflict (workspace_id) do update set signals_days = excluded.signals_days, set_at = excluded.set_at`,
        [workspace, signalsDays, setAt],
      )

    it('goes a day after its period was set, and then once a day', async () => {
      await keep('2 days', null)
      maintenance()
      await looked()
      await keep('23 hours', 90)
      await looked()
      assert.deepEqual(await kindsAndStates(), [])
      await keep('25 hours', 90)
      await eventually('it began', async () => (await kindsAndStates()).length === 1)
      await db.pool.query(`update jobs set state = 'failed' where workspace_id = $1`, [workspace])
      await looked()
      assert.deepEqual(await kindsAndStates(), ['erase failed'])
      await db.pool.query(`update jobs set created_at = now() - interval '25 hours' where workspace_id = $1`, [
        workspace,
      ])
      await eventually('it began again', async () => (await kindsAndStates()).length === 2)
    })

    it('waits for a file that is on its way', async () => {
      await keep('2 days', 90)
      await db.pool.query(
        `insert into jobs (id, workspace_id, kind, started_by) values (gen_random_uuid(), $1, 'export', 'Ada')`,
        [workspace],
      )
      maintenance()
      await looked()
      assert.deepEqual(await kindsAndStates(), ['export running'])
    })
  })
})
