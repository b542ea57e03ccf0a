import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { SOLUTION_STATES } from '../../schemas/domain/vocabulary.ts'
import { explainTerms, readPriorityTerms } from './explain.ts'
import { boardPage } from './order.ts'

const NOW = new Date('2026-06-01T00:00:00Z')
const daysAgo = (days: number): Date => new Date(NOW.getTime() - days * 86_400_000)

let kit: TestDatabase
let workspaceId: WorkspaceId
let numbers = 0

before(async () => {
  kit = await startTestDatabase()
})
after(() => kit.stop())
beforeEach(async () => {
  const [made] = await kit.workspaces(1)
  assert.ok(made)
  workspaceId = made
  numbers = 0
})

interface Sent {
  readonly actor?: string | null
  readonly name?: string
  readonly source?: string
  readonly origin?: string
  readonly age?: number
  readonly receivedAge?: number
  readonly state?: string
}

const signal = async ({
  actor = null,
  name = 'Sender',
  source = 'desk',
  origin = 'customer',
  age = 0,
  receivedAge = age,
  state,
}: Sent) => {
  const id = newId()
  numbers += 1
  await kit.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, source, actor_name, actor_key, signal_origin,
       actor_role, occurred_at, received_at, classification, classification_confidence, classification_version, state)
     values ($1, $2, $3, 'webhook', 'It hangs.', '\\x00', $4, $5, $6, $7, 'user', $8, $10, 'problem', 1, 'test', $9)`,
    [id, workspaceId, numbers, source, name, actor, origin, daysAgo(age), state ?? 'triage', daysAgo(receivedAge)],
  )
  return id
}

const repeat = (signalId: string, actor: string, age = 0) =>
  kit.pool.query(
    `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, actor_key, signal_origin, actor_role,
       occurred_at, received_at)
     values ($1, $2, $3, 'same_text', 1, 'webhook', $4, 'customer', 'user', $5, $5)`,
    [newId(), workspaceId, signalId, actor, daysAgo(age)],
  )

/** A Solution that answers one claim for each list of signals. */
const solution = async (
  claims: readonly (readonly string[])[],
  fields: { readonly rank?: number; readonly boost?: number; readonly age?: number } = {},
) => {
  const id = newId()
  numbers += 1
  await kit.pool.query(
    `insert into solutions (id, workspace_id, number, title, manual_rank, priority_boost, created_at)
     values ($1, $2, $3, 'S', $4, $5, $6)`,
    [id, workspaceId, numbers, fields.rank ?? null, fields.boost ?? 1, daysAgo(fields.age ?? 0)],
  )
  for (const signals of claims) {
    const claimId = newId()
    numbers += 1
    await kit.pool.query(
      `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, $3, 'problem', 'C')`,
      [claimId, workspaceId, numbers],
    )
    await kit.pool.query(
      `insert into claim_evidence (workspace_id, claim_id, signal_id, attached_by, actor, reason)
       select $1, $2, unnest($3::uuid[]), 'cluster', 'test', 'Because.'`,
      [workspaceId, claimId, signals],
    )
    await kit.pool.query('insert into solution_claims values ($1, $2, $3)', [workspaceId, id, claimId])
  }
  return id
}

const board = (limit = 100, offset = 0) =>
  kit.database.transaction({ role: 'assay_app', workspaceId }, transaction =>
    boardPage(transaction, NOW, { states: SOLUTION_STATES, limit, offset }),
  )

const close = (actual: number | undefined, expected: number): void => {
  assert.ok(actual !== undefined && Math.abs(actual - expected) < 1e-9, `${actual} is not ${expected}`)
}

test('each origin weighs its own, and half after 90 days', async () => {
  await solution([[await signal({ origin: 'customer' })]])
  await solution([[await signal({ origin: 'operational' })]])
  await solution([[await signal({ origin: 'internal' })]])
  await solution([[await signal({ origin: 'customer', age: 90 })]])
  const found = await board()
  assert.deepEqual(
    found.map(row => row.evidence_priority.toFixed(9)),
    [Math.log(2), Math.log(1.7), Math.log(1.5), Math.log(1.4)].map(value => value.toFixed(9)),
  )
})

test('a hundred copies from one sender move a Solution less than ten customers do', async () => {
  const copied = await signal({ actor: 'one' })
  for (let copy = 0; copy < 99; copy += 1) await repeat(copied, 'one')
  const loud = await solution([[copied]])
  const customers = []
  for (let customer = 0; customer < 10; customer += 1) customers.push(await signal({ actor: `customer ${customer}` }))
  const wanted = await solution([customers])
  const [first, second] = await board()
  assert.deepEqual([first?.id, second?.id], [wanted, loud])
  close(first?.evidence_priority, 10 * Math.log(2))
  close(second?.evidence_priority, Math.log(101))
  assert.deepEqual([second?.actors, second?.signals], [1, 100])
})

test('a repeat counts as a signal of its own actor and its own day', async () => {
  const original = await signal({ actor: 'one' })
  await repeat(original, 'two', 90)
  await solution([[original]])
  close((await board())[0]?.evidence_priority, Math.log(2) + Math.log(1.5))
})

test('without an address, an actor is whoever one source calls by one name', async () => {
  await solution([
    [
      await signal({ name: 'Sender', source: 'desk' }),
      await signal({ name: 'Sender', source: 'desk' }),
      await signal({ name: 'Sender', source: 'forum' }),
    ],
  ])
  const [row] = await board()
  close(row?.evidence_priority, Math.log(3) + Math.log(2))
  assert.equal(row?.actors, 2)
})

test('a signal behind two claims of one Solution weighs once, and a dismissed one nothing, repeats included', async () => {
  const shared = await signal({ actor: 'one' })
  const dismissed = await signal({ actor: 'two', state: 'dismissed' })
  await repeat(dismissed, 'three')
  await solution([[shared], [shared, dismissed]])
  const [row] = await board()
  close(row?.evidence_priority, Math.log(2))
  assert.equal(row?.claims, 2)
})

test('manual rank comes first, then evidence times boost, then age', async () => {
  const young = await solution([], { age: 1 })
  const old = await solution([], { age: 2 })
  const evident = await solution([[await signal({ actor: 'one' })]])
  const boosted = await solution([[await signal({ actor: 'two', age: 90 })]], { boost: 10 })
  const second = await solution([], { rank: 2 })
  const first = await solution([], { rank: 1, boost: 0.1 })
  const order = [first, second, boosted, evident, old, young]
  assert.deepEqual(
    (await board()).map(row => row.id),
    order,
  )
  assert.deepEqual(
    (await board(2, 2)).map(row => row.id),
    order.slice(2, 4),
  )
})

test('a signal that claims to be of tomorrow weighs as of when it was received', async () => {
  await solution([[await signal({ age: -1, receivedAge: 0 })]])
  close((await board())[0]?.evidence_priority, Math.log(2))
})

test('the explanation adds up: terms to the priority, shares to one', async () => {
  const repeated = await signal({ actor: 'one' })
  await repeat(repeated, 'one', 30)
  const signals = [
    repeated,
    await signal({ actor: 'one', origin: 'internal' }),
    await signal({ actor: 'two', age: 400 }),
  ]
  const id = await solution([signals])
  const [row] = await board()
  const { actors, terms } = await kit.database.transaction({ role: 'assay_app', workspaceId }, transaction =>
    readPriorityTerms(transaction, NOW, id, 10),
  )
  assert.equal(actors, 2)
  const short = await kit.database.transaction({ role: 'assay_app', workspaceId }, transaction =>
    explainTerms(transaction, NOW, id, 10),
  )
  assert.deepEqual(
    short.terms.map(({ actor_name, term }) => [actor_name, term.toFixed(9)]),
    terms.map(({ actor_name, term }) => [actor_name, term.toFixed(9)]),
  )
  close(
    terms.reduce((sum, { term }) => sum + term, 0),
    row?.evidence_priority ?? Number.NaN,
  )
  close(
    terms.flatMap(term => term.signals).reduce((sum, { share }) => sum + share, 0),
    1,
  )
  assert.deepEqual(
    terms[0]?.signals.map(({ signal_number }) => signal_number),
    [1, 2],
  )
})
