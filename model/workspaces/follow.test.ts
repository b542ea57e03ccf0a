import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { followWorkspaces } from './follow.ts'

const MIB = 2 ** 20

/** Follows what the map has at any time, each value as many bytes as it says; answers what was read. */
const following = (values: ReadonlyMap<WorkspaceId, number>, now: () => number) => {
  const asked: (readonly WorkspaceId[])[] = []
  const database = { transaction: (_: unknown, work: (transaction: unknown) => unknown) => work(null) }
  const follow = followWorkspaces<number>(
    database as unknown as Database,
    {
      read: async (_transaction, ids) => {
        asked.push(ids)
        return new Map(ids.flatMap(id => (values.has(id) ? [[id, values.get(id) ?? 0] as const] : [])))
      },
      bytes: value => value,
    },
    now,
  )
  return { follow, asked }
}

it('A value of each workspace is read once in three seconds, all old ones at once, and then as it is by now', async () => {
  const [one, other, without] = [newId<WorkspaceId>(), newId<WorkspaceId>(), newId<WorkspaceId>()]
  const values = new Map([
    [one, 1],
    [other, 2],
  ])
  let now = 0
  const { follow, asked } = following(values, () => now)
  assert.deepEqual(await follow([one, without, one]), new Map([[one, 1]]))
  now = 2_999
  assert.deepEqual([...(await follow([one, other])).keys()], [one, other])
  values.set(one, 3)
  now = 3_000
  assert.deepEqual(await follow([one]), new Map([[one, 3]]))
  assert.deepEqual(asked, [[one, without], [other], [one, without]])
})

it('What is kept of all workspaces has a bound in bytes: what was not used longest is forgotten, and read again', async () => {
  const ids = Array.from({ length: 5 }, () => newId<WorkspaceId>())
  const [first, second, third, fourth] = ids as [WorkspaceId, WorkspaceId, WorkspaceId, WorkspaceId]
  const { follow, asked } = following(new Map(ids.map(id => [id, 10 * MIB])), () => 0)
  for (const id of [first, second, third, first, fourth]) await follow([id])
  assert.deepEqual(asked, [[first], [second], [third], [fourth]])
  await follow([first, third, fourth])
  assert.equal(asked.length, 4)
  await follow([second])
  assert.deepEqual(asked.at(-1), [second])
})
