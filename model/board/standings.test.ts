import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { seededRandom } from '../../infra/runtime/testing.ts'
import { DAY_MS } from '../../schemas/domain/durations.ts'
import { type ClaimId, newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { CLAIM_KINDS, CLAIM_STATES, SOLUTION_STATES } from '../../schemas/domain/vocabulary.ts'
import { claimsPage } from './claims.ts'
import { boardPage } from './order.ts'

const NOW = new Date('2026-06-01T00:00:00Z')

let kit: TestDatabase
before(async () => {
  kit = await startTestDatabase()
})
after(() => kit.stop())

/** The formula as it is written, over everything: what the kept sums must come to. */
const WRITTEN = `
  with evidence as (
    select distinct target_id, signal_id from (
      select claim_id as target_id, signal_id from claim_evidence where workspace_id = $2
      union all
      select solution_id, signal_id from solution_claims join claim_evidence using (workspace_id, claim_id) where workspace_id = $2
    ) as both_kinds
  ), parts as (
    select target_id, id as signal_id, signal_origin, occurred_at, actor_key from evidence join signals on id = signal_id
      where state <> 'dismissed'
    union all
    select target_id, evidence.signal_id, occurrences.signal_origin, occurrences.occurred_at, occurrences.actor_key
      from evidence join occurrences using (signal_id) join signals on signals.id = evidence.signal_id where state <> 'dismissed'
  ), terms as (
    select target_id, actor_key, count(*) as signals, ln(1 + sum(
      (case signal_origin when 'customer' then 1 when 'operational' then 0.7 else 0.4 end)
        * 0.5 ^ (extract(epoch from $1::timestamptz - occurred_at)::double precision / 86400 / 90))) as term
    from parts group by target_id, actor_key
  )
  select target_id as id, sum(term)::double precision as evidence_priority, count(*)::integer as actors, sum(signals)::integer as signals
  from terms group by target_id`

/** The same of when the newest evidence happened. */
const WRITTEN_NEWEST = `
  select claims.id, (
    select max(least(occurred_at, received_at)) from claim_evidence join (
      select id as signal_id, occurred_at, received_at from signals
      union all
      select signal_id, occurred_at, received_at from occurrences
    ) as parts using (signal_id) where claim_id = claims.id) as last_evidence_at
  from claims where workspace_id = $1`

interface Standing {
  readonly id: string
  readonly evidence_priority: number
  readonly actors: number
  readonly signals: number
}

const byPriority = (one: Standing, other: Standing) => other.evidence_priority - one.evidence_priority

/** Everything that moves evidence, in a random order. */
const scramble = async (workspaceId: WorkspaceId, seed: number) => {
  const random = seededRandom(seed)
  const below = (count: number) => Math.floor(random() * count)
  const [signals, claims, solutions]: [string[], string[], string[]] = [[], [], []]
  const any = (ids: readonly string[]) => ids[below(ids.length)]
  const origins = ['customer', 'operational', 'internal']
  const sent = () => [`actor ${below(9)}`, origins[below(3)], new Date(NOW.getTime() - below(400) * DAY_MS)]
  const query = (statement: string, values: readonly unknown[]) => kit.pool.query(statement, [...values])
  const moves: (() => Promise<unknown>)[] = [
    () =>
      query(
        `insert into signals (id, workspace_id, number, channel, text, text_hash, actor_key, signal_origin, actor_role, occurred_at, received_at,
           classification, classification_confidence, classification_version)
         values ($1, $2, $3, 'webhook', 'x', '', $4, $5, 'user', $6, $6, 'problem', 1, 'test')`,
        [signals[signals.push(newId()) - 1], workspaceId, signals.length, ...sent()],
      ),
    () =>
      query(
        `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, actor_key, signal_origin, actor_role, occurred_at, received_at)
         select $1, $2, $3, 'same_text', 1, 'webhook', $4, $5, 'user', $6, $6 where $3::uuid is not null`,
        [newId(), workspaceId, any(signals), ...sent()],
      ),
    () =>
      query(`insert into claims (id, workspace_id, number, kind, title) values ($1, $2, $3, 'problem', 'C')`, [
        claims[claims.push(newId()) - 1],
        workspaceId,
        claims.length,
      ]),
    () =>
      query(`insert into solutions (id, workspace_id, number, title) values ($1, $2, $3, 'S')`, [
        solutions[solutions.push(newId()) - 1],
        workspaceId,
        solutions.length,
      ]),
    // Several at once, as the pipeline and a merge do it.
    () =>
      query(
        `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
         select $1, claim_id, signal_id, 'cluster', 'test', 'r' from unnest($2::uuid[], $3::uuid[]) as given (claim_id, signal_id)
         where claim_id is not null and signal_id is not null on conflict do nothing`,
        [workspaceId, [0, 1, 2].map(() => any(claims) ?? null), [0, 1, 2].map(() => any(signals) ?? null)],
      ),
    () => query('delete from claim_evidence where claim_id = $1 and signal_id <= $2', [any(claims), any(signals)]),
    () =>
      query(
        'insert into solution_claims select $1, $2, $3 where $2::uuid is not null and $3::uuid is not null on conflict do nothing',
        [workspaceId, any(solutions), any(claims)],
      ),
    () => query('delete from solution_claims where solution_id = $1 and claim_id = $2', [any(solutions), any(claims)]),
    () =>
      query(
        `update signals set state = case state when 'dismissed' then 'triage' else 'dismissed' end where id = any ($1::uuid[])`,
        [[any(signals), any(signals)]],
      ),
    () => query('update signals set actor_key = $2 where id = $1', [any(signals), `actor ${below(9)}`]),
    // As a person moves repeats to another signal, and takes that back.
    () =>
      query('update occurrences set signal_id = $2 where signal_id = $1 and $2::uuid is not null', [
        any(signals),
        any(signals),
      ]),
    () => query('update signals set occurred_at = $2, received_at = $2 where id = $1', [any(signals), sent()[2]]),
    () => query('delete from occurrences where signal_id = $1 and id <= $2', [any(signals), any(signals)]),
    () => query('update signals set classification = classification where id = $1', [any(signals)]),
  ]
  for (let move = 0; move < 400; move += 1) await moves[move < 30 ? below(5) : below(moves.length)]?.()
}

test('after any evidence came and went, every page of claims and of the board is what the formula says', async () => {
  for (const seed of [7, 19, 2024]) {
    const [workspaceId] = await kit.workspaces(1)
    assert.ok(workspaceId)
    await scramble(workspaceId, seed)
    const asApp = <T>(work: Parameters<typeof kit.database.transaction<T>>[1]) =>
      kit.database.transaction<T>({ role: 'assay_app', workspaceId }, work)
    const agreesAt = async (now: Date) => {
      const written = new Map(
        (await kit.pool.query<Standing>(WRITTEN, [now, workspaceId])).rows.map(row => [row.id, row]),
      )
      const claims = { states: CLAIM_STATES, kinds: CLAIM_KINDS, order: 'evidence_priority' as const }
      for (const read of [
        (limit: number, offset: number) =>
          asApp(transaction => claimsPage(transaction, now, { ...claims, limit, offset })),
        (limit: number, offset: number) =>
          asApp(transaction => boardPage(transaction, now, { states: SOLUTION_STATES, limit, offset })),
      ]) {
        const all: Standing[] = await read(1000, 0)
        assert.ok(all.length > 3)
        assert.deepEqual([...all].sort(byPriority), all)
        for (const { id, evidence_priority, actors, signals } of all) {
          const expected = written.get(id) ?? { evidence_priority: 0, actors: 0, signals: 0 }
          assert.deepEqual([actors, signals], [expected.actors, expected.signals])
          assert.ok(Math.abs(evidence_priority - expected.evidence_priority) < 1e-9)
        }
        for (const [limit, offset] of [
          [1, 0],
          [2, 1],
          [3, 5],
        ] as const) {
          const page = await read(limit, offset)
          assert.deepEqual(
            page.map(({ id }) => id),
            all.slice(offset, offset + limit).map(({ id }) => id),
          )
        }
      }
    }
    const newest = await asApp(transaction =>
      claimsPage(transaction, NOW, {
        states: CLAIM_STATES,
        kinds: CLAIM_KINDS,
        order: 'last_evidence_at',
        limit: 1000,
        offset: 0,
      }),
    )
    assert.deepEqual(
      new Map(newest.map(({ id, last_evidence_at }) => [id, last_evidence_at])),
      new Map(
        (await kit.pool.query<{ id: ClaimId; last_evidence_at: Date | null }>(WRITTEN_NEWEST, [workspaceId])).rows.map(
          ({ id, last_evidence_at }) => [id, last_evidence_at],
        ),
      ),
    )
    for (const days of [0, 3, 200]) await agreesAt(new Date(NOW.getTime() + days * DAY_MS))
    await asApp(transaction => transaction.query(`select refresh_priority_totals(now() + interval '1 day', 1000)`))
    await agreesAt(NOW)
    const { rows } = await kit.pool.query('select from actor_weights where workspace_id = $1 and signals <= 0', [
      workspaceId,
    ])
    assert.equal(rows.length, 0)
  }
})

test('writers of one claim at the same time lose nothing of each other', async () => {
  const [workspaceId] = await kit.workspaces(1)
  assert.ok(workspaceId)
  const claim = newId()
  await kit.pool.query(
    `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, 1, 'problem', 'C')`,
    [claim, workspaceId],
  )
  const signals = Array.from({ length: 40 }, newId)
  await kit.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, actor_key, signal_origin, actor_role, occurred_at, received_at,
       classification, classification_confidence, classification_version)
     select id, $1, number, 'webhook', 'x', '', 'actor ' || number % 4, 'customer', 'user', $3, $3, 'problem', 1, 'test'
     from unnest($2::uuid[]) with ordinality as made (id, number)`,
    [workspaceId, signals, NOW],
  )
  const attach = (signalId: string) =>
    kit.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, transaction =>
      transaction.query(
        `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason) values ($1, $2, $3, 'cluster', 'test', 'r')`,
        [workspaceId, claim, signalId],
      ),
    )
  await Promise.all(signals.map(attach))
  const [standing] = (await kit.pool.query('select * from priority_totals where target_id = $1', [claim])).rows
  assert.deepEqual([standing.actors, standing.signals], [4, 40])
})
