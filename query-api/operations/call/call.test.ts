import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, test } from 'node:test'
import { Type } from 'typebox'
import type { Database } from '../../../infra/postgres/port.ts'
import { startTestDatabase, type TestDatabase } from '../../../infra/postgres/testing.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { createLogger } from '../../../infra/runtime/logger.ts'
import { deleteExpiredAnswers } from '../../../model/idempotency/stored-answers.ts'
import { turnIncidentSwitch } from '../../../model/installation/incident-switch.ts'
import { type KeyId, newId, type TenantId, type UserId } from '../../../schemas/domain/ids.ts'
import type { ActivityRecord } from '../../../schemas/events/activity.ts'
import { createBodyBudget } from '../../http/body-budget.ts'
import { type Caller, readOperation, type Services, writeOperation } from '../define.ts'
import { createAdmission, signedIn } from '../testing-standing.ts'
import { createActivityBuffer } from './activity-buffer.ts'
import { createCall } from './call.ts'
import { createIncidentLimit } from './call-limits.ts'
import { type Call, InvalidArguments } from './contract.ts'

const silent = createLogger({ level: 'silent', program: 'test' })
let kit: TestDatabase
let caller: Caller
let call: Call
let flush: () => Promise<void>
let forgotten: KeyId[] = []
let clock: Date

before(async () => {
  kit = await startTestDatabase()
})
after(() => kit.stop())

beforeEach(async () => {
  const [workspaceId] = await kit.workspaces(1)
  assert.ok(workspaceId)
  caller = {
    tenantId: newId<TenantId>(),
    workspaceId,
    userId: newId<UserId>(),
    userName: 'Member',
    role: 'member',
    via: { kind: 'key', keyId: newId<KeyId>(), label: 'Agent' },
  }
  clock = new Date()
  ;({ call, flush } = callOn(kit.database))
})
// What is held would be tried again for ever once the database is gone.
afterEach(() => flush())

// Nothing that these operations do reaches the other services.
const services = { now: () => new Date(), baseUrl: 'http://assay.test' } as unknown as Services

const callOn = (database: Database) => {
  const buffer = createActivityBuffer(database, silent)
  const limit = createIncidentLimit(database, () => clock)
  forgotten = []
  const calling = createCall({
    database,
    services,
    buffer,
    limit,
    bodies: createBodyBudget(),
    evictKey: id => forgotten.push(id),
  })
  const admit = createAdmission(kit.pool)
  const call: Call = async (operation, request) =>
    calling(operation, { ...request, caller: await admit(request.caller) })
  return {
    call,
    flush: buffer.close,
  }
}

const shared = { title: 'T', summary: 'S', units: 3, role: 'member', audience: 'everyone' } as const

const addNode = writeOperation({
  ...shared,
  name: 'add_node',
  effect: 'write',
  input: Type.Object({ name: Type.String(), note: Type.Optional(Type.String()) }),
  output: Type.Object({ id: Type.String(), secret: Type.Union([Type.String(), Type.Null()]) }),
  apply: async ({ name }, transaction, { evictKey }) => {
    const [row] = await transaction.query<{ id: string }>(
      'insert into map_nodes (id, workspace_id, name) values (gen_random_uuid(), $1, $2) returning id',
      [caller.workspaceId, name],
    )
    if (name === 'refused') throw new AssayError('conflict', 'Refused.')
    const afterCommit = () => evictKey(caller.userId as string as KeyId)
    return { data: { id: row?.id ?? '', secret: `secret of ${name}` }, secretFields: ['secret'], afterCommit }
  },
})

const nodeCount = async () => {
  const { rows } = await kit.pool.query('select count(*)::int as nodes from map_nodes where workspace_id = $1', [
    caller.workspaceId,
  ])
  return rows[0].nodes as number
}

const activities = async (): Promise<ActivityRecord[]> => {
  await flush()
  const { rows } = await kit.pool.query('select activity from outbox where workspace_id = $1 order by id', [
    caller.workspaceId,
  ])
  return rows.map(row => row.activity)
}

const add = (input: Record<string, unknown>, idempotencyKey: string | null = null, as = caller) =>
  call(addNode, { caller: as, input, idempotencyKey })

test('an answer comes with its time, its cost and its workspace', async () => {
  const { data, meta } = await add({ name: 'Export' })
  assert.equal((data as { secret: string }).secret, 'secret of Export')
  assert.equal(new Date(meta.timestamp).toISOString(), meta.timestamp)
  assert.ok(meta.change_id)
  assert.deepEqual(
    { ...meta, timestamp: '', change_id: '' },
    { timestamp: '', work_units: 3, next_cursor: null, workspace: caller.workspaceId, change_id: '' },
  )
})

test('a write leaves its activity in its own transaction, and a failed one what it failed with', async () => {
  await call(addNode, {
    caller,
    input: { name: 'One' },
    idempotencyKey: null,
    tool: { name: 'service_map', mode: 'add' },
  })
  await assert.rejects(add({ name: 'refused' }), { code: 'conflict' })
  await assert.rejects(add({}), InvalidArguments)
  assert.equal(await nodeCount(), 1)
  const [ok, conflict, invalid] = await activities()
  assert.ok(ok && conflict && invalid)
  assert.deepEqual(
    [ok.kind, ok.tool, ok.mode, ok.outcome, ok.work_units, ok.actor, ok.source, ok.source_id],
    ['tool.call', 'service_map', 'add', 'ok', 3, caller.userId, 'Agent', caller.via.kind === 'key' && caller.via.keyId],
  )
  assert.ok(ok.duration_ms > 0)
  assert.deepEqual([conflict.tool, conflict.outcome, conflict.work_units], ['add_node', 'conflict', 0])
  assert.equal(invalid.outcome, 'invalid_input')
})

test('the same key and arguments give the first answer, without its secret, and do nothing', async () => {
  const first = await add({ name: 'Once', note: 'x' }, 'key-1')
  const again = await add({ note: 'x', name: 'Once' }, 'key-1')
  assert.deepEqual(again, { ...first, data: { ...(first.data as object), secret: null } })
  assert.equal(await nodeCount(), 1)
  assert.deepEqual(
    (await activities()).map(({ outcome, work_units }) => [outcome, work_units]),
    [
      ['ok', 3],
      ['repeated', 0],
    ],
  )
  const { rows } = await kit.pool.query('select answer::text from idempotent_answers where workspace_id = $1', [
    caller.workspaceId,
  ])
  assert.doesNotMatch(rows[0].answer, /secret of/)
})

test('the same key with other arguments is refused and does nothing', async () => {
  await add({ name: 'First' }, 'key-2')
  await assert.rejects(add({ name: 'Other' }, 'key-2'), {
    code: 'conflict',
    message: /already used with other arguments/,
  })
  assert.equal(await nodeCount(), 1)
})

test('ten calls at once under one key do one', async () => {
  const answers = await Promise.all(Array.from({ length: 10 }, () => add({ name: 'Together' }, 'key-3')))
  assert.equal(await nodeCount(), 1)
  const ids = new Set(answers.map(({ data }) => (data as { id: string }).id))
  assert.equal(ids.size, 1)
})

test('a write that failed frees its key', async () => {
  await assert.rejects(add({ name: 'refused' }, 'key-4'), { code: 'conflict', message: 'Refused.' })
  await add({ name: 'Accepted' }, 'key-4')
  assert.equal(await nodeCount(), 1)
})

test('an idempotency key is its caller’s own, and is forgotten after a day', async () => {
  await add({ name: 'Mine' }, 'key-5')
  await add({ name: 'Theirs' }, 'key-5', { ...caller, via: signedIn() })
  await kit.pool.query(`update idempotent_answers set created_at = created_at - interval '25 hours'`)
  await add({ name: 'Tomorrow' }, 'key-5')
  assert.equal(await nodeCount(), 3)
  for (const malformed of ['', ' ', 'with space', 'é', 'x'.repeat(256)]) {
    await assert.rejects(add({ name: 'No' }, malformed), { code: 'invalid_input' })
  }
})

test('answers that no repetition gets any more are swept out of every workspace, and the others stay', async () => {
  await add({ name: 'Old' }, 'key-6')
  await kit.pool.query(`update idempotent_answers set created_at = created_at - interval '24 hours 1 second'`)
  const [busy] = await kit.workspaces(1)
  assert.ok(busy)
  caller = { ...caller, workspaceId: busy, via: { kind: 'key', keyId: newId<KeyId>(), label: 'Agent' } }
  await add({ name: 'New' }, 'key-7')
  assert.ok((await deleteExpiredAnswers(kit.database)) >= 1)
  const { rows } = await kit.pool.query('select idempotency_key from idempotent_answers')
  assert.deepEqual(rows, [{ idempotency_key: 'key-7' }])
})

test('a call that worked on several things costs its units for each', async () => {
  const addThree = { ...addNode, apply: async () => ({ data: { id: '', secret: null }, size: 3 }) }
  const { meta } = await call(addThree, { caller, input: { name: 'x' }, idempotencyKey: null })
  assert.equal(meta.work_units, 9)
  const [recorded] = await activities()
  assert.equal(recorded?.work_units, 9)
})

test('during an incident a key has so many work units a minute; people in the app, other keys and other days have no limit', async () => {
  for (const before of ['One', 'Two', 'Three', 'Four', 'Five']) await add({ name: before })
  await turnIncidentSwitch(kit.database, 10)
  await add({ name: 'Unseen yet' })
  clock = new Date(clock.getTime() + 3000)
  for (const within of ['1', '2', '3']) await add({ name: within })
  const limited = { code: 'rate_limited', message: /^Rate limit exceeded\. Retry after \d+s\.$/ }
  await assert.rejects(add({ name: 'Beyond' }), limited)
  await add({ name: 'By hand' }, null, { ...caller, via: signedIn() })
  const other: Caller = { ...caller, via: { kind: 'key', keyId: newId<KeyId>(), label: 'Other' } }
  await add({ name: 'Of another key' }, null, other)
  // What a call costs beyond its own units counts for the next.
  const addMany = { ...addNode, apply: async () => ({ data: { id: '', secret: null }, size: 4 }) }
  await call(addMany, { caller: other, input: { name: 'x' }, idempotencyKey: null })
  await assert.rejects(add({ name: 'Beyond' }, null, other), limited)
  await turnIncidentSwitch(kit.database, null)
  clock = new Date(clock.getTime() + 3000)
  await add({ name: 'After' })
  assert.equal(await nodeCount(), 12)
})

test('while the database is away the incident switch stays as it was last seen', async () => {
  await turnIncidentSwitch(kit.database, 10)
  let away = false
  const limit = createIncidentLimit(
    {
      ...kit.database,
      transaction: (scope, work) =>
        away ? Promise.reject(new AssayError('unavailable', 'Away.')) : kit.database.transaction(scope, work),
    },
    () => clock,
  )
  await limit.admit(caller, 9)
  away = true
  clock = new Date(clock.getTime() + 3000)
  await assert.rejects(limit.admit(caller, 9), { code: 'rate_limited' })
  await turnIncidentSwitch(kit.database, null)
})

test('what a process holds in memory changes only once a write has committed', async () => {
  await assert.rejects(add({ name: 'refused' }))
  assert.deepEqual(forgotten, [])
  await add({ name: 'Fine' })
  assert.equal(forgotten.length, 1)
})

test('a caller without the role, and a key where only people may, is refused before anything runs', async () => {
  await assert.rejects(add({ name: 'x' }, null, { ...caller, role: 'viewer' }), { code: 'forbidden' })
  const forPeople = { ...addNode, audience: 'people' } as const
  await assert.rejects(call(forPeople, { caller, input: { name: 'x' }, idempotencyKey: null }), { code: 'forbidden' })
  assert.equal(await nodeCount(), 0)
})

test('a read is tried again when the store fails in a way that passes, and a write is not', async () => {
  let failures = 2
  const flaky: Database = {
    ...kit.database,
    transaction: (scope, work) => {
      if (scope.role === 'assay_app' && failures-- > 0) return Promise.reject(new AssayError('busy', 'Busy.'))
      return kit.database.transaction(scope, work)
    },
  }
  const onFlaky = callOn(flaky)
  const count = readOperation({
    ...shared,
    name: 'count_nodes',
    input: Type.Object({}),
    output: Type.Object({ rows: Type.Number() }),
    run: async (_input, { read }) => {
      const rows = await read(transaction => transaction.query('select id from map_nodes'))
      return { data: { rows: rows.length } }
    },
  })
  const { data } = await onFlaky.call(count, { caller, input: {}, idempotencyKey: null })
  assert.deepEqual(data, { rows: 0 })
  failures = 1
  await assert.rejects(onFlaky.call(addNode, { caller, input: { name: 'x' }, idempotencyKey: null }), { code: 'busy' })
  assert.equal(await nodeCount(), 0)
  await onFlaky.flush()
})

test('activity that the database refuses for a while is written when it answers again', async () => {
  let away = true
  const database: Database = {
    ...kit.database,
    transaction: (scope, work) =>
      away && scope.role === 'assay_pipeline'
        ? Promise.reject(new AssayError('unavailable', 'Away.'))
        : kit.database.transaction(scope, work),
  }
  const onDatabase = callOn(database)
  await assert.rejects(onDatabase.call(addNode, { caller, input: {}, idempotencyKey: null }), InvalidArguments)
  await onDatabase.flush()
  assert.deepEqual(await activities(), [])
  away = false
  await onDatabase.flush()
  assert.equal((await activities()).length, 1)
})
