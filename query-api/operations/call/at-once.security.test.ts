import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { newId } from '../../../schemas/domain/ids.ts'
import { registry } from '../registry.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'
import { CHANGES, type Changes, FOR_GOOD, prepareChanges } from '../testing-changes.ts'
import type { CallResult } from './contract.ts'

/**
 * Two calls at once under one idempotency key do what one call does, and answer the same. Two workspaces have the same:
 * one is called once, the other twice at once, and as much is written in either.
 */

let kit: OperationsKit
before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())

/**
 * How many rows each table has, in all workspaces, but for requests to rewrite files, of which one is enough for all.
 * Calls in the activity count where something was done, with what it cost.
 */
const counts = async (): Promise<ReadonlyMap<string, number>> => {
  const { rows: tables } = await kit.database.pool.query<{ name: string }>(
    `select table_name as name from information_schema.tables
     where table_schema = 'public' and table_type = 'BASE TABLE' and table_name not in ('outbox', 'rewrites')`,
  )
  const selects = [
    ...tables.map(({ name }) => `select '${name}' as name, count(*)::integer as count from ${name}`),
    `select 'work units', coalesce(sum((activity ->> 'work_units')::integer), 0)::integer from outbox
     where activity ->> 'kind' = 'tool.call'`,
    `select 'other activity', count(*)::integer from outbox where activity ->> 'kind' <> 'tool.call'`,
  ]
  const { rows } = await kit.database.pool.query<{ name: string; count: number }>(selects.join(' union all '))
  return new Map([...rows.map(({ name, count }) => [name, count] as const), ['appended', kit.appended.length]])
}

/** By how much the work has each of them grow. */
const growth = async <T>(work: () => Promise<T>): Promise<{ readonly grown: object; readonly result: T }> => {
  const then = await counts()
  const result = await work()
  const now = await counts()
  const grown = [...now].flatMap(([name, count]) => {
    const by = count - (then.get(name) ?? 0)
    return by === 0 ? [] : [[name, by] as const]
  })
  return { grown: Object.fromEntries(grown), result }
}

/** As the second of the two has it: a secret is shown once. */
const withoutSecrets = ({ data, meta }: CallResult, other: CallResult): CallResult => {
  const shown = Object.entries(other.data as object).filter(([, value]) => value === null)
  return { data: { ...(data as object), ...Object.fromEntries(shown) }, meta }
}

const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

/** Whoever has done them is no member any more, and asks in vain what was answered. */
const ENDS_THE_RIGHT: readonly string[] = ['delete_workspace', 'remove_sandbox']

interface Side {
  readonly workspace: Workspace
  readonly input: () => object | Promise<object>
}

/** Has one side do it once, and the other twice at once; what one makes may be in the way of the other. */
const compare = async (name: string, once: Side, twice: Side): Promise<readonly [CallResult, CallResult]> => {
  const operation = registry.get(name) ?? assert.fail(`there is no operation ${name}`)
  const first = await once.input()
  const single = await growth(() => once.workspace.run(operation, first, newId()))
  const second = await twice.input()
  const key = newId()
  const call = () => twice.workspace.run(operation, second, key)
  const double = await growth(() => Promise.allSettled([call(), call()]))
  assert.deepEqual(double.grown, single.grown)
  const answers = double.result.flatMap(each => (each.status === 'fulfilled' ? [each.value] : []))
  const refusals = double.result.flatMap(each => (each.status === 'rejected' ? [each.reason] : []))
  const [one = assert.fail(String(refusals[0])), other = one] = answers
  assert.deepEqual(plain(withoutSecrets(one, other)), plain(withoutSecrets(other, one)))
  if (!ENDS_THE_RIGHT.includes(name)) assert.deepEqual(refusals, [])
  else assert.ok(refusals.every(failsWith('forbidden')) && answers.length === 1, String(refusals[0]))
  return [single.result, one]
}

describe('Two calls at once under one key', () => {
  let pair: readonly [Workspace, Workspace]
  let made: readonly [Changes, Changes]
  before(async () => {
    pair = [await kit.workspace(), await kit.workspace()]
    made = [await prepareChanges(kit, pair[0]), await prepareChanges(kit, pair[1])]
  })

  for (const [at, [name, inputOf]] of CHANGES.entries()) {
    test(`${name} is done once (${at})`, async () => {
      const [once, twice] = pair.map((workspace, side) => ({
        workspace,
        input: () => inputOf(made[side] ?? assert.fail()),
      }))
      const answers = await compare(name, once ?? assert.fail(), twice ?? assert.fail())
      const inApp = registry.get(name)?.audience === 'people'
      for (const [side, { meta }] of answers.entries())
        await pair[side]?.[inApp ? 'inApp' : 'run']('undo_change', { change_id: meta.change_id })
    })
  }

  for (const [name, inputOf] of Object.entries(FOR_GOOD)) {
    test(`${name} is done once`, async () => {
      const side = (workspace: Workspace) => ({ workspace, input: () => inputOf(kit, workspace) })
      await compare(name, side(await kit.workspace()), side(await kit.workspace()))
    })
  }
})

test('every write is tried', () => {
  const tried = new Set([...CHANGES.map(([name]) => name), ...Object.keys(FOR_GOOD)])
  const writes = [...registry.values()].filter(({ effect }) => effect !== 'read').map(({ name }) => name)
  assert.deepEqual(writes.toSorted(), [...tried].toSorted())
})

test('of two captures at once with other words under one key, one is refused, and one Signal comes', async () => {
  const workspace = await kit.workspace()
  const key = newId()
  const before = kit.appended.length
  const [one, other] = await Promise.allSettled([
    workspace.call('service_capture', 'signal', { text: 'The bell is cracked.' }, key),
    workspace.call('service_capture', 'signal', { text: 'The rope is short.' }, key),
  ])
  const [answered] = [one, other].filter(({ status }) => status === 'fulfilled')
  const [refused] = [one, other].filter(({ status }) => status === 'rejected')
  assert.ok(answered?.status === 'fulfilled' && refused?.status === 'rejected')
  assert.ok(failsWith('conflict', /other arguments/)(refused.reason))
  assert.deepEqual(
    kit.appended.slice(before).map(({ signal_id }) => signal_id),
    [answered.value.data.snippet_id],
  )
})

test('a capture whose append fails stores nothing, and is done when it is sent again', async () => {
  const workspace = await kit.workspace()
  await workspace.run('lookup_triage', {})
  const key = newId()
  const { push } = kit.appended
  kit.appended.push = () => {
    throw new Error('The log is away.')
  }
  const capture = () => workspace.run('capture_signal', { text: 'The bell is cracked.' }, key)
  const failed = await growth(() => capture().catch(() => null))
  kit.appended.push = push
  assert.deepEqual(failed.grown, {})
  const done = await growth(capture)
  assert.deepEqual([failed.result, done.grown], [null, { idempotent_answers: 1, 'work units': 3, appended: 1 }])
})

test('a call that finds nothing left to do, as its twin has done it meanwhile, answers what that did', async () => {
  const workspace = await kit.workspace()
  const { id, version } = (await workspace.call('service_map', 'add_node', { name: 'Bell' })).data
  const rename = () => workspace.call('service_map', 'update_node', { id, name: 'Belfry', version }, 'rename')
  let looks = 0
  let twin: object | null = null
  kit.beforeTransaction = async () => {
    looks += 1
    // The first look is for an earlier answer, the second for the node as it is.
    if (looks === 2) twin = await rename()
  }
  const answer = await rename()
  kit.beforeTransaction = async () => {}
  assert.ok(twin)
  assert.deepEqual(answer, twin)
})
