import assert from 'node:assert/strict'
import { it } from 'node:test'
import type { Database } from '../../infra/postgres/port.ts'
import { newId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { followSharedPassages } from './follow-shared-passages.ts'

it('Shared passages are read once in three seconds for each workspace, and again with what is new', async () => {
  const [one, other, without] = [newId<WorkspaceId>(), newId<WorkspaceId>(), newId<WorkspaceId>()]
  const passages = new Map([
    [one, [1, 2]],
    [other, []],
  ] as const)
  const asked: (readonly WorkspaceId[])[] = []
  const query = async (_: string, [ids]: readonly [readonly WorkspaceId[]]) => {
    asked.push(ids)
    return ids.flatMap(id => {
      const shared_passages = passages.get(id)
      return shared_passages === undefined ? [] : [{ workspace_id: id, shared_passages }]
    })
  }
  const database = { transaction: (_: unknown, work: (transaction: unknown) => unknown) => work({ query }) }
  let now = 0
  const follow = followSharedPassages(database as unknown as Database, () => now)
  assert.deepEqual(await follow([one, without, one]), new Map([[one, new Set([1, 2])]]))
  now = 2_999
  assert.deepEqual([...(await follow([one, other])).keys()], [one, other])
  passages.set(one, [])
  now = 3_000
  assert.deepEqual(await follow([one]), new Map([[one, new Set()]]))
  assert.deepEqual(asked, [[one, without], [other], [one]])
})
