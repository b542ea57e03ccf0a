import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { type KeyId, newId, type UserId } from '../../../schemas/domain/ids.ts'
import type { Caller, Operation, WriteOperation } from '../define.ts'
import { registry } from '../registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { CHANGES, type Changes, FOR_GOOD, prepareChanges } from '../testing-changes.ts'
import { signedIn } from '../testing-standing.ts'

/** What is taken from callers between their turn and the transaction that writes, and what they are then answered. */

let kit: OperationsKit
let workspace: Workspace
let made: Changes

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  made = await prepareChanges(kit, workspace)
})
after(() => kit.stop())

const isWrite = (operation: Operation): operation is WriteOperation => operation.effect !== 'read'
const writes = [...registry.values()].filter(isWrite)

type Door = 'app' | 'key'
interface Loss {
  readonly doors: readonly Door[]
  readonly answer: 'forbidden' | 'unauthorized'
  readonly sql: string
  readonly concerns?: (operation: Operation) => boolean
}

/** `$1` is the workspace, `$2` the person. */
const LOSSES: Readonly<Record<string, Loss>> = {
  'is removed': {
    doors: ['app'],
    answer: 'forbidden',
    sql: 'delete from members where workspace_id = $1 and user_id = $2',
  },
  'is removed, and the key with them': {
    doors: ['key'],
    answer: 'unauthorized',
    sql: 'delete from members where workspace_id = $1 and user_id = $2',
  },
  'gets a lower role': {
    doors: ['app', 'key'],
    answer: 'forbidden',
    sql: `update members set role = 'viewer' where workspace_id = $1 and user_id = $2`,
    concerns: ({ role }) => role === 'owner' || role === 'member',
  },
  'administers no more': {
    doors: ['app'],
    answer: 'forbidden',
    sql: 'delete from administrators where user_id = $2 and $1::uuid is not null',
    concerns: ({ role }) => role === 'administrator',
  },
  'has the key deleted': {
    doors: ['key'],
    answer: 'unauthorized',
    sql: 'delete from mcp_keys where workspace_id = $1 and owner_id = $2',
  },
  'is signed out': {
    doors: ['app'],
    answer: 'unauthorized',
    sql: 'delete from account_sessions where user_id = $2 and $1::uuid is not null',
  },
  'has the account disabled': {
    doors: ['key'],
    answer: 'unauthorized',
    sql: 'update account_users set disabled_at = now() where id = $2 and $1::uuid is not null',
  },
  'has the account deleted': {
    doors: ['app', 'key'],
    answer: 'unauthorized',
    sql: 'delete from account_users where id = $2 and $1::uuid is not null',
  },
}

const callerThrough = (door: Door, { role }: Operation): Caller => {
  const administers = role === 'administrator'
  return {
    ...workspace.caller,
    userId: newId<UserId>(),
    role: administers ? 'viewer' : role,
    via: door === 'app' ? signedIn(administers) : { kind: 'key', keyId: newId<KeyId>(), label: 'Agent' },
  }
}

/** Everything but who may enter, and the activity that says that a call was refused. */
const everything = async (): Promise<string> => {
  const { rows: tables } = await kit.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in
       ('members', 'mcp_keys', 'account_users', 'account_sessions', 'administrators', 'outbox')`,
  )
  const sums = tables.map(
    ({ name }) => `select '${name}' as name, count(*), sum(hashtextextended(kept::text, 0)) from ${name} as kept`,
  )
  const { rows } = await kit.database.pool.query(`${sums.join(' union all ')} order by name`)
  return JSON.stringify({ rows, appended: kit.appended.length })
}

const inputFor = async ({ name }: Operation): Promise<object> => {
  const change = CHANGES.find(([operation]) => operation === name)
  if (change !== undefined) return change[1](made)
  const first = FOR_GOOD[name] ?? assert.fail(`testing-changes.ts has no change of ${name}`)
  return first(kit, workspace)
}

for (const operation of writes) {
  test(`${operation.name} writes nothing for a caller who lost the right to it while it waited for its turn`, async () => {
    const input = { ...(await inputFor(operation)) }
    const before = await everything()
    for (const [name, loss] of Object.entries(LOSSES)) {
      if (loss.concerns?.(operation) === false) continue
      for (const door of loss.doors) {
        if (door === 'key' && operation.audience === 'people') continue
        const caller = callerThrough(door, operation)
        let isTaken = false
        kit.beforeTransaction = async scope => {
          const writesNow = 'standing' in scope && scope.standing?.holds !== null
          if (isTaken || !writesNow) return
          isTaken = true
          await kit.database.pool.query(loss.sql, [caller.workspaceId, caller.userId])
        }
        const call = kit.call(operation, { caller, input, idempotencyKey: newId() })
        const error = await call.then(
          () => assert.fail(`whoever ${name} is answered, by the door ${door}`),
          (thrown: unknown) => thrown,
        )
        assert.ok(isAssayError(error), String(error))
        assert.equal(error.code, loss.answer, `${name}, by the door ${door}: ${error.publicMessage}`)
        assert.ok(isTaken, name)
      }
    }
    kit.beforeTransaction = async () => {}
    assert.equal(await everything(), before)
  })
}
