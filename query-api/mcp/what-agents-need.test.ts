import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { createBodyBudget } from '../http/body-budget.ts'
import { registry } from '../operations/registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../operations/testing.ts'
import { tools } from '../tools/index.ts'
import { createAgentCall } from './strangers-marks.ts'
import { createSurface } from './surface.ts'
import { createToolCall } from './tool-call.ts'

/** What an agent is told beside the evidence, and what it pays, as it gets it through the tools. */

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
})
after(() => kit.stop())

/** The text of an answer as an agent reads it. */
const answerOf = async (name: string, input: object): Promise<string> => {
  const toolCall = createToolCall(
    createSurface(tools, registry.values()),
    createAgentCall((operation, request) => workspace.run(operation, request.input), createBodyBudget()),
  )
  const params = { name, arguments: { ...input } }
  const { content } = await toolCall({ caller: workspace.caller, params, idempotencyKey: null, bodyBytes: 0 })
  const [first] = content
  return first?.type === 'text' ? first.text : assert.fail('no text')
}
// Answers of every shape, as read from JSON.
const ask = async (name: string, input: object): Promise<ReturnType<typeof JSON.parse>> =>
  JSON.parse(await answerOf(name, input)).data

const lookup = (input: object) => ask('service_lookup', input)
const decide = (input: object) => ask('service_decide', { ...input, comment: 'It is spam, says Ada.' })

test('evidence says where the original is, which account it came from and how often it was repeated', async () => {
  const signal = await workspace.signal({ text: 'The export hangs.', metadata: { company: 'Acme' } })
  await workspace.occurrence(signal.id, { actorKey: 'one' })
  await kit.database.pool.query('update signals set source_url = $2 where id = $1', [signal.id, 'https://desk.test/7'])
  const claim = await workspace.claim('Exports hang', [signal])
  const [evidence] = (await lookup({ mode: 'claim', id: claim.reference })).evidence.items
  assert.deepEqual(
    [evidence.source_url, evidence.account, evidence.occurrences],
    ['‹https://desk.test/7›', '‹Acme›', 1],
  )
  const { solution } = await decide({ mode: 'create_solution', title: 'Mend exports', claim_ids: [claim.reference] })
  const { accounts } = await lookup({ mode: 'solution', id: solution.reference })
  assert.deepEqual(accounts, [{ account: '‹Acme›', signals: 1 }])
})

test('a dismissed Signal says who dismissed it, why and when', async () => {
  const signal = await workspace.signal({ text: 'Cheap watches.' })
  assert.equal((await lookup({ mode: 'signal', id: signal.reference })).dismissed, undefined)
  await decide({ mode: 'triage', action: 'dismiss', signal_id: signal.reference })
  const { dismissed } = await lookup({ mode: 'signal', id: signal.reference })
  assert.deepEqual(
    [dismissed.made_by, dismissed.key_label, dismissed.text, dismissed.made_at],
    ['Owner', 'Agent', 'It is spam, says Ada.', kit.now.toISOString()],
  )
})

test('a saved Product Review is read by its title; of a title that none has the nearest are proposed', async () => {
  for (const title of ['May', 'June', 'June']) await ask('service_analyze', { mode: 'review', title })
  const reviews = (id: string) => answerOf('service_analyze', { mode: 'reviews', id })
  assert.match(await reviews('may'), /"count":1.*"title":"May"/s)
  assert.match(await reviews('Mey'), /^No Product Review.*"name":"‹May›"/s)
  assert.match(await reviews('June'), /^Several Product Reviews/)
})

test('of a name that nothing has, those spelled most like it are proposed first, however many share a word', async () => {
  const names = Array.from({ length: 15 }, (_, at) => `Invoices of region ${at}`)
  for (const name of [...names, 'Invoices abroad']) await ask('service_map', { mode: 'add_node', name })
  const refusal = await answerOf('service_lookup', { mode: 'node', id: 'Invoices abrod' })
  const { candidates } = JSON.parse(refusal.split('\n').at(-1) ?? '')
  assert.equal(candidates[0].name, '‹Invoices abroad›')
  assert.equal(candidates.length, 10)
})

test('a time in a refusal is a time', async () => {
  const claim = await workspace.claim('Exports stop')
  const { solution } = await decide({ mode: 'create_solution', title: 'Restart', claim_ids: [claim.reference] })
  const edit = { mode: 'living_doc', solution_id: solution.reference, markdown: '# One', comment: 'Agreed.' }
  await ask('service_decide', edit)
  assert.match(await answerOf('service_decide', { ...edit, version: 7 }), /"written_at":"2026-06-01T12:00:00\.000Z"/)
})

test('two claims of one title are told apart in a line by what each says beyond it', async () => {
  const alike = 'We saw it in the mobile client.'
  const [one, other] = [await workspace.claim(alike), await workspace.claim(alike)]
  await kit.database.pool.query(`update claims set statement = title || ' The draft is lost.' where id = $1`, [one.id])
  await kit.database.pool.query(`update claims set statement = title || ' The map is grey.' where id = $1`, [other.id])
  await workspace.proposal(one, other)
  const { items } = await lookup({ mode: 'proposals', depth: 'summary', claim_id: one.reference })
  assert.deepEqual([items[0].claim.text, items[0].candidate.text], ['‹The draft is lost.›', '‹The map is grey.›'])
})

test('a line of a list says who said it, of which account, and a line of a Solution how much is behind it', async () => {
  const metadata = { company: 'Blue Cart' }
  const signal = await workspace.signal({ text: 'Vouchers are refused.', actorName: 'Ada', metadata })
  const { items } = await lookup({ mode: 'signals', account: 'Blue Cart' })
  assert.deepEqual([items[0].actor_name, items[0].account], ['‹Ada›', '‹Blue Cart›'])
  const claim = await workspace.claim('Vouchers are refused', [signal])
  await decide({ mode: 'create_solution', title: 'Take vouchers', claim_ids: [claim.reference], comment: 'Agreed.' })
  for (const [tool, mode] of [
    ['service_lookup', 'backlog'],
    ['service_analyze', 'solutions'],
  ] as const) {
    const lines = JSON.parse(await answerOf(tool, { mode })).data.items
    const line = lines.find(({ title }: { readonly title: string }) => title === 'Take vouchers')
    assert.deepEqual([line.signals, line.actors], [1, 1])
  }
})

test('nothing is said twice: a title that its text begins with, a secret, a depth that nobody asked for', async t => {
  const text =
    'The quarterly board report cannot be exported as a PDF, and support restarts the export by hand each time.'
  for (let made = 0; made < 30; made += 1) await workspace.signal({ text: `${text} Case ${made}.`, source: 'zendesk' })
  const list = await answerOf('service_lookup', { mode: 'signals' })
  t.diagnostic(`20 Signals at the default depth: ${countTokens(list)} tokens`)
  assert.equal(JSON.parse(list).data.items.length, 20)
  assert.ok(countTokens(list) <= 1400)
  const found = await lookup({ mode: 'search', query: 'quarterly report', depth: 'standard', types: ['signal'] })
  assert.deepEqual([found.items[0].title, found.items[0].text.startsWith('‹The quarterly')], ['', true])
  const created = await answerOf('service_connect', { mode: 'create', name: 'Help desk' })
  t.diagnostic(`connect create: ${countTokens(created)} tokens`)
  assert.ok(countTokens(created) <= 400)
  const { secret } = JSON.parse(created).data
  assert.equal(created.split(secret).length, 2)
})

test('what only people do is refused with where they do it, named as a tool or as a mode', async () => {
  const refusal = (name: string, input: object) => answerOf(name, input).then(assert.fail, (error: Error) => error)
  for (const [name, input] of [
    ['erase_signal', { id: 'SIG-1' }],
    ['service_support', { mode: 'erase_signal', id: 'SIG-1' }],
    ['service_connect', { mode: 'create_source', kind: 'email' }],
  ] as const) {
    const { message } = await refusal(name, input)
    assert.match(message, /(erase_signal|create_source) is for people to do, in the app/)
  }
  assert.doesNotMatch((await refusal('erase_everything', {})).message, /for people/)
})
