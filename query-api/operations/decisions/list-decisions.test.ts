import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { type OperationsKit, startOperations, type Workspace } from '../testing.ts'

interface Listed {
  readonly count: number
  readonly left_out: number
  readonly items: readonly { readonly text: string }[]
}

describe('The list of Decisions', () => {
  let kit: OperationsKit
  let workspace: Workspace
  before(async () => {
    kit = await startOperations()
  })
  after(() => kit.stop())
  beforeEach(async () => {
    workspace = await kit.workspace()
  })

  const list = async (input: object = {}): Promise<Listed> => (await workspace.inApp('list_decisions', input)).data
  const textsOf = async (input: object = {}) => (await list(input)).items.map(({ text }) => text)
  const decide = async (operation: string, input: object) => (await workspace.inApp(operation, input)).data
  const signalOf = async (text: string) => (await workspace.signal({ text, actorKey: text })).id

  it('leaves out what is decided many times a day, says how much, and lists it when asked', async () => {
    const comment = 'Everyday work.'
    const [one, two, three] = await Promise.all(['Exports hang.', 'Blank login.', 'Dark mode?'].map(signalOf))
    await decide('triage', { action: 'accept', signal_id: one, comment })
    await decide('triage', { action: 'dismiss', signal_id: two, comment })
    await decide('triage', { action: 'undo', signal_id: two, comment })
    await decide('triage', { action: 'promote', signal_id: three, kind: 'problem', comment })
    const solution = await decide('create_solution', { title: 'Faster exports', comment: 'It is wanted.' })
    const { reference } = solution.solution
    await decide('edit_living_document', { solution_id: reference, markdown: '# Plan', comment })
    await decide('log_decision', { statement: 'We go on.' })
    await decide('update_solution', { solution_id: reference, state: 'Planned', comment: 'It comes first.' })
    assert.deepEqual(await textsOf(), ['It comes first.', 'We go on.', 'It is wanted.'])
    const { count, left_out } = await list()
    assert.deepEqual([count, left_out], [3, 5])
    const all = await list({ routine: true })
    assert.deepEqual([all.count, all.left_out, all.items.length], [8, 0, 8])
  })

  it('names what each is about by its title, as far as its words name it', async () => {
    const one = await workspace.signal({ text: 'Exports hang.' })
    const [claim, other] = [await workspace.claim('Exports hang', [one]), await workspace.claim('Exports stop')]
    const comment = `Wanted for ${claim.reference}.`
    await decide('create_solution', { title: 'Faster exports', claim_ids: [claim.reference, other.reference], comment })
    const { items } = (await workspace.inApp('list_decisions', {})).data
    assert.deepEqual(items[0].named, [{ reference: 'SOL-1', title: 'Faster exports' }])
    await decide('merge_claims', { claim_id: other.reference, into_claim_id: claim.reference })
    const { data } = await workspace.inApp('list_decisions', {})
    const titles = data.items[0].named.map(({ title }: { readonly title: string }) => title)
    assert.deepEqual(titles.toSorted(), ['Exports hang', 'Exports stop'])
  })

  it('counts one that more hangs on later for what it is by then', async () => {
    const { solution } = await decide('create_solution', { title: 'Faster exports', comment: 'It is wanted.' })
    const { decision } = await decide('edit_living_document', {
      solution_id: solution.reference,
      markdown: '# Plan',
      comment: 'The plan.',
    })
    assert.deepEqual(await textsOf(), ['It is wanted.'])
    await decide('update_solution', { solution_id: solution.reference, state: 'Planned', decision_id: decision.id })
    assert.deepEqual(await textsOf(), ['The plan.', 'It is wanted.'])
  })

  it('finds words in any case, who decided, and references, as they are written', async () => {
    for (const statement of ['Ship 100% of it.', 'Ship the export.', 'Wait.'])
      await decide('log_decision', { statement })
    assert.deepEqual(await textsOf({ text: ' SHIP ' }), ['Ship the export.', 'Ship 100% of it.'])
    assert.deepEqual(await textsOf({ text: '100%' }), ['Ship 100% of it.'])
    assert.deepEqual(await textsOf({ text: 'dec-3' }), ['Wait.'])
    assert.equal((await list({ text: workspace.caller.userName })).count, 3)
    assert.deepEqual(await textsOf({ text: 'nothing' }), [])
  })
})
