import assert from 'node:assert/strict'
import { before, describe } from 'node:test'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { CreatedSource } from '../../support/person.ts'
import { holds } from '../holds.ts'
import type { Beginning } from '../world.ts'

interface Listed {
  readonly items: readonly { readonly id: string; readonly kind: string; readonly name: string }[]
}

export const describeSourcesKept = ({ world }: Beginning): void => {
  describe('The sources of a workspace', () => {
    let named: Readonly<Record<'revenue' | 'retention', CreatedSource>>
    before(async () => {
      const create = (name: string) => world().person.call<CreatedSource>('create_source', { kind: 'metric', name })
      named = { revenue: await create('Revenue'), retention: await create('Retention') }
    })
    const listed = () => world().person.call<Listed>('list_sources')
    const idIsInUrl = ({ id, url }: CreatedSource) => {
      assert.ok(isUuid(id))
      assert.ok(url.endsWith(`/${id}`))
    }

    holds('object-7', async () => {
      await assert.rejects(world().person.call('create_source', { kind: 'signal', name: 'Another' }), /409/)
      assert.equal((await listed()).items.filter(({ kind }) => kind === 'signal').length, 1)
    })
    holds('object-8', () => {
      idIsInUrl(world().sources.signal)
      assert.ok(world().sources.signal.secret.length >= 32)
    })
    holds('object-9', async () => {
      const names = (await listed()).items.filter(({ kind }) => kind === 'metric').map(({ name }) => name)
      for (const name of ['A metric', 'Revenue', 'Retention']) assert.ok(names.includes(name), name)
    })
    holds('object-10', () => {
      const { revenue, retention } = named
      idIsInUrl(revenue)
      idIsInUrl(retention)
      assert.notEqual(revenue.id, retention.id)
    })
    holds('object-11', async () => {
      assert.ok(named.revenue.secret.length >= 32)
      assert.ok(!JSON.stringify(await listed()).includes(named.revenue.secret))
    })
    holds('object-12', () => {
      idIsInUrl(world().sources.codeHost)
      assert.ok(world().sources.codeHost.secret.length >= 32)
    })
    holds('object-13', async () => {
      const id = await world().send({ text: 'Somebody asks for an id.' })
      assert.ok(isUuid(id))
    })
    holds('object-14', async () => {
      const call = (classification: string) =>
        world().agent.call('service_lookup', { mode: 'triage', classification, limit: 1 })
      for (const kind of ['problem', 'idea', 'question', 'unclassified']) await call(kind)
      await assert.rejects(call('praise'), /must be one of problem, idea, question, unclassified/)
    })
  })
}
