import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { countTransactions, startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { termsOf } from '../../../infra/word-index/terms.ts'
import { textHash } from '../../../model/signals/normalize.ts'
import { type ClaimId, newId, type SignalId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import { embedder } from '../../steps/testing.ts'
import { addManySignals, addSignals, newWorkspace, runJob, runJobThroughCrash } from '../testing.ts'
import { createReScrubJob } from './re-scrub.ts'

let db: TestDatabase
let workspace: WorkspaceId
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  workspace = await newWorkspace(db)
})

const job = (model: Embedder = embedder, database = db.database) =>
  createReScrubJob({ database, embedder: model, actorKey: address => `key of ${address.length}` })

const PHONE = '+1 212 555 0142'

const query = async (statement: string, values: readonly unknown[] = [workspace]) =>
  (await db.pool.query(statement, [...values])).rows

const vectorOf = async (id: SignalId): Promise<{ model: string; place: number; vector: Float32Array }[]> => {
  const rows = await query('select model, place, embedding::text as vector from signal_vectors where signal_id = $1', [
    id,
  ])
  return rows.map(row => ({ ...row, vector: Float32Array.from(JSON.parse(row.vector)) }))
}

const addClaim = async (number: number, title: string, statement = title): Promise<ClaimId> => {
  const id = newId<ClaimId>()
  await query(
    `insert into claims (id, workspace_id, number, kind, title, statement) values ($1, $2, $3, 'problem', $4, $5)`,
    [id, workspace, number, title, statement],
  )
  return id
}

describe('re_scrub', () => {
  it('removes what the present rules find from everything that is stored of a signal', async () => {
    const [id] = await addSignals(db, workspace, [
      `Call me at ${PHONE} or somebody@example.com`,
      {
        content: {
          event: 'call of somebody@example.com',
          source: 'desk 192.0.2.7',
          source_url: 'https://desk.example/?mail=somebody@example.com',
          actor_name: `Somebody ${PHONE}`,
          actor_email: 'Somebody <somebody@example.com>',
          metadata: '{"phone":"+1 212 555 0142","order":"4711","deep":{"somebody@example.com":1}}',
          cut_signature: `Somebody\n${PHONE}`,
          cut_quoted: '> write to somebody@\n> example.com',
          cut_footer: 'Sent from 192.0.2.7',
          cut_omitted: 7,
        },
      },
    ])
    const outcome = await runJob(job(), workspace)
    const [row] = await query('select * from signals where workspace_id = $1')
    assert.partialDeepStrictEqual(row, {
      text: 'Call me at [PHONE] or [EMAIL]',
      event: 'call of [EMAIL]',
      source: 'desk [IP_ADDRESS]',
      source_url: 'https://desk.example/?mail=[EMAIL]',
      actor_name: 'Somebody [PHONE]',
      actor_email: '[EMAIL]',
      actor_key: 'key of 20',
      metadata: { phone: '[PHONE]', order: '4711', deep: { '[EMAIL]': 1 } },
      cut_signature: 'Somebody\n[PHONE]',
      cut_quoted: '> write to [EMAIL]',
      cut_footer: 'Sent from [IP_ADDRESS]',
      cut_omitted: 7,
      number: 1,
      version: 1,
    })
    assert.equal(row.text_hash.toString('hex'), textHash('Call me at [PHONE] or [EMAIL]'))
    const found = await query(`select id from signals where text ~ 'somebody' and text ~ '@'`, [])
    assert.deepEqual(found, [])
    assert.partialDeepStrictEqual(outcome, { done: 1, failed: 0, total: 1 })
    assert.deepEqual(outcome.messages, ['Replaced: 4 PHONE, 6 EMAIL, 2 IP_ADDRESS. Rows changed: 1.'])
    assert.ok(id)
  })

  it('cleans what changes keep of the same columns, so that no undo brings it back', async () => {
    const change = newId()
    const [first] = await addSignals(db, workspace, ['The export fails'])
    const claim = await addClaim(1, `Call ${PHONE}`)
    await query(
      `insert into changes (id, workspace_id, operation, made_by, made_by_name, made_at, for_people)
       values ($2, $1, 'update_claim', $2, 'Somebody', now(), false)`,
      [workspace, change],
    )
    const keep = (name: string, was: string, kept: string, columns: string[] | null = null) =>
      query(
        `insert into changed_rows (workspace_id, change_id, table_name, key, was, columns, before) values ($1, $2, $3, '{}', $4, $5, $6)`,
        [workspace, change, name, was, columns, kept],
      )
    await keep('claims', 'update', JSON.stringify({ title: `Call ${PHONE}` }), ['title'])
    await keep('signals', 'delete', JSON.stringify({ id: first, text: `Call ${PHONE}`, text_hash: '\\x00' }))
    await keep('solutions', 'update', JSON.stringify({ title: `Call ${PHONE}` }), ['title'])
    await runJob(job(), workspace)
    const rows = await query('select before, after from changed_rows where workspace_id = $1 order by id')
    assert.deepEqual(rows, [
      { before: { title: 'Call [PHONE]' }, after: null },
      { before: { id: first, text: 'Call [PHONE]', text_hash: `\\x${textHash('Call [PHONE]')}` }, after: null },
      { before: { title: `Call ${PHONE}` }, after: null },
    ])
    assert.deepEqual(await query('select title from claims where id = $1', [claim]), [{ title: 'Call [PHONE]' }])
  })

  it('embeds a changed text again, behind every place that is known, and has it anchored again', async () => {
    const [first, last] = await addSignals(db, workspace, ['The export fails'], [`Call ${PHONE}`])
    assert.ok(first && last)
    await db.pool.query(
      `insert into signal_vectors (signal_id, workspace_id, model, place, embedding)
       select signal_id, workspace_id, 'older', place, embedding from signal_vectors where workspace_id = $1`,
      [workspace],
    )
    await runJob(job(), workspace)
    const [expected] = await embedder.embed(['Call [PHONE]'])
    assert.deepEqual(await vectorOf(last), [{ model: embedder.model, place: 3, vector: expected }])
    assert.deepEqual((await vectorOf(first)).map(({ model, place }) => [model, place]).toSorted(), [
      [embedder.model, 1],
      ['older', 1],
    ])
    assert.deepEqual(await query('select kind from jobs where workspace_id = $1'), [{ kind: 're_anchor' }])
    const words = await query('select terms from signal_terms where workspace_id = $1 order by place')
    assert.deepEqual(
      words.map(({ terms }) => Uint8Array.from(terms)),
      ['The export fails', 'Call [PHONE]'].map(termsOf),
    )
  })

  it('writes nothing, asks no model and starts nothing where nothing is found', async () => {
    await addSignals(db, workspace, ['The export of order 4711 fails'])
    await addClaim(1, 'The export fails')
    const before = await query('select xmin::text from signals where workspace_id = $1')
    const asked: string[] = []
    const counting: Embedder = {
      ...embedder,
      embed: texts => {
        asked.push(...texts)
        return embedder.embed(texts)
      },
    }
    const outcome = await runJob(job(counting), workspace)
    assert.deepEqual(await query('select xmin::text from signals where workspace_id = $1'), before)
    assert.deepEqual([asked, await query('select kind from jobs where workspace_id = $1')], [[], []])
    assert.partialDeepStrictEqual(outcome, { done: 2, total: 2, messages: ['Nothing was replaced.'] })
  })

  it('cleans what was made of the texts: claims, what judges said, occurrences, pull requests', async () => {
    const [id] = await addSignals(db, workspace, ['The export fails'])
    const [one, other] = [
      await addClaim(1, `Call ${PHONE} ${'x'.repeat(270)}`, `${'long '.repeat(150)}${PHONE}`),
      await addClaim(2, 'Other'),
    ]
    const lost = JSON.stringify([{ claim_id: other, verdict: 'refused', by: 'judge', reason: PHONE, score: 0.03 }])
    await query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, lost_candidates)
       values ($1, $2, $4, 'judge', 'judge', $5, $6), ($1, $3, $4, 'member', 'Somebody', $5, '[]')`,
      [workspace, one, other, id, `Both give ${PHONE}.`, lost],
    )
    await query(
      `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, reason, decided_reason, state)
       values ($1, $2, $3, $4, 0.1, $5, $5, 'refused')`,
      [newId(), workspace, one, other, `One is of ${PHONE}.`],
    )
    await query(
      `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, text, source, actor_name, actor_email,
         signal_origin, actor_role, metadata, occurred_at, received_at)
       values ($1, $2, $3, 'near_duplicate', 1, 'webhook', $5, 'desk', $4, 'somebody@example.com', 'customer', 'user', $6, now(), now())`,
      [newId(), workspace, id, `Somebody ${PHONE}`, `It fails. Call ${PHONE}`, { phone: PHONE }],
    )
    const solution = newId()
    await query('insert into solutions (id, workspace_id, number, title) values ($1, $2, 1, $3)', [
      solution,
      workspace,
      'Mend it',
    ])
    await query(
      `insert into handoff_proposals (workspace_id, solution_id, repository, number, title, branch, state, signal_id, occurred_at)
       values ($1, $2, 'our/app', 7, $3, 'main', 'opened', $4, now())`,
      [workspace, solution, `Call ${PHONE}`, id],
    )
    const outcome = await runJob(job(), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 11, failed: 0, total: 11 })
    const [claim] = await query('select title, statement from claims where workspace_id = $1 and number = 1')
    assert.match(claim.title, /^Call \[PHONE\] x+$/)
    assert.equal(claim.statement, `${'long '.repeat(150)}[PHONE]`)
    assert.deepEqual(
      await query('select reason, lost_candidates from claim_evidence where workspace_id = $1 order by attached_by'),
      [
        {
          reason: 'Both give [PHONE].',
          lost_candidates: [{ claim_id: other, verdict: 'refused', by: 'judge', reason: '[PHONE]', score: 0.03 }],
        },
        { reason: `Both give ${PHONE}.`, lost_candidates: [] },
      ],
    )
    assert.deepEqual(await query('select reason, decided_reason from merge_proposals where workspace_id = $1'), [
      { reason: 'One is of [PHONE].', decided_reason: 'One is of [PHONE].' },
    ])
    assert.deepEqual(
      await query('select actor_name, text, actor_email, metadata from occurrences where workspace_id = $1'),
      [
        {
          actor_name: 'Somebody [PHONE]',
          text: 'It fails. Call [PHONE]',
          actor_email: '[EMAIL]',
          metadata: { phone: '[PHONE]' },
        },
      ],
    )
    assert.deepEqual(
      await query(
        `select distinct actor, actor_name, source from actor_weights where workspace_id = $1 and actor like 'desk%'`,
      ),
      [{ actor: 'desk\u001fSomebody [PHONE]', actor_name: 'Somebody [PHONE]', source: 'desk' }],
    )
    assert.deepEqual(await query('select title from handoff_proposals where workspace_id = $1'), [
      { title: 'Call [PHONE]' },
    ])
  })

  it('goes on after a crash between two slices, reads 10,500 texts in pages, and leaves nothing out', async () => {
    await addManySignals(db, workspace, 10_500)
    await db.pool.query(
      `update signals set text = text || ' of a@example.com' where workspace_id = $1 and number % 100 = 0`,
      [workspace],
    )
    const { first, rest } = await runJobThroughCrash(job, workspace)
    assert.deepEqual([first.done + rest.done, rest.total], [10_500, 10_500])
    assert.ok(rest.slices > 50)
    assert.deepEqual(await query(`select number from signals where workspace_id = $1 and text ~ '@'`), [])
    assert.deepEqual(await query('select count(*)::int as n from signal_vectors where workspace_id = $1'), [{ n: 105 }])
  })

  it('takes signals in that arrive meanwhile', async () => {
    await addSignals(db, workspace, [`Call ${PHONE}`])
    let arrived = false
    await runJob(job(), workspace, {
      after: async () => {
        if (!arrived) await addSignals(db, workspace, [`Call again ${PHONE}`])
        arrived = true
        return false
      },
    })
    assert.deepEqual(await query('select text from signals where workspace_id = $1 order by number'), [
      { text: 'Call [PHONE]' },
      { text: 'Call again [PHONE]' },
    ])
  })

  it('stores a cleaned text whose vector cannot be made, and keeps none of what it said before', async () => {
    const [id] = await addSignals(db, workspace, [`Call ${PHONE}`])
    assert.ok(id)
    const refusing = { ...embedder, embed: () => Promise.reject(new AssayError('internal', 'No words for it.')) }
    const outcome = await runJob(job(refusing), workspace)
    assert.partialDeepStrictEqual(outcome, { done: 1, failed: 1 })
    assert.match(outcome.messages.at(-1) ?? '', /1 PHONE.*No words for it/)
    assert.deepEqual(
      [await vectorOf(id), await query('select text from signals where workspace_id = $1')],
      [[], [{ text: 'Call [PHONE]' }]],
    )
  })

  it('waits for a model that is away, with nothing written', async () => {
    await addSignals(db, workspace, [`Call ${PHONE}`])
    const away = new AssayError('unavailable', 'Away.')
    await assert.rejects(runJob(job({ ...embedder, embed: () => Promise.reject(away) }), workspace), away)
    assert.deepEqual(await query('select text from signals where workspace_id = $1'), [{ text: `Call ${PHONE}` }])
  })

  it('looks through what was made of the texts outside of any transaction', async () => {
    await addClaim(1, `Call ${PHONE}`)
    const counted = countTransactions(db.database)
    const openAsLookedAt: number[] = []
    const watched = <Row extends object>(row: Row): Row => {
      if (!('values' in row)) return row
      const { values } = row
      const get = () => {
        openAsLookedAt.push(counted.open())
        return values
      }
      return Object.defineProperty({ ...row }, 'values', { enumerable: true, get })
    }
    const database: Database = {
      ...db.database,
      transaction: (scope, work) =>
        counted.database.transaction(scope, transaction =>
          work({ query: async (...asked) => (await transaction.query<never>(...asked)).map(watched) }),
        ),
    }
    await runJob(job(embedder, database), workspace)
    assert.deepEqual(await query('select title from claims where workspace_id = $1'), [{ title: 'Call [PHONE]' }])
    assert.deepEqual(openAsLookedAt, [0])
  })

  it('writes no signal that was changed while it was looked through, and reads it again', async () => {
    const [changing, other, gone] = await addSignals(
      db,
      workspace,
      [`Call ${PHONE}, says Ana`],
      [`Ask ${PHONE}`],
      [`Mail ${PHONE}`],
    )
    let isFirst = true
    const slow: Embedder = {
      ...embedder,
      embed: async texts => {
        if (isFirst) {
          isFirst = false
          await query('update signals set text = $2 where id = $1', [changing, `Call ${PHONE}, says [ERASED]`])
          await query('delete from signals where id = $1', [gone])
        }
        return embedder.embed(texts)
      },
    }
    const outcome = await runJob(job(slow), workspace)
    assert.deepEqual(await query('select id, text from signals where workspace_id = $1 order by number'), [
      { id: changing, text: 'Call [PHONE], says [ERASED]' },
      { id: other, text: 'Ask [PHONE]' },
    ])
    const [expected] = await embedder.embed(['Call [PHONE], says [ERASED]'])
    assert.ok(changing)
    assert.deepEqual(
      (await vectorOf(changing)).map(({ vector }) => vector),
      [expected],
    )
    assert.partialDeepStrictEqual(outcome, { done: 2, failed: 0 })
    assert.deepEqual(outcome.messages, ['Replaced: 2 PHONE. Rows changed: 2.'])
  })

  it('writes no row that was changed while it was looked through, and reads it again', async () => {
    const [id] = await addSignals(db, workspace, ['The export fails'])
    const [one, other, third] = [
      await addClaim(1, `Call ${PHONE}`),
      await addClaim(2, `Ask ${PHONE}`),
      await addClaim(3, 'Third'),
    ]
    const [low, high] = [one, other, third].toSorted()
    await query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
       values ($1, $2, $3, 'judge', 'judge', $4)`,
      [workspace, high, id, `Both give ${PHONE}.`],
    )
    const changes = new Map([
      ['title', () => query(`update claims set title = $2 where id = $1`, [one, `Call ${PHONE} now`])],
      ['lost_candidates', () => query('update claim_evidence set claim_id = $2 where claim_id = $1', [high, low])],
    ])
    const database: Database = {
      ...db.database,
      transaction: async (scope, work) => {
        const read: unknown = await db.database.transaction(scope, work)
        for (const [column, change] of changes)
          if (Array.isArray(read) && Object.hasOwn(read[0]?.values ?? {}, column)) {
            changes.delete(column)
            await change()
          }
        return read as never
      },
    }
    const outcome = await runJob(job(embedder, database), workspace)
    assert.equal(changes.size, 0)
    assert.deepEqual(await query('select title from claims where workspace_id = $1 order by number'), [
      { title: 'Call [PHONE] now' },
      { title: 'Ask [PHONE]' },
      { title: 'Third' },
    ])
    assert.deepEqual(await query('select claim_id, reason from claim_evidence where workspace_id = $1'), [
      { claim_id: low, reason: 'Both give [PHONE].' },
    ])
    assert.partialDeepStrictEqual(outcome, { done: 6, total: 6, failed: 0 })
    assert.deepEqual(outcome.messages, ['Replaced: 5 PHONE. Rows changed: 3.'])
  })

  it('takes long rows in short pages, and leaves none out', async () => {
    const [id] = await addSignals(db, workspace, ['The export fails'])
    const long = `${'long '.repeat(18_000)}${PHONE}`
    for (let made = 0; made < 5; made += 1)
      await query(
        `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, text, signal_origin, actor_role,
           occurred_at, received_at)
         values ($1, $2, $3, 'near_duplicate', 1, 'webhook', $4, 'customer', 'user', now(), now())`,
        [newId(), workspace, id, long],
      )
    const pages: number[] = []
    await runJob(job(), workspace, {
      after: (cursor, { done }) => {
        const { table, after_key: key } = (cursor ?? {}) as { table?: number; after_key?: unknown }
        if (table === 0 && key !== null) pages.push(done)
        return false
      },
    })
    assert.deepEqual(pages, [2, 2, 1])
    assert.deepEqual(await query(`select id from occurrences where workspace_id = $1 and text !~ 'PHONE'`), [])
  })

  it('does not touch another workspace', async () => {
    const other = await newWorkspace(db)
    await addSignals(db, other, [`Call ${PHONE}`])
    await addSignals(db, workspace, [`Call ${PHONE}`])
    await runJob(job(), workspace)
    assert.deepEqual(await query('select text from signals where workspace_id = $1', [other]), [
      { text: `Call ${PHONE}` },
    ])
  })
})
