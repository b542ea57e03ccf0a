import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { sha256 } from '../../../infra/runtime/secrets.ts'
import { type Person, startTestApi, type TestApi } from '../../testing.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

test('a key is shown once, has the documented form, and only its hash is stored [object-6]', async () => {
  const person = await kit.signUp()
  const { id, key } = await person.data<{ id: string; key: string }>('create_key', { label: ' Planning agent ' })
  assert.match(key, /^service_mcp_[0-9a-f]{32}$/)
  const { rows } = await kit.database.pool.query('select * from mcp_keys where id = $1', [id])
  assert.ok(sha256(key).equals(rows[0].hash))
  assert.doesNotMatch(JSON.stringify(rows), new RegExp(key))
  const { items } = await person.data<{ items: Record<string, unknown>[] }>('list_keys')
  assert.deepEqual(
    { ...items[0], created_at: '' },
    {
      id,
      label: 'Planning agent',
      last_four: key.slice(-4),
      scope: 'workspace',
      is_own: true,
      created_at: '',
      last_used_at: null,
      work_units: 0,
    },
  )
  assert.doesNotMatch(JSON.stringify(items), new RegExp(key))
})

test('what a key’s calls cost is not known while the analytics are away, and the keys are listed all the same', async () => {
  const api = await startTestApi({
    analytics: {
      query: () => Promise.reject(new AssayError('unavailable', 'ClickHouse is away.')),
      insert: async () => {},
      remove: async () => {},
      rewrite: async () => {},
      ping: async () => {},
      close: async () => {},
    },
  })
  try {
    const person = await api.signUp()
    await person.data('create_key', { label: 'Agent' })
    const { items } = await person.data<{ items: { label: string; work_units: number | null }[] }>('list_keys')
    assert.deepEqual(
      items.map(({ label, work_units }) => [label, work_units]),
      [['Agent', null]],
    )
  } finally {
    await api.stop()
  }
})

test('a person deletes the keys that are theirs to delete', async () => {
  const [owner, stranger] = [await kit.signUp(), await kit.signUp()]
  const { id } = await owner.data<{ id: string }>('create_key', { label: 'Mine' })
  assert.equal((await stranger.call('delete_key', { id })).status, 404)
  assert.deepEqual(await owner.data('delete_key', { id }), { id })
  assert.equal((await owner.call('delete_key', { id })).status, 404)
})

test('a new workspace is empty, and belongs to who made it', async () => {
  const [owner, stranger] = [await kit.signUp(), await kit.signUp()]
  const { id } = await owner.data<{ id: string }>('create_workspace', { name: 'Second' })
  const inside = async (who: Person) => (await who.call('list_sources', {}, { 'x-workspace-id': id })).status
  assert.equal(await inside(owner), 200)
  assert.equal(await inside(stranger), 403)
})

test('an owner sets each rule by itself, and all who work there see it', async () => {
  const owner = await kit.signUp()
  const unset = { requires_app_decisions: false, who_merges: 'judge', learns: true, asks_reasons: false }
  const taught = {
    lessons: 0,
    corrections: 0,
    learned_from: 0,
    learned_at: null,
    tested: 0,
    answered_right: 0,
    weight: 0,
  }
  const proposal_bar = { chance: 0.01, raised: false, set_aside: 0, learned_from: 0 }
  assert.deepEqual(await owner.data('read_workspace_rules'), { ...unset, taught, proposal_bar })
  await owner.data('set_workspace_rules', { who_merges: 'people' })
  await owner.data('set_workspace_rules', { learns: false })
  const all = { requires_app_decisions: true, who_merges: 'people', learns: false, asks_reasons: false }
  assert.deepEqual(await owner.data('set_workspace_rules', { requires_app_decisions: true }), all)
  assert.deepEqual(await owner.data('read_workspace_rules'), { ...all, taught, proposal_bar })
  assert.equal((await owner.call('set_workspace_rules', { who_merges: 'nobody' })).status, 422)
})
