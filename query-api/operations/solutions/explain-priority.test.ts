import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
})

/** Twenty-five customers, one of whom said it twice, and one colleague. */
const arrange = async () => {
  const signals = []
  for (let customer = 0; customer < 25; customer += 1) {
    const occurredAt = new Date(kit.now.getTime() - customer * DAY_MS)
    const actor = { actorKey: `customer ${customer}`, actorName: `Customer ${customer}` }
    signals.push(await workspace.signal({ text: `It hangs, ${customer}.`, occurredAt, ...actor }))
  }
  await workspace.occurrence(signals[0]?.id ?? assert.fail(), { actorKey: 'customer 0' })
  signals.push(
    await workspace.signal({ text: 'It hangs.', origin: 'internal', actorKey: 'us', actorName: 'A colleague' }),
  )
  const claim = await workspace.claim('It hangs', signals)
  await workspace.inApp('create_solution', { title: 'Mend it', claim_ids: [claim.reference], comment: 'Agreed.' })
}

interface Term {
  readonly actor_name: string
  readonly weight: number
  readonly term: number
  readonly share: number
  readonly signals: readonly {
    readonly signal: string
    readonly signal_origin: string
    readonly signal_count: number
  }[]
}

const explain = async (input: object = {}) => {
  const { data, meta } = await workspace.inApp('explain_priority', { solution_id: 'SOL-1', ...input })
  // As `Term` of the operation has it.
  return { data, terms: data.items as Term[], next: meta.next_cursor as string | null }
}

const sum = (terms: readonly Term[], of: 'term' | 'share'): number => terms.reduce((sum, term) => sum + term[of], 0)

describe('explain_priority', () => {
  it('tells every actor’s term and share, page by page, and they add up to the priority', async () => {
    await arrange()
    const all: Term[] = []
    let cursor: string | null = null
    let pages = 0
    do {
      const page = await explain({ limit: 10, ...(cursor !== null && { cursor }) })
      all.push(...page.terms)
      cursor = page.next
      pages += 1
    } while (cursor !== null)
    const { data } = await explain()
    assert.deepEqual([pages, all.length, data.count, data.signals], [3, 26, 26, 27])
    assert.ok(Math.abs(sum(all, 'term') - data.evidence_priority) < 1e-9)
    assert.ok(Math.abs(sum(all, 'share') - 1) < 1e-9)
    assert.deepEqual(
      all.map(({ term }) => term),
      all.map(({ term }) => term).toSorted((one, other) => other - one),
    )
    assert.deepEqual([all[0]?.signals[0]?.signal, all[0]?.signals[0]?.signal_count], ['SIG-1', 2])
    assert.ok(all.every(({ weight, term }) => Math.abs(term - Math.log(1 + weight)) < 1e-9))
    const colleague = all.find(({ actor_name }) => actor_name === 'A colleague')
    assert.deepEqual([colleague?.signals[0]?.signal_origin, colleague?.weight.toFixed(3)], ['internal', '0.400'])
  })

  it('goes on as of the moment of the first page', async () => {
    await arrange()
    const first = await explain({ limit: 20 })
    const before = kit.now
    kit.now = new Date(before.getTime() + 90 * DAY_MS)
    try {
      const second = await explain({ limit: 20, cursor: first.next })
      assert.equal(second.data.at, first.data.at)
      assert.equal(second.data.evidence_priority, first.data.evidence_priority)
    } finally {
      kit.now = before
    }
  })

  it('tells of a Solution without evidence that it has none', async () => {
    await workspace.inApp('create_solution', { title: 'Nobody asked', comment: 'Agreed.' })
    const { data, next } = await explain()
    assert.deepEqual([data.count, data.evidence_priority, data.items, next], [0, 0, [], null])
  })

  it('refuses what is no Solution, and a cursor of another list', async () => {
    await workspace.inApp('create_solution', { title: 'Mend it', comment: 'Agreed.' })
    await assert.rejects(explain({ solution_id: 'SOL-9' }), failsWith('not_found'))
    await assert.rejects(explain({ cursor: 'bm90IGEgY3Vyc29y' }), failsWith('invalid_input'))
  })

  it('is for viewers too', async () => {
    await workspace.inApp('create_solution', { title: 'Mend it', comment: 'Agreed.' })
    const { data } = await workspace.inApp('explain_priority', { solution_id: 'SOL-1' }, 'viewer')
    assert.equal(data.reference, 'SOL-1')
  })
})
