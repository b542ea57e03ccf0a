import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import type { TObject } from 'typebox'
import type { NodeId } from '../../schemas/domain/ids.ts'
import { MAX_LIMIT } from '../../schemas/domain/limits.ts'
import type { Operation } from './define.ts'
import { estimateTokens } from './parts/excerpt.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'
import { type OwnIds, sampleInput } from './testing-reach.ts'
import { firstOf, seedEverything } from './testing-seed.ts'

/**
 * No answer that an agent reads is above 10,000 tokens; a summary is 800, a page of them 4,000, however much there is.
 */
const MAX_TOKENS = 10_000
const MAX_OF_A_SUMMARY = 800
const MAX_OF_A_SUMMARY_PAGE = 4000
/** A line of a list, and the line of a group of pairs, which holds a line for each pair. */
const MAX_OF_A_LINE = 120
const MANY = 60
/** What a page of summaries is filled to, as `estimateTokens` counts. */
const SUMMARY_PAGE_TOKENS = 3000

let kit: OperationsKit
let workspace: Workspace
let own: OwnIds

/**
 * Text as long as a field takes, in words that differ; every fourth is Japanese, which takes more tokens a character.
 */
const long = (length: number, from: number): string =>
  Array.from({ length: Math.ceil(length / 9) }, (_, index) =>
    from % 4 === 0 ? `${from + index * 7}番目の書き出しが失敗する` : `${(from + 1) * (index + 7919)} words`,
  )
    .join(' ')
    .slice(0, length)

/**
 * Some of every kind of text are as long as a field takes; an answer shows as much of the others, which take a tenth to
 * make.
 */
const textLength = (made: number): number => (made % 6 < 2 ? 50_000 : 5000)

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, 'glockenspiel')
  const call = async (name: string, input: object): Promise<ReturnType<typeof JSON.parse>> =>
    (await workspace.run(name, input)).data
  own = await firstOf(kit, workspace)
  const nodeId = own.map_nodes as NodeId
  const repeated = await workspace.signal({ text: long(8000, 999), nodeId })
  own = { ...own, repeated: repeated.id }
  for (let made = 0; made < MANY; made += 1) {
    const signal = await workspace.signal({ text: long(textLength(made), made), nodeId, actorName: long(200, made) })
    await workspace.signal({ text: long(8000, made + MANY), nodeId })
    await workspace.occurrence(repeated.id, { actorKey: String(made), text: long(600, made) })
    await call('attach_evidence', { signal_id: signal.id, claim_id: own.claims, reason: long(500, made) })
    const claim = await workspace.claim(long(300, made), [signal])
    await workspace.proposal(claim, await workspace.claim(long(300, made + MANY)))
    const comment = long(4000, made)
    const { solution } = await call('create_solution', {
      title: long(300, made),
      summary: long(textLength(made) / 2.5, made),
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

/**
 * Lists whose rows are figures, versions beside a document, and what changed, by kind: none of them has items to say in
 * a line.
 */
const OTHER_LISTS = new Set(['analyze_activity', 'lookup_living_document', 'orient_changes'])

const isList = ({ name, input, output }: Operation): boolean =>
  'cursor' in input.properties && 'items' in ((output as TObject).properties ?? {}) && !OTHER_LISTS.has(name)

const reads = [...registry.values()].filter(({ effect, audience }) => effect === 'read' && audience === 'everyone')

for (const operation of reads) {
  test(`${operation.name} stays within its tokens in a full workspace`, async () => {
    for (const amount of amounts(operation)) {
      const input = { ...sampleInput(operation, own), ...amount }
      const answered = await workspace.run(operation, input).catch(error => error.publicMessage)
      const tokens = countTokens(JSON.stringify(answered))
      const ofASummary = isList(operation) ? MAX_OF_A_SUMMARY_PAGE : MAX_OF_A_SUMMARY
      const most = amount.depth === 'summary' ? ofASummary : MAX_TOKENS
      assert.ok(tokens <= most, `${JSON.stringify(amount)}: ${tokens} tokens`)
    }
  })
}

type Listed = Awaited<ReturnType<Workspace['run']>> & { readonly data: { readonly items: readonly unknown[] } }

interface Read {
  readonly items: readonly unknown[]
  readonly tokens: number
  readonly pages: number
}

/** All pages of a list. Each is full but for the last: the item that follows would not have fitted. */
const readAll = async (operation: Operation, depth: 'summary' | 'standard'): Promise<Read> => {
  const most = depth === 'summary' ? {} : { limit: MAX_LIMIT }
  const items: unknown[] = []
  let [pages, cursor, room, tokens]: [number, string | null, number, number] = [0, null, 0, 0]
  do {
    const widest = { ...WIDEST[operation.name], ...(operation.name === 'list_repeats' && { id: own.repeated }) }
    const input = { ...sampleInput(operation, own), ...widest, depth, ...most, ...(cursor && { cursor }) }
    const { data, meta } = (await workspace.run(operation, input)) as Listed
    const [first] = data.items
    if (depth === 'summary') assert.ok(estimateTokens(first) > room, `page ${pages} had room for another item`)
    cursor = meta.next_cursor ?? null
    if (cursor !== null && data.items.length < MAX_LIMIT && depth === 'standard') {
      assert.match(meta.note ?? '', /of the 100 asked for fit this page/)
    }
    const isFull = data.items.length === MAX_LIMIT
    room = isFull
      ? 0
      : SUMMARY_PAGE_TOKENS -
        data.items.reduce<number>((sum, item) => sum + estimateTokens(item), 0) -
        estimateTokens({ ...data, items: [] })
    items.push(...data.items)
    tokens += countTokens(JSON.stringify(data.items))
    pages += 1
  } while (cursor !== null)
  return { items, pages, tokens }
}

/** What makes the list of a workspace a long one. */
const WIDEST: Readonly<Record<string, object>> = {
  lookup_search: { query: 'words' },
  lookup_backlog: { states: ['Backlog', 'Planned', 'Done'] },
  lookup_group: { id: undefined },
  lookup_decision: { id: undefined },
  lookup_outcome: { id: undefined },
  read_map: { levels: 50 },
}

for (const operation of reads.filter(isList)) {
  test(`${operation.name} in lines takes two fifths of the tokens at most, in no more calls`, async t => {
    const [summary, standard] = [await readAll(operation, 'summary'), await readAll(operation, 'standard')]
    t.diagnostic(
      `${summary.items.length} items: ${summary.tokens} tokens in ${summary.pages} calls, standard ${standard.tokens} in ${standard.pages}`,
    )
    assert.equal(summary.items.length, standard.items.length)
    assert.ok(summary.pages <= standard.pages)
    assert.ok(summary.tokens * 2.5 <= standard.tokens + 30, `${summary.tokens} of ${standard.tokens}`)
    const known = new Set(standard.items.flatMap(item => Object.keys(item as object)))
    for (const item of summary.items) {
      assert.deepEqual(
        Object.keys(item as object).filter(field => !known.has(field)),
        [],
        'a line has fields of its own',
      )
      const { pairs = [null] } = item as { readonly pairs?: readonly unknown[] }
      assert.ok(countTokens(JSON.stringify(item)) <= MAX_OF_A_LINE * Math.max(1, pairs.length), JSON.stringify(item))
    }
  })
}

/** Every page of an object's text, each within the tokens, put together. */
const readThrough = async (name: string, id: string, textOf: (data: ReturnType<typeof JSON.parse>) => string) => {
  let [whole, cursor]: [string, string | null] = ['', null]
  do {
    const page: Record<string, unknown> = { id, depth: 'full', ...(cursor && { cursor }) }
    const answered: Awaited<ReturnType<Workspace['run']>> = await workspace.run(name, page)
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
  const created = await workspace.run('create_solution', {
    title: 'A long one',
    summary,
    claim_ids: [own.claims],
    comment: 'So be it.',
  })
  const { solution } = created.data as { solution: { id: string } }
  assert.equal(await readThrough('lookup_solution', solution.id, data => data.text), summary)
})
