import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { isUuid } from '../../../schemas/domain/ids.ts'
import { holds } from '../holds.ts'
import { request, resultOf, rpc } from '../rpc.ts'
import type { Story } from '../story.ts'
import { type Beginning, EXPORTS } from '../world.ts'

interface Tool {
  readonly name: string
  readonly description: string
  readonly inputSchema: { readonly required?: readonly string[]; readonly properties: Readonly<Record<string, object>> }
}

interface Items {
  readonly count: number
  readonly items: readonly Readonly<Record<string, unknown>>[]
}

export const describeTools = ({ world, early }: Beginning, story: () => Story): void => {
  describe('What the tools read', () => {
    const listed = early(async ({ baseUrl }) => {
      const { body } = await rpc(baseUrl, request('tools/list'))
      return resultOf<{ tools: readonly Tool[] }>(body).tools
    })
    const call = async <Data = Items>(tool: string, mode: string, input: object = {}): Promise<Data> =>
      (await world().agent.call<Data>(tool, { mode, ...input })).data

    holds('tool-1', () => {
      for (const { name, inputSchema } of listed()) {
        assert.ok(inputSchema.required?.includes('mode'), name)
        assert.ok('mode' in inputSchema.properties, name)
      }
    })
    holds('tool-2', async () => {
      const { body } = await rpc(world().baseUrl, request('initialize', {}))
      assert.match(String(body?.result?.instructions), /Start with service_orient/)
    })
    holds('tool-3', async () => {
      const boost = { mode: 'update_solution', priority_boost: 3, comment: 'By its name.' }
      await assert.rejects(world().agent.call('service_decide', { ...boost, solution_id: 'Colours' }), /candidates/)
      const { solution } = await call<{ solution: { id: string; priority_boost: number } }>(
        'service_lookup',
        'solution',
        {
          id: story().theme.title,
        },
      ).then(found => ({
        solution: ('solution' in found ? found.solution : found) as { id: string; priority_boost: number },
      }))
      assert.deepEqual([solution.id, solution.priority_boost], [story().theme.id, 1])
    })
    holds('tool-4', async () => assert.ok('counts' in (await call<object>('service_orient', 'snapshot'))))
    holds('tool-5', async () => {
      const { items } = await call('service_orient', 'changes', { since: '2026-01-01T00:00:00Z' })
      assert.ok(items.some(({ kind }) => kind === 'claims_appeared'))
    })
    holds('tool-6', async () => {
      const { items } = await call('service_orient', 'strategy')
      assert.ok(items.some(({ title, layer }) => title === 'Everybody is informed' && layer === 'vision'))
    })
    holds('tool-7', async () => {
      const { items } = await call('service_orient', 'connections')
      assert.ok(items.some(({ id }) => id === world().sources.signal.id))
    })
    holds('tool-8', async () => {
      const claim = await call<Record<string, unknown>>('service_lookup', 'claim', { id: story().problemClaim })
      assert.deepEqual([claim.id, claim.kind], [story().problemClaim, 'problem'])
    })
    holds('tool-9', async () => {
      const solution = await call<Record<string, unknown>>('service_lookup', 'solution', { id: story().exports.id })
      assert.deepEqual([solution.id, solution.state], [story().exports.id, 'Backlog'])
    })
    holds('tool-10', async () => {
      const { items } = await call('service_lookup', 'map')
      assert.ok(items.some(({ path }) => String(path) === EXPORTS))
    })
    holds('tool-11', async () => {
      const { node } = await call<{ node: { name: string } }>('service_lookup', 'node', { id: EXPORTS })
      assert.equal(node.name, EXPORTS)
    })
    holds('tool-12', async () => {
      const brief = await call<{ claims: Items; living_doc: object }>('service_lookup', 'context', {
        id: story().exports.id,
      })
      assert.equal(brief.claims.count, 1)
      assert.ok(JSON.stringify(brief.living_doc).includes('No summary fails.'))
    })
    holds('tool-13', async () => {
      const { text } = await call<{ text: string }>('service_lookup', 'living_doc', { id: story().exports.id })
      assert.match(text, /No summary fails/)
    })
    holds('tool-14', async () => {
      const { items } = await call('service_lookup', 'search', { query: 'Reliable summaries', types: ['solution'] })
      assert.equal(items[0]?.reference, story().exports.reference)
    })
    holds('tool-15', async () => {
      const { items } = await call('service_lookup', 'reference', { query: story().exports.reference })
      assert.deepEqual(
        items.map(({ id }) => id),
        [story().exports.id],
      )
    })
    holds('tool-25', async () => assert.deepEqual((await call('service_map', 'read')).items[0]?.path, [EXPORTS]))
    holds('tool-27', async () => {
      const { items } = await call('service_connect', 'find', { query: 'github' })
      assert.match(JSON.stringify(items[0]), /GitHub/)
    })
    holds('tool-29', async () => {
      const { count, items } = await call('service_analyze', 'claims', { limit: 5 })
      assert.ok(count >= 2 && items.length > 0)
    })
    holds('tool-30', async () => {
      const { items } = await call('service_analyze', 'solutions', { limit: 20 })
      assert.ok(items.some(({ reference }) => reference === story().shipped.reference))
    })
    holds('tool-31', async () => {
      const { items } = await call('service_analyze', 'activity', { metrics: ['count'], group_by: ['kind'] })
      assert.ok(items.length > 0)
    })
    holds('tool-32', async () => {
      assert.ok(listed().some(({ name }) => name === 'service_support'))
      const { items, count } = await call('service_support', 'diagnose')
      assert.ok(count > 0)
      // One signal is sent that the model refuses for good.
      assert.match(JSON.stringify(items), /texts_refused_by_model/)
    })
    holds('tool-33', async () => {
      const data = await call<Record<string, unknown>>('service_orient', 'snapshot')
      for (const name of ['top_claims', 'solutions', 'recommended_next_tools'])
        assert.ok(Array.isArray(data[name]), name)
    })
    holds('tool-34', async () => {
      const { meta } = await world().agent.call('service_orient', { mode: 'snapshot' })
      assert.match(meta.timestamp, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/)
    })
    holds('tool-35', async () => {
      const input = { id: story().ideaClaim, depth: 'summary' }
      const claim = await call<{ id: string }>('service_lookup', 'claim', input)
      assert.equal(claim.id, story().ideaClaim)
      assert.ok(isUuid(claim.id))
    })
  })
}
