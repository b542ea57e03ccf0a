import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId, type UserId } from '../../../schemas/domain/ids.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace
let ada: UserId

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  ada = await joins('Ada Lovelace', 'viewer')
  await joins('Grace Hopper', 'member')
  await joins('Grace Kelly', 'member')
  await workspace.inApp('create_solution', { title: 'One', comment: 'Agreed.' })
})

const joins = async (name: string, role: string): Promise<UserId> => {
  const id = newId<UserId>()
  await kit.database.pool.query('insert into account_users (id, name, email) values ($1, $2, $3)', [
    id,
    name,
    `${id}@example.com`,
  ])
  await kit.database.pool.query('insert into members (workspace_id, user_id, role) values ($1, $2, $3)', [
    workspace.id,
    id,
    role,
  ])
  return id
}

// Answers of every shape, as read from JSON.
type Data = ReturnType<typeof JSON.parse>
const write = async (text: string, id = 'SOL-1'): Promise<Data> =>
  (await workspace.inApp('write_comment', { id, text })).data
const named = ({ mentions }: Data): string[] => mentions.map(({ name }: { name: string }) => name)

describe('Comments', () => {
  it('name members by their whole name, or the first word of it where one alone has that', async () => {
    assert.deepEqual(named(await write('@Ada Lovelace and @grace hopper, look.')), ['Ada Lovelace', 'Grace Hopper'])
    assert.deepEqual(named(await write('(@ada) look; @Grace is two people, me@ada.example is none, @Adam neither.')), [
      'Ada Lovelace',
    ])
  })

  it('are listed in pages, the newest first, on a claim with those of what was merged into it', async () => {
    const survivor = await workspace.claim('The export hangs', [await workspace.signal({ text: 'The export hangs.' })])
    const merged = await workspace.claim('The export is stuck', [await workspace.signal({ text: 'The export hangs.' })])
    await write('First.', merged.id)
    await write('Second.', survivor.id)
    await workspace.inApp('merge_claims', { claim_id: merged.id, into_claim_id: survivor.id })
    const { data, meta } = await workspace.inApp('list_comments', { id: survivor.id, limit: 1 })
    assert.deepEqual([data.count, data.items[0].text], [2, 'Second.'])
    const next = await workspace.inApp('list_comments', { id: survivor.id, limit: 1, cursor: meta.next_cursor })
    assert.deepEqual([next.data.items[0].text, next.meta.next_cursor], ['First.', null])
  })

  it('are an agent’s where a key wrote them', async () => {
    const { data } = await workspace.call('service_capture', 'comment', { id: 'SOL-1', text: 'Done reading.' })
    assert.equal(typeof data.key_label, 'string')
    assert.equal((await write('Thanks.')).key_label, null)
    const listed = await workspace.call('service_lookup', 'comments', { id: 'SOL-1', depth: 'summary' })
    assert.deepEqual(
      listed.data.items.map(({ text }: { text: string }) => text),
      ['Thanks.', 'Done reading.'],
    )
  })

  it('are changed by their author alone, and deleted by an owner of the workspace too', async () => {
    const { id } = await write('Mine.')
    const as = (role: 'member' | 'owner', name: string, input: object) => workspace.inApp(name, input, role, ada)
    await assert.rejects(as('owner', 'edit_comment', { comment_id: id, text: 'Yours.' }), failsWith('forbidden'))
    await assert.rejects(as('member', 'delete_comment', { comment_id: id }), failsWith('forbidden'))
    await as('owner', 'delete_comment', { comment_id: id })
    await assert.rejects(workspace.inApp('edit_comment', { comment_id: id, text: 'Gone.' }), failsWith('not_found'))
  })

  it('reach the inbox of whom they name, until they are read; an edit tells whom it names anew', async () => {
    const asAda = (name: string, input: object) => workspace.inApp(name, input, 'viewer', ada)
    const { id } = await write('@Ada, look.')
    await write('@Ada Lovelace, and here.')
    const { data } = await asAda('list_mentions', {})
    assert.deepEqual([data.count, data.unread, data.items[1].comment.about], [2, 2, 'SOL-1'])
    assert.deepEqual((await asAda('read_mentions', { comments: [id] })).data, { unread: 1 })
    await workspace.inApp('edit_comment', { comment_id: id, text: '@Ada, @Grace Kelly, look.' })
    assert.equal((await asAda('list_mentions', {})).data.unread, 1)
    assert.deepEqual((await asAda('read_mentions', {})).data, { unread: 0 })
    await workspace.inApp('delete_comment', { comment_id: id })
    assert.equal((await asAda('list_mentions', {})).data.count, 1)
  })

  it('go with what they are about', async () => {
    const { id } = await workspace.signal({ text: 'The export hangs.' })
    await write('@Ada, look.', id)
    await kit.database.pool.query('delete from signals where id = $1', [id])
    const { rows } = await kit.database.pool.query('select from comments where workspace_id = $1', [workspace.id])
    assert.equal(rows.length, 0)
  })
})

describe('Owners', () => {
  it('are set by name, address, first name or me, shown, filtered by, and nobody again', async () => {
    const assign = async (owner: string) => (await workspace.inApp('assign_owner', { id: 'SOL-1', owner })).data.owner
    const mine = async (owner: string) => (await workspace.inApp('lookup_backlog', { owner })).data.count
    assert.deepEqual(await assign('ada'), { id: ada, name: 'Ada Lovelace' })
    assert.deepEqual((await workspace.inApp('lookup_solution', { id: 'SOL-1' })).data.owner.name, 'Ada Lovelace')
    assert.deepEqual([await mine('Ada Lovelace'), await mine('nobody'), await mine('me')], [1, 0, 0])
    await assert.rejects(assign(`${ada}@example.com`), failsWith('invalid_input', /already/))
    assert.equal(await assign('nobody'), null)
    assert.equal(await mine('nobody'), 1)
  })

  it('are not taken over by who has not seen the owner whom a colleague chose meanwhile', async () => {
    const { id } = await workspace.signal({ text: 'The export hangs.' })
    const choose = (owner: string, seen: string | null) =>
      workspace.inApp('assign_owner', { id, owner, expected: { owner: seen } })
    await choose('Ada', null)
    await assert.rejects(choose('me', null), failsWith('conflict', /The owner has changed since you read it/))
    assert.notEqual((await choose('me', ada)).data.owner.id, ada)
  })

  it('of a claim filter the list of claims, and its counts', async () => {
    const claim = await workspace.claim('The export hangs', [await workspace.signal({ text: 'The export hangs.' })])
    await workspace.claim('The import hangs', [await workspace.signal({ text: 'The export hangs.' })])
    await workspace.call('service_decide', 'assign', { id: claim.id, owner: 'Ada' })
    for (const order_by of ['evidence_priority', 'created_at']) {
      const { data } = await workspace.call('service_analyze', 'claims', { owner: 'Ada', order_by })
      assert.deepEqual([data.count, data.items.length, data.items[0].owner.name], [1, 1, 'Ada Lovelace'])
    }
  })

  it('are one member: several of a name are refused, with who there is', () =>
    assert.rejects(
      workspace.inApp('assign_owner', { id: 'SOL-1', owner: 'Grace' }),
      failsWith('invalid_input', /2 members are called "Grace".*Grace Hopper/),
    ))

  it('who left own nothing, and leave the version as it was', async () => {
    const signal = await workspace.signal({ text: 'The export hangs.' })
    await workspace.inApp('assign_owner', { id: signal.id, owner: 'Ada' })
    const shown = async () => (await workspace.inApp('lookup_signal', { id: signal.id })).data.signal
    assert.deepEqual([(await shown()).owner.name, (await shown()).version], ['Ada Lovelace', 1])
    await kit.database.pool.query('delete from members where user_id = $1', [ada])
    assert.equal((await shown()).owner, null)
  })
})
