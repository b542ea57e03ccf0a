import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Workspace } from '../operations/testing.ts'
import { type ActivityKit, startOperationsWithActivity } from '../operations/testing-activity.ts'
import { tools } from '../tools/index.ts'
import { runTask } from './run.ts'
import { seededWorkspace } from './story/seed.ts'
import { lookup, orient, refused, type Task } from './task.ts'
import { tasks } from './tasks/index.ts'

const all = Object.values(tasks).flat()

let kit: ActivityKit

before(async () => {
  kit = await startOperationsWithActivity()
})
after(() => kit.stop())

const onlyReads = ({ calls }: Task): boolean =>
  calls.every(({ tool, input }) => {
    const mode = tools.find(({ name }) => name === tool)?.modes[String(input.mode)]
    // What is no mode is refused, and writes nothing.
    return mode === undefined || mode.effect === 'read'
  })

/** Tasks that only read share a workspace with activity and one without; each of the others has one of its own. */
const shared = new Map<boolean, Promise<Workspace>>()
const workspaceFor = (task: Task): Promise<Workspace> => {
  const activity = task.activity === true
  if (!onlyReads(task)) return seededWorkspace(kit, activity)
  const made = shared.get(activity) ?? seededWorkspace(kit, activity)
  shared.set(activity, made)
  return made
}

for (const [theme, ofTheme] of Object.entries(tasks)) {
  for (const task of ofTheme) {
    test(`${theme}: ${task.wants}`, async t => {
      const calls = task.calls.map(({ tool, input, refused: wrong }) => `${tool} ${input.mode}${wrong ? ' ✗' : ''}`)
      t.diagnostic(`${calls.length} calls: ${calls.join(', ')}${task.slip === undefined ? '' : `. ${task.slip}`}`)
      const tokens = await runTask(await workspaceFor(task), task)
      t.diagnostic(`${tokens.join(' + ')} tokens of answers`)
    })
  }
}

test('there are tasks enough, many begin with a wrong call, and no two want the same', t => {
  const wrong = all.filter(({ calls }) => calls[0]?.refused)
  t.diagnostic(`${all.length} tasks, ${wrong.length} of them begin with a wrong call`)
  assert.ok(all.length >= 48)
  assert.ok(wrong.length >= 12)
  assert.equal(new Set(all.map(({ wants }) => wants)).size, all.length)
})

test('every mode of every tool is what some task needs', () => {
  const right = all.flatMap(({ calls }) => calls.filter(call => !call.refused))
  const needed = new Set(right.map(({ tool, input }) => `${tool} ${input.mode}`))
  const idle = tools.flatMap(({ name, modes }) =>
    Object.keys(modes)
      .map(mode => `${name} ${mode}`)
      .filter(mode => !needed.has(mode)),
  )
  assert.deepEqual(idle, [])
})

/** Tasks that are wrong in one thing, and what is said of each. */
const WRONG: readonly (readonly [says: RegExp, task: Omit<Task, 'wants'>])[] = [
  [/takes 5 calls/, { calls: [1, 2, 3, 4, 5].map(() => orient('snapshot')), holds: [] }],
  [/was refused/, { calls: [lookup('get_claim')], holds: [] }],
  [/was not refused/, { calls: [refused(orient('snapshot')), orient('roadmap')], holds: [] }],
  [/is refused, so nothing was reached/, { calls: [refused(lookup('get_claim'))], holds: [] }],
  [/does not name service_orient mode roadmap/, { calls: [refused(lookup('x')), orient('roadmap')], holds: [] }],
  [/what nobody told the agent/, { calls: [lookup('claim', { id: 'CLM-1' })], holds: [] }],
  [/is not of a tool/, { calls: [{ tool: 'lookup_backlog', input: {} }], holds: [] }],
  [
    /answered nothing at data\.none/,
    { calls: [orient('roadmap'), lookup('claim', { id: '{1.data.none}' })], holds: [] },
  ],
  [/data\.count of answer 1 is 3/, { calls: [orient('roadmap')], holds: [{ answer: 1, path: 'data.count', is: 4 }] }],
  [/too few/, { calls: [orient('roadmap')], holds: [{ answer: 1, path: 'data.items', atLeast: 4 }] }],
  [
    /without "SOL-1"/,
    { calls: [orient('roadmap')], holds: [{ answer: 1, path: 'data.items.*.reference', includes: 'SOL-1' }] },
  ],
]

test(`a task fails that is wrong in one of ${WRONG.length} ways`, async () => {
  const workspace = await workspaceFor({ wants: 'Something.', calls: [], holds: [] })
  for (const [says, task] of WRONG) await assert.rejects(runTask(workspace, { wants: 'Something.', ...task }), says)
})
