import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { failsWith, type OperationsKit, startOperations, type Workspace } from '../testing.ts'

let kit: OperationsKit
let workspace: Workspace

before(async () => {
  kit = await startOperations()
})
after(() => kit.stop())
beforeEach(async () => {
  workspace = await kit.workspace()
  for (const title of ['One', 'Two', 'Three', 'Four']) {
    await workspace.inApp('create_solution', { title, comment: 'Agreed.' })
  }
})

/** Versions as they were created. */
const rank = (references: readonly string[], manual_rank: number, more: object = {}) =>
  workspace.inApp('rank_solutions', {
    solutions: references.map(solution_id => ({ solution_id, version: 1 })),
    manual_rank,
    comment: 'In this order.',
    ...more,
  })

const board = async (): Promise<string[]> => {
  const { data } = await workspace.inApp('lookup_backlog')
  return data.items.map(
    ({ reference, manual_rank }: { reference: string; manual_rank: number | null }) => `${reference} ${manual_rank}`,
  )
}

describe('rank_solutions', () => {
  it('gives ranks that follow each other, in one Decision that can be reversed', async () => {
    const { data } = await rank(['SOL-3', 'SOL-1'], 1)
    assert.deepEqual(
      data.items.map((item: { reference: string; manual_rank: number }) => [item.reference, item.manual_rank]),
      [
        ['SOL-3', 1],
        ['SOL-1', 2],
      ],
    )
    assert.deepEqual(await board(), ['SOL-3 1', 'SOL-1 2', 'SOL-2 null', 'SOL-4 null'])
    await workspace.inApp('reverse_decision', { decision_id: data.decision.reference })
    assert.deepEqual(await board(), ['SOL-1 null', 'SOL-2 null', 'SOL-3 null', 'SOL-4 null'])
  })

  it('moves those at these ranks and behind back, by as many as are ranked', async () => {
    await rank(['SOL-1', 'SOL-2'], 1)
    await rank(['SOL-4', 'SOL-3'], 2)
    assert.deepEqual(await board(), ['SOL-1 1', 'SOL-4 2', 'SOL-3 3', 'SOL-2 4'])
  })

  it('leaves those behind where they are when their ranks stay free', async () => {
    await rank(['SOL-1'], 5)
    await rank(['SOL-2', 'SOL-3'], 2)
    assert.deepEqual(await board(), ['SOL-2 2', 'SOL-3 3', 'SOL-1 5', 'SOL-4 null'])
  })

  it('refuses all of them when one has changed since it was read', async () => {
    await workspace.inApp('update_solution', { solution_id: 'SOL-2', title: 'Two, wider', comment: 'Wider.' })
    await assert.rejects(rank(['SOL-1', 'SOL-2'], 1), failsWith('conflict', /SOL-2 has changed/))
    assert.deepEqual(await board(), ['SOL-1 null', 'SOL-2 null', 'SOL-3 null', 'SOL-4 null'])
  })

  it('refuses a Solution named twice, one that is not there, ranks that they have, and nobody’s Decision', async () => {
    await assert.rejects(rank(['SOL-1', 'SOL-1'], 1), failsWith('invalid_input', /twice/))
    await assert.rejects(rank(['SOL-1', 'SOL-99'], 1), failsWith('not_found'))
    await assert.rejects(rank(['SOL-1'], 0), failsWith('invalid_input'))
    await assert.rejects(rank([], 1), failsWith('invalid_input'))
    await assert.rejects(rank(['SOL-1'], 1, { comment: undefined }), failsWith('invalid_input', /human Decision/))
    await rank(['SOL-1'], 1)
    const again = { solutions: [{ solution_id: 'SOL-1' }], manual_rank: 1, comment: 'Again.' }
    await assert.rejects(workspace.inApp('rank_solutions', again), failsWith('invalid_input', /Nothing would change/))
  })

  it('is not for viewers', async () => {
    const input = { solutions: [{ solution_id: 'SOL-1' }], manual_rank: 1, comment: 'Me first.' }
    await assert.rejects(workspace.inApp('rank_solutions', input, 'viewer'), failsWith('forbidden'))
  })
})
