import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApi, type TestApi } from '../testing.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

/** Somebody whose cookie the program knows, since it was asked with it before. */
const knownPerson = async () => {
  const person = await kit.signUp()
  const { items } = await person.data<{ readonly items: readonly { readonly id: string }[] }>('list_workspaces')
  const [workspace] = items
  assert.ok(workspace)
  return { person, workspaceId: workspace.id }
}

const ENDED = {
  'was deleted': 'delete from account_sessions where user_id = (select user_id from members where workspace_id = $1)',
  'has expired': `update account_sessions set expires_at = now() - interval '1 second'
    where user_id = (select user_id from members where workspace_id = $1)`,
}

for (const [how, statement] of Object.entries(ENDED))
  test(`a session that ${how} is refused at once, though its cookie is known`, async () => {
    const { person, workspaceId } = await knownPerson()
    await kit.database.pool.query(statement, [workspaceId])
    assert.equal((await person.call('list_signals')).status, 401)
  })

test('a lost membership and a smaller role count at once, though the cookie is known', async () => {
  const { person, workspaceId } = await knownPerson()
  const named = { 'x-workspace-id': workspaceId }
  await kit.database.pool.query(`update members set role = 'viewer' where workspace_id = $1`, [workspaceId])
  assert.equal((await person.call('list_keys', {}, named)).status, 200)
  assert.equal((await person.call('invite_member', { label: 'Guest', role: 'viewer' }, named)).status, 403)
  await kit.database.pool.query('delete from members where workspace_id = $1', [workspaceId])
  assert.equal((await person.call('list_signals', {}, named)).status, 403)
})

test('one cookie is nobody else’s: another person with another cookie is somebody else', async () => {
  const [{ person }, { person: other }] = [await knownPerson(), await knownPerson()]
  const nameOf = async (who: typeof person) => JSON.stringify(await who.data('list_workspaces'))
  assert.notEqual(await nameOf(person), await nameOf(other))
})

test('a page that shows one person does nothing as another who has signed in in that browser since', async () => {
  const [{ person }, { person: other }] = [await knownPerson(), await knownPerson()]
  const idOf = async (who: typeof person) => (await who.data<{ readonly user_id: string }>('list_workspaces')).user_id
  const [own, theirs] = [await idOf(person), await idOf(other)]
  assert.equal((await person.call('create_workspace', { name: 'Own' }, { 'x-person-id': own })).status, 200)
  assert.equal((await person.call('create_workspace', { name: 'Theirs' }, { 'x-person-id': theirs })).status, 401)
  assert.doesNotMatch(JSON.stringify(await person.data('list_workspaces')), /Theirs/)
})
