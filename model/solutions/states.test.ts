import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { SOLUTION_STATES, type SolutionState } from '../../schemas/domain/vocabulary.ts'
import { requireTransition } from './states.ts'

const allowed = (from: SolutionState): string[] =>
  SOLUTION_STATES.filter(to => {
    try {
      requireTransition(from, to, 'update_solution')
      return from !== to
    } catch (error) {
      assert.ok(isAssayError(error) && error.code === 'conflict')
      return false
    }
  })

test('update_solution makes these moves and no others', () => {
  assert.deepEqual(Object.fromEntries(SOLUTION_STATES.map(from => [from, allowed(from)])), {
    Backlog: ['Planned', 'Dropped'],
    Planned: ['Backlog', 'In Progress', 'Dropped'],
    'In Progress': ['Planned', 'Dropped'],
    'In Review': ['In Progress', 'Done', 'Dropped'],
    Done: [],
    Dropped: ['Backlog'],
  })
})

test('only a handoff enters In Review, from Planned and In Progress', () => {
  const from = SOLUTION_STATES.filter(state => {
    try {
      requireTransition(state, 'In Review', 'handoff')
      return state !== 'In Review'
    } catch {
      return false
    }
  })
  assert.deepEqual(from, ['Planned', 'In Progress'])
})

test('a refusal names the state, the moves there are and what makes them', () => {
  assert.throws(
    () => requireTransition('Planned', 'Done', 'update_solution'),
    error => {
      assert.ok(isAssayError(error))
      assert.match(
        error.publicMessage,
        /from Planned to Done\..*update_solution moves to: Backlog, In Progress, Dropped\./,
      )
      assert.match(error.publicMessage, /service_decide mode handoff moves to: In Review\./)
      assert.deepEqual(error.context, {
        state: 'Planned',
        transitions: [
          { to: 'Backlog', tool: 'service_decide', mode: 'update_solution' },
          { to: 'In Progress', tool: 'service_decide', mode: 'update_solution' },
          { to: 'In Review', tool: 'service_decide', mode: 'handoff' },
          { to: 'Dropped', tool: 'service_decide', mode: 'update_solution' },
        ],
      })
      return true
    },
  )
})
