import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestAnalytics, type TestAnalytics } from '../../../infra/clickhouse/testing.ts'
import { countTransactions, startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { ownClaimId } from '../../../model/claims/start-claims.ts'
import { statementOf, titleOf } from '../../../model/claims/titles.ts'
import { eraseAgain, parseErasureList, readErasureList } from '../../../model/erasures/erasure-list.ts'
import { insertErasure, type Sought, type SoughtAgain } from '../../../model/erasures/erasures.ts'
import { WITHOUT_QUOTES } from '../../../model/erasures/quotes.ts'
import { markOf, markOfWord } from '../../../model/erasures/tombstones.ts'
import { countWords, postgresPattern } from '../../../model/erasures/words.ts'
import { startJob } from '../../../model/jobs/start-job.ts'
import {
  type EventId,
  newId,
  type SignalId,
  type SourceId,
  type UserId,
  type WorkspaceId,
} from '../../../schemas/domain/ids.ts'
import { activity } from '../../../schemas/events/activity.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import { signalCodec, testContent, testSignal } from '../../framework/testing.ts'
import { storeEvents } from '../../sinks/activity/store-events.ts'
import { createInsert } from '../../steps/insert/insert.ts'
import { finished, freshNeighbours } from '../../steps/testing.ts'
import { newWorkspace, runJob } from '../testing.ts'
import { actorKey, eraseKit, quoteEverywhere, sealer } from './testing.ts'

const ANNA = 'anna.lindqvist@example.com'
const OF_ANNA = { actor_key: actorKey(ANNA), actor_name: 'Anna Lindqvist' }
const OF_BO = { actor_key: actorKey('bo@example.com'), actor_name: 'Bo' }

let db: TestDatabase
let clickHouse: TestAnalytics
before(async () => {
  db = await startTestDatabase()
  clickHouse = await startTestAnalytics()
})
after(async () => {
  await db.stop()
  await clickHouse.stop()
})

const { query, job, erasureOf, tell, said, repeat, ledgerOf, relay } = eraseKit(
  () => db,
  () => clickHouse,
)

const ask = async (workspaceId: WorkspaceId, sought: Exclude<Sought, SoughtAgain>): Promise<string> => {
  const id = newId()
  await query(`update jobs set state = 'done' where workspace_id = $1`, [workspaceId])
  await db.database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
    const jobId = await startJob(transaction, {
      workspaceId,
      kind: 'erase',
      input: { erasure_id: id },
      total: null,
      startedBy: 'Ada',
    })
    await insertErasure(transaction, {
      id,
      workspaceId,
      jobId,
      what: sought.what,
      label: '',
      sealed: sealer.seal(JSON.stringify(sought)),
      by: { id: newId<UserId>(), name: 'Ada' },
    })
  })
  return id
}

const anna: Sought = { what: 'person', actors: [actorKey(ANNA)], address: ANNA, words: ['Anna Lindqvist', ANNA] }

const claimOf = async (workspaceId: WorkspaceId, number: number, text: string, ...ids: readonly SignalId[]) => {
  const [first] = ids
  assert.ok(first)
  const id = ownClaimId(first)
  await query(
    `insert into claims (id, workspace_id, number, kind, title, statement) values ($1, $2, $3, 'problem', $4, $5)`,
    [id, workspaceId, number, titleOf(text), statementOf(text)],
  )
  for (const signalId of ids)
    await query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason) values ($1, $2, $3, 'cluster', 'test', 'It started the claim.')`,
      [workspaceId, id, signalId],
    )
  return id
}

const putDeadLetter = async (workspaceId: WorkspaceId, known: Partial<SignalRecord>, sealed: boolean) => {
  const signal = { ...testSignal('', { workspace_id: workspaceId }), ...known }
  const record = await signalCodec.encode(signal)
  await query(
    `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at, last_failed_at, sealed, record)
     values ($1, 'scrub', $2, 'signals.validate', 'ours', 'internal', '', 1, now(), now(), $3, $4)`,
    [signal.signal_id, workspaceId, sealed, sealed ? sealer.seal(Buffer.from(record).toString('base64')) : record],
  )
  return signal.signal_id
}

const EXPORT = 'The export of large boards fails with an error every time we try it in the morning.'
const LOGIN = 'Signing in takes half a minute on the train, and Anna Lindqvist says so too.'

/** A workspace in which Anna and Bo have said something. */
const filled = async () => {
  const workspaceId = await newWorkspace(db)
  const hers = await said(workspaceId, EXPORT, OF_ANNA)
  const alone = await said(workspaceId, 'Nobody but me wants a dark theme for the printed report of the year.', OF_ANNA)
  const his = await said(workspaceId, LOGIN, OF_BO)
  const repeated = await repeat(workspaceId, hers, 'Exporting a large board gives us an error each morning.', OF_BO)
  const again = await repeat(workspaceId, his, 'Sign in is slow on trains.', OF_ANNA)
  await tell(workspaceId, [hers, alone, his], 'insert', 'next')
  await tell(workspaceId, [repeated, again], 'dedup', 'skip')
  const shared = await claimOf(workspaceId, 1, EXPORT, hers)
  const lone = await claimOf(
    workspaceId,
    2,
    'Nobody but me wants a dark theme for the printed report of the year.',
    alone,
  )
  return { workspaceId, hers, alone, his, repeated, again, shared, lone }
}

describe('erase', () => {
  it('takes a title away that was cut to what unlike texts do not share', async () => {
    const workspaceId = await newWorkspace(db)
    const text = 'Today I write to you about the following: the pump of Hill Farm stops at night. Thank you.'
    const id = await claimOf(workspaceId, 1, text, await said(workspaceId, text, OF_ANNA))
    await query('update claims set title = $2 where id = $1', [id, 'the pump of Hill Farm stops at night.'])
    await runJob(job(), workspaceId, { input: { erasure_id: await ask(workspaceId, anna) } })
    assert.deepEqual(await query('select title from claims where id = $1', [id]), [{ title: '[ERASED]' }])
  })

  it('takes a person out of every store, keeps what others said, and proves it', async () => {
    const { workspaceId, hers, alone, his, repeated, again, shared, lone } = await filled()
    assert.equal((await ledgerOf(workspaceId)).verdict, 'balanced')
    const id = await ask(workspaceId, anna)
    await runJob(job(), workspaceId, { input: { erasure_id: id } })

    const signals = await query('select id, text, actor_name from signals where workspace_id = $1 order by number', [
      workspaceId,
    ])
    assert.deepEqual(signals, [
      { id: his, text: 'Signing in takes half a minute on the train, and [ERASED] says so too.', actor_name: 'Bo' },
      { id: repeated, text: 'Exporting a large board gives us an error each morning.', actor_name: 'Bo' },
    ])
    assert.deepEqual(await query('select id from occurrences where workspace_id = $1', [workspaceId]), [])
    const claims = await query('select id, title, state from claims where workspace_id = $1 order by number', [
      workspaceId,
    ])
    assert.deepEqual(claims, [
      { id: shared, title: 'Exporting a large board gives us an error each morning.', state: 'emerging' },
      { id: lone, title: '[ERASED]', state: 'dismissed' },
    ])
    const erasure = await erasureOf(id)
    assert.equal(erasure.sealed, null)
    assert.equal(erasure.erased_signals, 3)
    assert.deepEqual(
      erasure.proof.filter(({ found }) => found !== 0),
      [],
    )
    assert.ok(erasure.proof.some(({ store }) => store === 'clickhouse'))
    const left = await clickHouse.analytics.query(
      'SELECT count() AS events FROM activity WHERE workspace_id = {workspace: UUID} AND subject_id IN {ids: Array(String)}',
      { workspace: workspaceId, ids: [hers, alone, again] },
    )
    assert.deepEqual(left, [{ events: 0 }])

    await relay(workspaceId)
    const { ledger, verdict, reasons } = await ledgerOf(workspaceId)
    assert.deepEqual([verdict, reasons], ['balanced', []])
    assert.partialDeepStrictEqual(ledger, {
      received: 5,
      erased: 3,
      erasing: 0,
      inserted: { postgres: 2, clickhouse: 2 },
    })
    const sums = await clickHouse.analytics.query(
      `SELECT (SELECT sum(times) FROM activity WHERE workspace_id = {workspace: UUID}) AS events,
         (SELECT sum(times) FROM activity_by_hour WHERE workspace_id = {workspace: UUID}) AS hours,
         (SELECT sum(times) FROM activity_by_day WHERE workspace_id = {workspace: UUID}) AS days,
         (SELECT sum(abs(times)) FROM (SELECT sum(times) AS times FROM activity_moved_by_hour
            WHERE workspace_id = {workspace: UUID} GROUP BY at, kind, step, outcome HAVING times < 0)) AS moved,
         (SELECT arraySum(mapValues(sumMap(durations))) FROM activity_by_day WHERE workspace_id = {workspace: UUID}) AS timed`,
      { workspace: workspaceId },
    )
    // Of Bo’s signal and his repeat: two events each, and that the repeat took a place.
    assert.deepEqual(sums, [{ events: 5, hours: 5, days: 5, moved: 4, timed: 3 }])
  })

  it('takes what a mail has beside its text with it, masks the words in that of others, and looks there at the end', async () => {
    const { workspaceId, hers, his } = await filled()
    const kept = (quoted: string) => ({ cut_signature: 'Bo Ek, Lindqvist & Co', cut_quoted: quoted, cut_footer: null })
    const mine = await said(workspaceId, 'The lamp of the hall blinks.', {
      ...OF_ANNA,
      ...kept('Did the lamp never blink before?'),
    })
    const heir = await repeat(workspaceId, mine, 'A lamp blinks in our hall.', { ...OF_BO, ...kept('Since when?') })
    const answer = await said(workspaceId, 'It still does.', { ...OF_BO, ...kept(`Anna Lindqvist <${ANNA}> wrote:`) })
    const again = await repeat(workspaceId, his, 'Trains are slow.', { ...OF_BO, ...kept('ANNA  LINDQVIST wrote:') })
    const id = await ask(workspaceId, anna)
    await runJob(job(), workspaceId, { input: { erasure_id: id } })

    const rows = await query(
      `select id, cut_signature, cut_quoted from signals where id = any ($1::uuid[])
       union all select id, cut_signature, cut_quoted from occurrences where id = any ($1::uuid[])`,
      [[hers, mine, heir, answer, again]],
    )
    const signature = 'Bo Ek, Lindqvist & Co'
    assert.deepEqual(
      rows.toSorted((one, other) => (one.id < other.id ? -1 : 1)),
      [
        { id: heir, cut_signature: signature, cut_quoted: 'Since when?' },
        { id: answer, cut_signature: signature, cut_quoted: '[ERASED] <[ERASED]> wrote:' },
        { id: again, cut_signature: signature, cut_quoted: '[ERASED] wrote:' },
      ].toSorted((one, other) => (one.id < other.id ? -1 : 1)),
    )
    assert.deepEqual(
      (await erasureOf(id)).proof.filter(({ found }) => found !== 0),
      [],
    )
    await query(`update signals set cut_footer = 'To Anna Lindqvist' where id = $1`, [answer])
    const left = await db.database.transaction({ role: 'assay_erasure', workspaceId }, transaction =>
      countWords(transaction, workspaceId, postgresPattern(anna) ?? assert.fail()),
    )
    assert.equal(left.get('signals'), 1)
  })

  it('masks the words in events of others, whole words alone, and leaves the sums as they are', async () => {
    const { workspaceId, his } = await filled()
    const event = (source: string, reason: string) =>
      activity({
        event_id: newId<EventId>(),
        workspace_id: workspaceId,
        kind: 'signal.step',
        occurred_at: Date.UTC(2026, 5, 1, 13),
        subject_id: his,
        step: 'classify',
        outcome: 'next',
        source,
        reason,
      })
    const events = [
      event('ANNA  LINDQVIST Anna Lindqvist', ''),
      event('Anna Lindqvistson', `It is of ${ANNA}.`),
      event('Åland', ''),
    ]
    await storeEvents(clickHouse.analytics, events, `masks ${workspaceId}`)
    const id = await ask(workspaceId, anna)
    await runJob(job(), workspaceId, { input: { erasure_id: id } })
    const written = await clickHouse.analytics.query(
      `SELECT source, reason FROM activity WHERE workspace_id = {workspace: UUID} AND step = 'classify' ORDER BY source`,
      { workspace: workspaceId },
    )
    assert.deepEqual(written, [
      { source: 'Anna Lindqvistson', reason: 'It is of [ERASED].' },
      { source: '[ERASED] [ERASED]', reason: '' },
      { source: 'Åland', reason: '' },
    ])
    const sums = await clickHouse.analytics.query(
      `SELECT sum(times) AS times FROM activity_by_day WHERE workspace_id = {workspace: UUID} AND step = 'classify'`,
      { workspace: workspaceId },
    )
    assert.deepEqual(sums, [{ times: 3 }])
    assert.deepEqual(
      (await erasureOf(id)).proof.filter(({ found }) => found !== 0),
      [],
    )
  })

  it('goes on where a crash cut it short, and counts nothing twice', async () => {
    const { workspaceId } = await filled()
    const id = await ask(workspaceId, anna)
    const input = { erasure_id: id }
    // Each slice takes effect once more before its cursor is stored.
    let from: unknown = null
    await runJob(job(), workspaceId, {
      input,
      after: async cursor => {
        await runJob(job(), workspaceId, { input, from, after: () => true })
        from = cursor
        return undefined
      },
    })
    const { erased_signals, counts, proof } = await erasureOf(id)
    assert.equal(erased_signals, 3)
    assert.partialDeepStrictEqual(counts, { signals: 2, occurrences: 1, signals_of_others: 1 })
    assert.deepEqual(
      proof.filter(({ found }) => found !== 0),
      [],
    )
    await relay(workspaceId)
    assert.partialDeepStrictEqual((await ledgerOf(workspaceId)).ledger, { received: 5, erased: 3, differences: [] })
  })

  it('drops what was received before and comes afterwards, and takes what comes anew', async () => {
    const { workspaceId } = await filled()
    const id = await ask(workspaceId, anna)
    await runJob(job(), workspaceId, { input: { erasure_id: id } })
    const step = createInsert({ database: db.database, neighbours: freshNeighbours(), actorKey })
    const before = await finished(workspaceId, 'It came before, and waited.', { content: OF_ANNA })
    const anew = {
      ...(await finished(workspaceId, 'I have come back.', { content: OF_ANNA })),
      received_at: Date.now() + 60_000,
    }
    const results = await step.run([before, anew])
    assert.deepEqual(
      results.map(({ kind }) => kind),
      ['erased', 'next'],
    )
    const marks = await query('select mark from erasure_marks where workspace_id = $1 order by mark', [workspaceId])
    assert.deepEqual(
      marks.map(({ mark }) => mark),
      [
        markOfWord('address', ANNA, actorKey),
        markOf('actor', actorKey(ANNA), actorKey),
        markOfWord('word', 'Anna Lindqvist', actorKey),
        markOfWord('word', ANNA, actorKey),
      ],
    )
  })

  it('drops what waits of an address of which nothing is stored yet', async () => {
    const { workspaceId } = await filled()
    const address = 'late@example.com'
    const id = await ask(workspaceId, { what: 'person', actors: [], address, words: [] })
    await runJob(job(), workspaceId, { input: { erasure_id: id } })
    const step = createInsert({ database: db.database, neighbours: freshNeighbours(), actorKey })
    const content = { ...OF_ANNA, actor_key: actorKey(address), actor_name: 'Late' }
    const [result] = await step.run([await finished(workspaceId, 'It waited on the log.', { content })])
    assert.equal(result?.kind, 'erased')
  })

  it('takes the dead letters of an address of which nothing else is stored', async () => {
    const { workspaceId } = await filled()
    const address = 'late@example.com'
    const content = testContent('It waits.', { actor_key: actorKey(address), actor_name: 'Late' })
    await putDeadLetter(workspaceId, { content, received: null }, false)
    const kept = await putDeadLetter(
      workspaceId,
      { content: testContent('It waits, too.', OF_BO), received: null },
      false,
    )
    const id = await ask(workspaceId, { what: 'person', actors: [], address, words: [] })
    await runJob(job(), workspaceId, { input: { erasure_id: id } })
    assert.deepEqual(await query('select signal_id from dead_letters where workspace_id = $1', [workspaceId]), [
      { signal_id: kept },
    ])
    assert.partialDeepStrictEqual((await erasureOf(id)).counts, { dead_letters: 1 })
  })

  it('reads dead letters, sealed or not, and masks what people wrote', async () => {
    const { workspaceId } = await filled()
    const letter = (body: object, sealed: boolean) =>
      putDeadLetter(workspaceId, { content: null, received: { format: 'signal', body: JSON.stringify(body) } }, sealed)
    await letter({ text: 'It fails', actor_email: `Anna <${ANNA.toUpperCase()}>` }, true)
    await letter({ text: `Write to ${ANNA}` }, false)
    const kept = await letter({ text: 'Another one', actor_email: 'bo@example.com' }, true)
    const change = newId()
    await query(
      `insert into decisions (id, workspace_id, number, statement, made_by, made_by_name, through)
       values ($2, $1, 1, 'ANNA  LINDQVIST told us: “The export of large boards fails with an error every time we try it in the morning.”', $2, 'Ada', 'app')`,
      [workspaceId, change],
    )
    const long = `${EXPORT.slice(0, -1)} ${'and again in the evening '.repeat(6)}before we go home.`
    const told = await said(workspaceId, long, OF_ANNA)
    await query(`insert into solutions (id, workspace_id, number, title) values ($2, $1, 1, $3)`, [
      workspaceId,
      newId(),
      titleOf(long),
    ])
    const id = await ask(workspaceId, anna)
    await runJob(job(), workspaceId, { input: { erasure_id: id } })
    assert.deepEqual(await query('select id from signals where id = $1', [told]), [])
    const [solution] = await query('select title from solutions where workspace_id = $1', [workspaceId])
    assert.match(solution?.title, /^\[ERASED\]/)
    assert.doesNotMatch(solution?.title, /export/)
    assert.deepEqual(await query('select signal_id from dead_letters where workspace_id = $1', [workspaceId]), [
      { signal_id: kept },
    ])
    assert.deepEqual(await query('select statement from decisions where workspace_id = $1', [workspaceId]), [
      { statement: '[ERASED] told us: “[ERASED].”' },
    ])
    assert.partialDeepStrictEqual((await erasureOf(id)).counts, { dead_letters: 2, decisions: 2 })
  })

  it('leaves neither the sentences nor the name in any column of any table, wherever people quoted them', async () => {
    const { workspaceId, hers, his, shared, lone } = await filled()
    const lines = `Before it.\nAnna Lindqvist: “${EXPORT}”\nBehind it.`
    await quoteEverywhere(db, workspaceId, lines)
    await query(`update signals set source = 'Desk of Anna Lindqvist' where id = $1`, [his])
    // A signal is evidence of more than one claim: each has its reason.
    for (const claim of [shared, lone])
      await query(
        `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason, lost_candidates)
         values ($1, $2, $3, 'judge', 'a model', $4, $5)`,
        [workspaceId, claim, his, `Both say: ${EXPORT}`, JSON.stringify([{ reason: lines }])],
      )
    const id = await ask(workspaceId, anna)
    await runJob(job(), workspaceId, { input: { erasure_id: id } })
    assert.deepEqual(await query('select id from signals where id = $1', [hers]), [])
    const tables = await query(
      `select table_name as name from information_schema.columns where table_schema = 'public' and column_name = 'workspace_id'`,
      [],
    )
    const holding: string[] = []
    for (const { name } of tables) {
      const [{ quoted, named }] = await query(
        `select count(*) filter (where to_jsonb(held)::text like $2)::integer as quoted,
           count(*) filter (where to_jsonb(held)::text ilike '%lindqvist%')::integer as named
         from ${name} as held where workspace_id = $1`,
        [workspaceId, `%${EXPORT.slice(4, -1)}%`],
      )
      // Keyed hashes, which the key of these tests leaves readable.
      if (named > 0 && name !== 'erasure_marks') holding.push(`${name}: named`)
      if (quoted > 0 && !Object.hasOwn(WITHOUT_QUOTES, name)) holding.push(`${name}: quoted`)
    }
    assert.deepEqual(holding, [])
    const [{ description, examples }] = await query(
      'select description, examples from map_nodes where workspace_id = $1',
      [workspaceId],
    )
    const masked = 'Before it.\n[ERASED]: “[ERASED].”\nBehind it.'
    assert.deepEqual([description, examples], [masked, [masked]])
    const reasons = await query('select distinct reason from claim_evidence where signal_id = $1', [his])
    assert.deepEqual(reasons, [{ reason: 'Both say: [ERASED].' }])
  })

  it('is done again, by its marks alone, to what a backup brings back', async () => {
    const { workspaceId } = await filled()
    const sourceId = newId<SourceId>()
    const ofSource = await said(workspaceId, 'It came from a source that nobody wants any more.', OF_BO)
    await query('update signals set source_id = $2 where id = $1', [ofSource, sourceId])
    for (const sought of [anna, { what: 'source', sourceId } as const]) {
      const id = await ask(workspaceId, sought)
      await runJob(job(), workspaceId, { input: { erasure_id: id } })
    }
    await query(`update jobs set state = 'done' where workspace_id = $1`, [workspaceId])
    const list = parseErasureList(JSON.stringify(await readErasureList(db.database, null)), 'list')
    assert.deepEqual(await eraseAgain(db.database, list, sealer.seal), { begun: 0, busy: 0 })

    // As a backup of before has it: the rows, and no mark.
    await query('delete from erasure_marks where workspace_id = $1', [workspaceId])
    const old = new Date(Date.now() - 60_000)
    const hers = await said(workspaceId, 'The printed report of the year is hard to read in the dark.', OF_ANNA)
    const again = await said(workspaceId, 'The same source says this.', OF_BO)
    const his = await said(workspaceId, 'As ANNA LINDQVIST has said to us.', OF_BO)
    await query('update signals set source_id = $2 where id = $1', [again, sourceId])
    await query('update signals set received_at = $2 where id = any ($1)', [[hers, again, his], old])
    const anew = await said(workspaceId, 'I have come back.', OF_ANNA)
    await query(`update signals set received_at = now() + interval '1 minute' where id = $1`, [anew])

    assert.deepEqual(await eraseAgain(db.database, list, sealer.seal), { begun: 1, busy: 0 })
    assert.deepEqual(await eraseAgain(db.database, list, sealer.seal), { begun: 0, busy: 0 })
    const [begun] = await query('select id from erasures where workspace_id = $1 and finished_at is null', [
      workspaceId,
    ])
    const { database, open } = countTransactions(db.database)
    const openAsHashed = new Set<number>()
    const watched = (address: string) => {
      openAsHashed.add(open())
      return actorKey(address)
    }
    await runJob(job({ database, actorKey: watched }), workspaceId, { input: { erasure_id: begun?.id } })
    const { proof, erased_signals, sealed } = await erasureOf(begun?.id)
    assert.deepEqual(
      proof.filter(({ found }) => found !== 0),
      [],
    )
    assert.deepEqual([erased_signals, sealed], [2, null])
    assert.deepEqual([...openAsHashed], [0], 'no transaction waits while rows are hashed')
    const left = await query('select id, text from signals where id = any ($1) order by number', [
      [hers, again, his, anew],
    ])
    assert.deepEqual(left, [
      { id: his, text: 'As [ERASED] has said to us.' },
      { id: anew, text: 'I have come back.' },
    ])
  })

  it('erases one signal, and all of a source, with the same proof', async () => {
    const { workspaceId, hers, his, repeated } = await filled()
    const one = await ask(workspaceId, { what: 'signal', signalId: hers })
    await runJob(job(), workspaceId, { input: { erasure_id: one } })
    assert.equal((await erasureOf(one)).erased_signals, 1)
    assert.deepEqual(
      (await erasureOf(one)).proof.filter(({ found }) => found !== 0),
      [],
    )
    const sourceId = newId<SourceId>()
    await query('update signals set source_id = $2 where id = any ($1)', [[his, repeated], sourceId])
    const all = await ask(workspaceId, { what: 'source', sourceId })
    await runJob(job(), workspaceId, { input: { erasure_id: all } })
    assert.equal((await erasureOf(all)).erased_signals, 2)
    const rest = await query('select text from signals where workspace_id = $1 order by number', [workspaceId])
    assert.deepEqual(
      rest.map(({ text }) => text),
      ['Nobody but me wants a dark theme for the printed report of the year.', 'Sign in is slow on trains.'],
    )
    await relay(workspaceId)
    assert.equal((await ledgerOf(workspaceId)).verdict, 'balanced')
  })
})
