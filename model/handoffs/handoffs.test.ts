import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import { startTestDatabase, type TestDatabase } from '../../infra/postgres/testing.ts'
import { newId, type SignalId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { NO_CUTS } from '../../schemas/events/signal.ts'
import { proposedHandoffs } from './handoffs.ts'
import { type HandoffSignal, namedInPullRequest, proposeHandoffs } from './propose-handoffs.ts'

let db: TestDatabase
let workspace: WorkspaceId
let solution: string
before(async () => {
  db = await startTestDatabase()
})
after(() => db.stop())
beforeEach(async () => {
  const [made] = await db.workspaces(1)
  assert.ok(made)
  workspace = made
  solution = await solutionOf(workspace, 12)
})

const solutionOf = async (workspaceId: WorkspaceId, number: number): Promise<string> => {
  const id = newId()
  const values = [id, workspaceId, number, 'Export in pages']
  await db.pool.query('insert into solutions (id, workspace_id, number, title) values ($1, $2, $3, $4)', values)
  return id
}

interface Pull {
  readonly title?: string
  readonly body?: string
  readonly branch?: string
  readonly state?: string
  readonly number?: number
  readonly repository?: string
  readonly at?: number
}

/** A pull request as it stands after scrub. */
const pull = ({
  title = 'Export in pages',
  body = '',
  branch = 'main',
  state = 'opened',
  number = 7,
  repository = 'octo-org/octo-repo',
  at = Date.UTC(2026, 4, 1),
}: Pull): HandoffSignal => ({
  signal_id: newId<SignalId>(),
  workspace_id: workspace,
  channel: 'code_host',
  received_at: at,
  content: {
    text: `Pull request #${number} ${state} in ${repository}: ${title}${body && `\n\n${body}`}`,
    text_hash: '',
    event: `pull_request.${state}`,
    source: `github/${repository}`,
    source_url: `https://example.com/${repository}/pull/${number}`,
    actor_name: 'engineer',
    actor_email: null,
    actor_key: null,
    signal_origin: 'internal',
    actor_role: 'engineer',
    occurred_at: at,
    metadata: JSON.stringify({ number, branch, action: state }),
    ...NO_CUTS,
  },
})

const propose = (...signals: readonly HandoffSignal[]) =>
  db.database.transaction({ role: 'assay_pipeline', workspaceIds: [workspace] }, transaction =>
    proposeHandoffs(transaction, signals),
  )

const proposed = (of = solution) =>
  db.database.transaction({ role: 'assay_app', workspaceId: workspace }, transaction =>
    proposedHandoffs(transaction, of, 10),
  )

for (const [where, said, expected] of [
  ['the title', { title: 'SOL-12: export in pages' }, [12]],
  ['the body', { body: 'Closes sol-12, see also SOL-3.' }, [12, 3]],
  ['the branch', { branch: 'feature/sol-12-export' }, [12]],
  ['several places, once', { title: 'SOL-12', branch: 'sol-12', body: 'SOL-12' }, [12]],
] as const) {
  test(`a Solution is named in ${where}`, () => {
    assert.deepEqual(namedInPullRequest(pull(said))?.solutions, expected)
  })
}

for (const [what, said] of [
  ['the tail of another word', { title: 'RESOL-12 and MYSOL-12' }],
  ['a number that goes on', { title: 'SOL-12a, SOL-1234567890' }],
  ['no number', { title: 'SOL-, SOL-0, SOL-x' }],
  ['the name of the repository', { repository: 'octo-org/sol-12' }],
] as const) {
  test(`${what} names no Solution`, () => assert.equal(namedInPullRequest(pull(said)), null))
}

test('what is no pull request of a code host names no Solution', () => {
  const named = pull({ title: 'SOL-12' })
  assert.equal(namedInPullRequest({ ...named, channel: 'webhook' }), null)
  assert.equal(namedInPullRequest({ ...named, content: { ...named.content, event: 'push' } }), null)
})

test('a pull request that names a Solution is a proposal on it, and leaves the Solution as it was', async () => {
  const signal = pull({ title: 'SOL-12: export in pages', branch: 'export' })
  await propose(signal)
  assert.deepEqual(await proposed(), [
    {
      repository: 'github/octo-org/octo-repo',
      number: 7,
      title: 'SOL-12: export in pages',
      url: 'https://example.com/octo-org/octo-repo/pull/7',
      branch: 'export',
      state: 'opened',
      signal_id: signal.signal_id,
      occurred_at: new Date(signal.received_at),
    },
  ])
  const { rows } = await db.pool.query('select state, version from solutions where id = $1', [solution])
  assert.deepEqual(rows, [{ state: 'Backlog', version: 1 }])
})

test('its merge is the same proposal, whichever of them comes first or again, in one batch or in two', async () => {
  const opened = pull({ title: 'SOL-12' })
  const merged = pull({ title: 'SOL-12', state: 'merged', at: Date.UTC(2026, 4, 3) })
  await propose(merged, opened)
  await propose(opened)
  assert.deepEqual(
    (await proposed()).map(({ state, signal_id }) => [state, signal_id]),
    [['merged', merged.signal_id]],
  )
})

test('two pull requests are two proposals; a number that nobody has is none', async () => {
  await propose(pull({ title: 'SOL-12 SOL-99' }), pull({ title: 'SOL-12', number: 8 }))
  const numbers = (await proposed()).map(({ number }) => number)
  assert.deepEqual(numbers.sort(), [7, 8])
})

test('the Solution of another workspace with the same number is not touched', async () => {
  const [other] = await db.workspaces(1)
  assert.ok(other)
  await solutionOf(other, 12)
  await propose(pull({ title: 'SOL-12' }))
  const { rows } = await db.pool.query('select workspace_id from handoff_proposals')
  assert.ok(rows.every(row => row.workspace_id !== other))
  assert.equal((await proposed()).length, 1)
})

test('a pull request with a number beyond all sense proposes nothing and fails nobody', async () => {
  await propose(pull({ title: 'SOL-12', number: 1e12 }), pull({ title: 'SOL-12', number: 9 }))
  assert.deepEqual(
    (await proposed()).map(({ number }) => number),
    [9],
  )
})
