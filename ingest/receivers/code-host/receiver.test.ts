import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { after, before, beforeEach, describe, it } from 'node:test'
import { sign as signAsGitHub } from '@octokit/webhooks-methods'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { CodeHostBodies } from '../../../schemas/http/code-host.ts'
import type { Source } from '../../registry/source.ts'
import { sign, startTestEdge } from '../../testing.ts'

interface Example {
  readonly action?: string
  readonly [field: string]: unknown
}
const SETS = ['api.github.com', 'ghes-31', 'ghes-32', 'ghes-33', 'ghes-34', 'ghes-35']
const require = createRequire(import.meta.url)

/** GitHub's published example payloads, of every action. */
const examples = (event: string): readonly Example[] =>
  SETS.flatMap(set => {
    // The package's types cover its main file alone; every set has this shape.
    const events = require(`@octokit/webhooks-examples/${set}/index.json`) as { name: string; examples: Example[] }[]
    return events.find(({ name }) => name === event)?.examples ?? []
  })

describe('the GitHub webhook', () => {
  let edge: Awaited<ReturnType<typeof startTestEdge>>
  let source: Source
  let deliveries = 0

  before(async () => {
    edge = await startTestEdge()
  })
  beforeEach(() => {
    source = edge.sources.add({ kind: 'code_host', codeHost: 'github' })
    edge.log.appends.length = 0
  })
  after(() => edge.stop())

  const deliver = async (event: string, body: string, headers: Record<string, string> = {}) => {
    const response = await fetch(`${edge.url}/api/webhooks/github/${source.id}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-github-event': event,
        'x-github-delivery': `delivery-${++deliveries}`,
        'x-hub-signature-256': await signAsGitHub('a-shared-secret', body),
        ...headers,
      },
      body,
    })
    const answer = (await response.json()) as Record<string, unknown> & { snippet_id?: string }
    return { status: response.status, answer }
  }

  /**
   * What was appended since the last delivery, an array of activities for each append; what was refused is told in one
   * of its own, some seconds later.
   */
  const appendedActivities = async () => {
    const appends = await Promise.all(edge.log.appends.map(records => edge.activities(records)))
    return appends.filter(([first]) => first?.kind !== 'source.refused')
  }

  /** Delivers an example; answers the signal it became, or null. Its activity is checked on the way. */
  const deliverExample = async <E extends keyof CodeHostBodies>(event: E, payload: Example) => {
    edge.log.appends.length = 0
    const { status, answer } = await deliver(event, JSON.stringify(payload))
    assert.equal(status, 200, JSON.stringify(answer))
    const [signal, ...more] = await edge.signals()
    const appends = await appendedActivities()
    const activities = appends.flat()
    assert.deepEqual(answer, { ok: true, event, ...(signal && { snippet_id: signal.signal_id }) })
    assert.equal(more.length, 0)
    assert.equal(appends.length, 1, 'the signal and its activity are one append')
    assert.equal(activities.length, 1)
    assert.equal(activities[0]?.kind, 'code_host.event')
    assert.equal(activities[0]?.outcome, event)
    assert.equal(activities[0]?.subject_id, signal?.signal_id ?? '')
    assert.equal(activities[0]?.workspace_id, source.workspaceId)
    assert.equal(activities[0]?.signal_origin, event === 'deployment' ? 'operational' : 'internal')
    const sender = payload.sender as { login: string; type: string } | undefined
    assert.equal(activities[0]?.actor_role, sender?.type === 'Bot' ? 'system' : 'engineer')
    if (!signal) return null
    assert.equal(signal.channel, 'code_host')
    assert.equal(signal.received?.format, event)
    return JSON.parse(signal.received?.body ?? '') as CodeHostBodies[E]
  }

  it('makes a signal of every push that says something, with its commits’ messages', async () => {
    for (const example of examples('push')) {
      const commits = example.commits as { message: string }[]
      const said =
        commits.length > 0 ? commits : example.head_commit ? [example.head_commit as { message: string }] : []
      const signal = await deliverExample('push', example)
      assert.deepEqual(
        signal?.commits.map(commit => commit.message) ?? [],
        said.map(commit => commit.message),
      )
      if (signal) assert.equal(signal.ref, example.ref)
    }
  })

  it('makes a signal of a pull request that is opened, reopened or merged, and an activity of every other action', async () => {
    const seen = new Set<string>()
    for (const example of examples('pull_request')) {
      const signal = await deliverExample('pull_request', example)
      const { merged, title } = example.pull_request as { merged: boolean; title: string }
      const expected = example.action === 'closed' && merged ? 'merged' : example.action
      seen.add(String(expected))
      assert.equal(signal !== null, ['opened', 'reopened', 'merged'].includes(String(expected)), expected)
      if (signal) assert.deepEqual([signal.action, signal.title], [expected, title])
    }
    for (const action of ['opened', 'reopened', 'closed', 'labeled', 'synchronize']) assert.ok(seen.has(action), action)
  })

  it('makes a signal of a merged pull request, with the branch it comes from', async () => {
    const [closed] = examples('pull_request').filter(({ action }) => action === 'closed')
    const pull = { ...(closed?.pull_request as object), merged: true, merged_at: '2024-05-01T10:00:00Z' }
    const signal = await deliverExample('pull_request', { ...closed, pull_request: pull })
    assert.equal(signal?.action, 'merged')
    assert.equal(signal?.occurred_at, Date.parse('2024-05-01T10:00:00Z'))
    assert.equal(signal?.branch, 'changes')
    assert.equal(signal?.base, 'master')
  })

  it('makes a signal of a published release only, so that one release is one signal', async () => {
    for (const example of examples('release')) {
      const signal = await deliverExample('release', example)
      assert.equal(signal !== null, example.action === 'published', example.action)
    }
  })

  it('makes a signal of every deployment', async () => {
    for (const example of examples('deployment')) {
      const signal = await deliverExample('deployment', example)
      assert.equal(signal?.environment, (example.deployment as { environment: string }).environment)
    }
  })

  it('ignores ping and every event that is none of the four, and stores nothing of them', async () => {
    for (const event of ['ping', 'issues', 'star', 'constructor']) {
      const { status, answer } = await deliver(event, '{"zen":"Keep it logically awesome."}')
      assert.equal(status, 200)
      assert.deepEqual(answer, { ok: true, event, ignored: true })
    }
    assert.deepEqual(await appendedActivities(), [])
  })

  it('takes a payload sent as a form, signed as it was sent', async () => {
    const [push] = examples('push').filter(example => example.head_commit)
    const body = `payload=${encodeURIComponent(JSON.stringify(push))}`
    const { status, answer } = await deliver('push', body, { 'content-type': 'application/x-www-form-urlencoded' })
    assert.equal(status, 200)
    assert.equal(typeof answer.snippet_id, 'string')
    const without = await deliver('push', 'other=1', { 'content-type': 'application/x-www-form-urlencoded' })
    assert.equal(without.status, 400)
  })

  it('answers a redelivery with the same snippet_id and stores the same event', async () => {
    const [deployment] = examples('deployment')
    const body = JSON.stringify(deployment)
    const first = await deliver('deployment', body, { 'x-github-delivery': 'again' })
    const second = await deliver('deployment', body, { 'x-github-delivery': 'again' })
    assert.equal(first.answer.snippet_id, second.answer.snippet_id)
    const [one, two] = (await appendedActivities()).flat()
    assert.equal(one?.event_id, two?.event_id)
    assert.equal(one?.happened_at, two?.happened_at)
  })

  it('refuses another secret’s signature and a missing event name', async () => {
    const forged = await deliver('push', '{}', { 'x-hub-signature-256': sign('{}', 'another') })
    assert.equal(forged.status, 401)
    assert.match(String(forged.answer.detail), /X-Hub-Signature-256/)
    assert.equal((await deliver('', '{}')).status, 400)
  })

  it('answers 422 to a payload without the parts that matter', async () => {
    const { status, answer } = await deliver('pull_request', '{"action":"opened"}')
    assert.equal(status, 422)
    const pointers = (answer.violations as { pointer: string }[]).map(violation => violation.pointer)
    assert.deepEqual(pointers.sort(), ['/pull_request', '/repository'])
  })

  it('keeps a large event small: what does not fit is left out and said to be', async () => {
    const [push] = examples('push').filter(example => (example.commits as []).length > 0)
    const message = '😀'.repeat(1_000)
    const commits = Array.from({ length: 2_000 }, (_, number) => ({
      id: String(number),
      message,
      padding: 'x'.repeat(8_000),
    }))
    const signal = await deliverExample('push', { ...push, commits })
    assert.ok(signal)
    assert.equal(signal.commit_count, 2_000)
    assert.equal(signal.shortened, true)
    const codePoints = signal.commits.reduce((sum, commit) => sum + [...commit.message].length, 0)
    assert.ok(codePoints <= 50_000 && codePoints > 40_000)
    assert.ok(edge.log.records().every(record => record.value.byteLength < 900_000))
  })

  it('answers 413 to more than 25 MiB', async () => {
    const { status } = await deliver('push', 'x'.repeat(25 * 1024 * 1024 + 1))
    assert.equal(status, 413)
  })

  it('takes what a bot did as done by the system', async () => {
    const [deployment] = examples('deployment')
    const sender = { ...(deployment?.sender as object), login: 'renovate[bot]', type: 'Bot' }
    const signal = await deliverExample('deployment', { ...deployment, sender })
    assert.equal(signal?.actor.bot, true)
    await eventually(
      'the activity says so',
      async () => (await appendedActivities()).flat()[0]?.actor_role === 'system',
    )
  })
})
