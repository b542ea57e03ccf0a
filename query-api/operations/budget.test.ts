import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { NodeId } from '../../schemas/domain/ids.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { type OwnIds, sampleInput } from './testing-reach.ts'
import { firstOf, seedEverything } from './testing-seed.ts'

/** No answer that an agent reads is above 10,000 tokens, and with depth summary none is above 800, however much there is. */
const MAX_TOKENS = 10_000
const MAX_OF_A_SUMMARY = 800
const MANY = 60

let kit: OperationsKit
let workspace: Workspace
let own: OwnIds

/** Text as long as a field takes, in words that differ; every fourth is Japanese, which takes more tokens a character. */
const long = (length: number, from: number): string =>
  Array.from({ length: Math.ceil(length / 9) }, (_, index) =>
    from % 4 === 0 ? `${from + index * 7}番目の書き出しが失敗する` : `${(from + 1) * (index + 7919)} words`,
  )
    .join(' ')
    .slice(0, length)

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'glockenspiel')
  const call = async (name: string, input: object): Promise<ReturnType<typeof JSON.parse>> => {
    const operation = registry.get(name)
    assert.ok(operation, name)
    return (await workspace.run(operation, { ...input })).data
  }
  own = await firstOf(kit, workspace)
  const nodeId = own.map_nodes as NodeId
  const repeated = await workspace.signal({ text: long(8000, 999), nodeId })
  for (let made = 0; made < MANY; made += 1) {
    const signal = await workspace.signal({ text: long(50_000, made), nodeId, actorName: long(200, made) })
    await workspace.signal({ text: long(8000, made + MANY), nodeId })
    await workspace.occurrence(repeated.id, { actorKey: String(made) })
    await call('attach_evidence', { signal_id: signal.id, claim_id: own.claims, reason: long(500, made) })
    const claim = await workspace.claim(long(300, made), [signal])
    await workspace.proposal(claim, await workspace.claim(long(300, made + MANY)))
    const comment = long(4000, made)
    const { solution } = await call('create_solution', {
      title: long(300, made),
      summary: long(20_000, made),
      claim_ids: [claim.id, own.claims],
      comment,
    })
    await call('change_group', { action: 'add', group_id: own.groups, solution_ids: [solution.id], comment })
    await call('change_roadmap', { action: 'place', solution_id: solution.id, horizon: 'next', comment })
    const element = { layer: 'objective', title: long(200, made), summary: long(2000, made), claim_ids: [own.claims] }
    await call('change_strategy', { action: 'add', ...element, comment })
    await call('save_knowledge', { id: own.solutions, text: long(2000, made) })
    await call('log_decision', { statement: long(4000, made), about: [own.solutions] })
    await call('add_map_node', { name: long(100, made), description: long(1000, made), parent_id: nodeId })
    await call('create_connection', { name: long(100, made) })
    await workspace.deadLetter({ step: 'embed', sealed: false, message: long(2000, made) })
  }
  const markdown = Array.from({ length: 40 }, (_, section) => `# Section ${section}\n${long(2000, section)}`).join(
    '\n\n',
  )
  await call('edit_living_document', { solution_id: own.solutions, markdown, version: 1, comment: 'Written.' })
})
after(() => kit.stop())

/** With and without what an operation can be told about how much to answer. */
const amounts = ({ input }: Operation): Readonly<Record<string, unknown>>[] => {
  const most = 'limit' in input.properties ? { limit: 100 } : {}
  return 'depth' in input.properties
    ? [{ depth: 'summary' }, { depth: 'summary', ...most }, most, { depth: 'full', ...most }]
    : [{}, most]
}

const reads = [...registry.values()].filter(({ effect, audience }) => effect === 'read' && audience === 'everyone')

for (const operation of reads) {
  test(`${operation.name} stays within its tokens in a full workspace`, async () => {
    for (const amount of amounts(operation)) {
      const input = { ...sampleInput(operation, own), ...amount }
      const answered = await workspace.run(operation, input).catch(error => error.publicMessage)
      const tokens = countTokens(JSON.stringify(answered))
      const most = amount.depth === 'summary' ? MAX_OF_A_SUMMARY : MAX_TOKENS
      assert.ok(tokens <= most, `${JSON.stringify(amount)}: ${tokens} tokens`)
    }
  })
}

/** Every page of an object's text, each within the tokens, put together. */
const readThrough = async (name: string, id: string, textOf: (data: ReturnType<typeof JSON.parse>) => string) => {
  const operation = registry.get(name)
  assert.ok(operation, name)
  let [whole, cursor]: [string, string | null] = ['', null]
  do {
    const page: Record<string, unknown> = { id, depth: 'full', ...(cursor && { cursor }) }
    const answered: Awaited<ReturnType<Workspace['run']>> = await workspace.run(operation, page)
    assert.ok(countTokens(JSON.stringify(answered)) <= MAX_TOKENS)
    whole += textOf(answered.data)
    cursor = answered.meta.next_cursor ?? null
  } while (cursor !== null)
  return whole
}

test('the longest texts are read to their end, page by page, and large metadata leaves them room', async () => {
  const text = `${long(30_000, 4)}${'😀 no end '.repeat(2000)}`
  const metadata = Object.fromEntries(Array.from({ length: 300 }, (_, field) => [`field ${field}`, long(500, field)]))
  const signal = await workspace.signal({ text, metadata })
  assert.equal(await readThrough('lookup_signal', signal.id, data => data.signal.text), text)

  const summary = long(20_000, 8)
  const create = registry.get('create_solution')
  assert.ok(create)
  const created = await workspace.run(create, {
    title: 'A long one',
    summary,
    claim_ids: [own.claims],
    comment: 'So be it.',
  })
  const { solution } = created.data as { solution: { id: string } }
  assert.equal(await readThrough('lookup_solution', solution.id, data => data.text), summary)
})
