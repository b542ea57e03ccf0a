import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  for (const title of ['First', 'Second', 'Third', 'Fourth'])
    await workspace.call('service_decide', 'create_solution', { title, comment: 'Decided.' })
  await workspace.call('service_decide', 'update_solution', {
    solution_id: 'SOL-4',
    state: 'Planned',
    comment: 'Decided.',
  })
})
after(() => kit.stop())

interface Board {
  readonly data: {
    readonly count: number
    readonly columns: readonly { readonly state: string; readonly count: number; readonly next_cursor: string | null }[]
    readonly items: readonly { readonly reference: string; readonly state: string }[]
  }
  readonly meta: { readonly next_cursor: string | null }
}

const board = async (input: object): Promise<Board> => workspace.inApp('list_board', input, 'viewer')
const referencesOf = ({ data }: Board) => data.items.map(({ reference }) => reference)

test('every column of the board comes in one answer, each with its count, its first page and where it goes on', async () => {
  const { data, meta } = await board({ limit: 2 })
  assert.deepEqual(
    data.columns.map(({ state, count, next_cursor }) => [state, count, next_cursor !== null]),
    [
      ['Backlog', 3, true],
      ['Planned', 1, false],
      ['In Progress', 0, false],
      ['In Review', 0, false],
      ['Done', 0, false],
      ['Dropped', 0, false],
    ],
  )
  assert.deepEqual(
    data.items.map(({ reference, state }) => `${state}: ${reference}`),
    ['Backlog: SOL-1', 'Backlog: SOL-2', 'Planned: SOL-4'],
  )
  assert.equal(data.count, 4)
  assert.equal(meta.next_cursor, null)
})

test('a column goes on by its own cursor, whichever answer that came with', async () => {
  const ofAll = (await board({ limit: 2 })).data.columns[0]?.next_cursor
  const first = await board({ state: 'Backlog', limit: 2 })
  assert.deepEqual(referencesOf(first), ['SOL-1', 'SOL-2'])
  for (const cursor of [ofAll, first.meta.next_cursor]) {
    const rest = await board({ state: 'Backlog', limit: 2, cursor })
    assert.deepEqual(referencesOf(rest), ['SOL-3'])
    assert.equal(rest.meta.next_cursor, null)
    for (const other of [{}, { state: 'Planned' }])
      await assert.rejects(board({ ...other, cursor }), failsWith('invalid_input', /not one of this list/))
  }
})
