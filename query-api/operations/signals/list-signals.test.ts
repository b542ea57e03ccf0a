import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { NodeId } from '../../../schemas/domain/ids.ts'
import { SHOWN_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

describe('The list of Signals', () => {
  let kit: OperationsKit
  let workspace: Workspace
  before(async () => {
    kit = await startOperations()
    workspace = await kit.workspace()
    const parent = (await workspace.call('service_map', 'add_node', { name: 'Billing' })).data
    const child = (await workspace.call('service_map', 'add_node', { name: 'Invoices', parent_id: parent.id })).data
    const nodeId = child.id as NodeId
    const exports = await workspace.signal({ text: 'Exports time out on large boards.', nodeId, source: 'desk' })
    await workspace.signal({ text: 'The exporter hangs.', channel: 'email', source: 'mail' })
    await workspace.signal({ text: 'Wo ist der Dunkelmodus?', classification: 'question' })
    await workspace.claim('Exports', [exports])
  })
  after(() => kit.stop())

  const list = async (input: object = {}) => (await workspace.inApp('list_signals', input)).data
  const found = async (input: object): Promise<string[]> =>
    (await list(input)).items.map((one: { reference: string }) => one.reference)

  it('finds by node and what is below it, source, channel, claim, owner and classification', async () => {
    assert.deepEqual(await found({}), ['SIG-3', 'SIG-2', 'SIG-1'])
    assert.deepEqual(await found({ node_id: 'Billing' }), ['SIG-1'])
    assert.deepEqual(await found({ source: 'mail' }), ['SIG-2'])
    assert.deepEqual(await found({ channel: 'email' }), ['SIG-2'])
    assert.deepEqual(await found({ claim: 'with' }), ['SIG-1'])
    assert.deepEqual(await found({ claim: 'without', classification: 'problem' }), ['SIG-2'])
    assert.deepEqual(await found({ state: 'dismissed' }), [])
    await workspace.inApp('assign_owner', { id: 'SIG-2', owner: 'me' })
    assert.deepEqual(await found({ owner: 'me' }), ['SIG-2'])
    assert.deepEqual(await found({ owner: 'nobody', source: 'desk' }), ['SIG-1'])
    assert.deepEqual(await found({ owner: 'nobody' }), ['SIG-3', 'SIG-1'])
    await assert.rejects(list({ owner: 'Nobody known' }), failsWith('invalid_input'))
    await assert.rejects(list({ node_id: 'Nowhere' }), failsWith('not_found'))
  })

  it('finds by the beginnings of words, in any script, and by reference; signs mean nothing', async () => {
    assert.deepEqual(await found({ text: 'export' }), ['SIG-2', 'SIG-1'])
    assert.deepEqual(await found({ text: 'EXPORTS large' }), ['SIG-1'])
    assert.deepEqual(await found({ text: 'dunkel' }), ['SIG-3'])
    for (const text of ['expor', 'exprots', 'export zebra']) assert.ok((await found({ text })).includes('SIG-1'), text)
    assert.deepEqual(await found({ text: ' sig-2 ' }), ['SIG-2'])
    assert.deepEqual(await found({ text: "zz' | :* & !qq \\" }), [])
    assert.deepEqual(await found({ text: '!!' }), [])
    for (const text of [workspace.id, workspace.id.slice(0, 1), workspace.id.slice(0, 8)]) {
      assert.deepEqual(await found({ text }), [])
    }
  })

  it('counts all that one speaker said, in whatever letter case the oldest of many has the name', async () => {
    const own = await kit.workspace()
    for (const [oldest, others] of [
      ['ÄNNE', 'änne'],
      ['ΣΤΕΛΙΟΣ', 'Στελιος'],
    ] as const) {
      await own.signal({ text: 'It hangs.', actorName: oldest })
      for (let said = 0; said < 101; said += 1) await own.signal({ text: 'It hangs.', actorName: others })
      assert.equal((await own.inApp('list_signals', { actor_name: others })).data.count, 102, oldest)
    }
  })

  it('shows people what came with each, and agents the lines alone', async () => {
    const own = await kit.workspace()
    const answers = Object.fromEntries(
      Array.from({ length: 8 }, (_, question) => [`answer_${question}`, 'yes '.repeat(40)]),
    )
    await own.signal({
      text: 'It hangs. '.repeat(100),
      metadata: { plan: 'Team', notes: 'x'.repeat(5000), ...answers },
    })
    const [shown] = (await own.inApp('list_signals', {})).data.items
    assert.equal(shown.metadata.plan, 'Team')
    assert.deepEqual([shown.text.length, shown.text_truncation.total_characters], [SHOWN_CHARACTERS, 1000])
    assert.ok(JSON.stringify(shown.metadata).length < 1500)
    const [full] = (await own.inApp('list_signals', { depth: 'full' })).data.items
    assert.equal(full.metadata.answer_7, answers.answer_7)
    assert.equal(shown.metadata.answer_7, undefined)
    const { data } = await own.call('service_lookup', 'signals', {})
    assert.equal(data.items[0].metadata, undefined)
    assert.ok(data.items[0].text.length < SHOWN_CHARACTERS)
  })

  it('says how many there are and where they came from, on the first page alone', async () => {
    const first = await workspace.inApp('list_signals', { limit: 2 })
    assert.deepEqual([first.data.count, first.data.count_is_partial, first.data.items.length], [3, false, 2])
    assert.deepEqual(
      first.data.sources.map(({ source }: { source: string }) => source),
      ['desk', 'mail', 'support desk'],
    )
    const second = await workspace.inApp('list_signals', { limit: 2, cursor: first.meta.next_cursor })
    assert.deepEqual([second.data.count, second.data.items.length, second.meta.next_cursor], [0, 1, null])
    await assert.rejects(list({ cursor: 'nonsense' }), failsWith('invalid_input'))
  })

  it('says to an agent, who reads a page alone, how many there are on every page', async () => {
    const first = await workspace.call('service_lookup', 'signals', { limit: 2 })
    const second = await workspace.call('service_lookup', 'signals', { limit: 2, cursor: first.meta.next_cursor })
    assert.deepEqual([second.data.count, second.data.items.length], [3, 1])
  })

  it('is for people of the workspace', async () => {
    const stranger = await kit.workspace()
    assert.deepEqual((await stranger.inApp('list_signals', { text: 'export' })).data.items, [])
    assert.equal((await workspace.inApp('list_signals', {}, 'viewer')).data.count, 3)
  })
})
