import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

const NOW = new Date('2027-06-01T12:00:00Z')
const HOUR_MS = 3_600_000

interface Listed {
  readonly from: string
  readonly to: string
  readonly items: readonly {
    readonly kind: string
    readonly count: number
    readonly items: readonly { readonly reference: string | null; readonly title: string; readonly message: string }[]
  }[]
}

describe('What changed within a time', () => {
  let kit: OperationsKit
  let workspace: Workspace
  before(async () => {
    kit = await startOperations()
    workspace = await kit.workspace()
    // A Solution an hour; the last one just now.
    for (let hour = 9; hour >= 0; hour -= 1) {
      kit.now = new Date(NOW.getTime() - hour * HOUR_MS)
      const said = { title: `Of hour ${hour}`, comment: `Agreed at ${hour}.` }
      await workspace.call('service_decide', 'create_solution', said)
    }
  })
  after(() => kit.stop())

  const list = async (input: object = {}): Promise<{ data: Listed; meta: { next_cursor: string | null } }> =>
    workspace.inApp('list_changes', input)
  const counts = async (input: object) =>
    (await list(input)).data.items.map(({ kind, count, items }) => [kind, count, items.length])

  it('is told by kind, the first of each, and what did not change is absent', async () => {
    assert.deepEqual(await counts({}), [
      ['solutions', 10, 5],
      ['decisions', 10, 5],
    ])
    const { data } = await list()
    assert.deepEqual([data.from, data.to], ['2027-05-25T12:00:00.000Z', '2027-06-01T12:00:00.000Z'])
    assert.deepEqual(data.items[1]?.items[0], {
      at: NOW.toISOString(),
      reference: 'DEC-10',
      title: 'Agreed at 0.',
      message: 'Owner, through the key "Agent".',
    })
  })

  it('may be long past, and no more is told of it than belongs to it', async () => {
    const time = { from: '2027-06-01T05:30:00Z', to: '2027-06-01T07:30:00Z' }
    assert.deepEqual(await counts({ time }), [
      ['solutions', 2, 2],
      ['decisions', 2, 2],
    ])
    assert.deepEqual(await counts({ time: { from: '2027-06-02', to: '2027-06-03' } }), [])
    assert.deepEqual(await counts({ time: { from: '2027-05-01', to: '2027-05-02' } }), [])
  })

  it('is read page by page as of the first, whatever comes meanwhile', async () => {
    const first = await list({ kind: 'solutions', limit: 4 })
    kit.now = new Date(NOW.getTime() + 1000)
    await workspace.call('service_decide', 'create_solution', { title: 'Later', comment: 'Agreed.' })
    const second = await list({ kind: 'solutions', limit: 4, cursor: first.meta.next_cursor })
    const third = await list({ kind: 'solutions', limit: 4, cursor: second.meta.next_cursor })
    const titles = [first, second, third].flatMap(({ data }) => data.items[0]?.items.map(({ title }) => title) ?? [])
    assert.deepEqual(
      titles,
      Array.from({ length: 10 }, (_, hour) => `Of hour ${hour}`),
    )
    assert.equal(third.meta.next_cursor, null)
    kit.now = NOW
    const other = list({ kind: 'decisions', cursor: first.meta.next_cursor })
    await assert.rejects(other, failsWith('invalid_input', /cursor/))
  })

  it('refuses what is no time or no kind', async () => {
    await assert.rejects(list({ time: { from: 'yesterday' } }), failsWith('invalid_input', /time\.from/))
    await assert.rejects(list({ time: { from: '2027-06-02', to: '2027-06-01' } }), failsWith('invalid_input', /before/))
    await assert.rejects(list({ time: { granularity: 'day' } }), failsWith('invalid_input'))
    await assert.rejects(list({ kind: 'everything' }), failsWith('invalid_input', /kind/))
  })

  it('says what was removed for good, and by whom, to who only reads too', async () => {
    const { data: source } = await workspace.inApp('create_source', { kind: 'connection', name: 'Hotline' })
    await workspace.inApp('delete_source', { id: source.id })
    // The audit log has the database’s time.
    kit.now = new Date(Date.now() + HOUR_MS)
    const { data } = await workspace.inApp('list_changes', { kind: 'removals' }, 'viewer')
    kit.now = NOW
    assert.deepEqual(
      data.items.flatMap(({ items }: Listed['items'][number]) => items.map(({ title, message }) => [title, message])),
      [['Hotline', 'The source was deleted. Owner, in the app.']],
    )
  })

  it('is of the caller’s workspace alone', async () => {
    const stranger = await kit.workspace()
    assert.deepEqual((await stranger.inApp('list_changes')).data.items, [])
  })
})
