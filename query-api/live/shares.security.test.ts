import assert from 'node:assert/strict'
import { it } from 'node:test'
import { type KeyId, newId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import type { Caller } from '../operations/define.ts'
import { createEvents, EVENT_SETTINGS } from './events.ts'

const personOf = (tenantId: TenantId): Caller => ({
  tenantId,
  workspaceId: newId<WorkspaceId>(),
  userId: newId<UserId>(),
  userName: 'Person',
  role: 'viewer',
  via: { kind: 'key', keyId: newId<KeyId>(), label: 'Test' },
})

const ACCOUNTS = 100

it('leaves streams for other tenants, however many accounts of some watch with all they may', async () => {
  const people = new Map<string, Caller>()
  const events = createEvents({
    sessions: {
      callerOf: async headers => people.get(headers.get('cookie') ?? '') ?? assert.fail(),
      worksIn: async () => {},
    },
    watch: { watch: () => () => {}, size: () => 0 },
    settings: EVENT_SETTINGS,
  })
  const open = (caller: Caller): Promise<Response> => {
    people.set(caller.userId, caller)
    return events.answer(new Request('http://assay.test/api/app/events', { headers: { cookie: caller.userId } }))
  }
  const opened: Response[] = []
  /** Has every account of a tenant open all it may; answers how many streams that were. */
  const watchWithAll = async (tenantId: TenantId): Promise<number> => {
    let streams = 0
    for (let account = 0; account < ACCOUNTS; account += 1) {
      const caller = personOf(tenantId)
      for (let page = 0; page < EVENT_SETTINGS.mostOfPerson; page += 1) {
        const response = await open(caller)
        if (response.ok) {
          opened.push(response)
          streams += 1
        } else {
          assert.equal(response.status, 429)
          assert.match(await response.text(), /Too many pages of your workspaces together are watching/)
        }
      }
    }
    return streams
  }

  const greedy = Array.from({ length: 4 }, () => newId<TenantId>())
  for (const [before, tenantId] of greedy.entries()) {
    const streams = await watchWithAll(tenantId)
    // Who comes first is a company of many people; who comes later finds room for a page of a few.
    assert.ok(before > 0 || streams >= 40 * EVENT_SETTINGS.mostOfPerson, `the first has ${streams}`)
    const good = await open(personOf(newId<TenantId>()))
    assert.equal(good.status, 200, `beside ${before + 1} tenants`)
    await good.body?.cancel()
  }
  assert.ok(events.size() <= EVENT_SETTINGS.most)

  // What they leave is theirs again.
  const held = events.size()
  for (const response of opened) await response.body?.cancel()
  assert.deepEqual([held > 0, events.size()], [true, 0])
  assert.ok((await watchWithAll(newId<TenantId>())) >= 40 * EVENT_SETTINGS.mostOfPerson)
  events.drain()
})
