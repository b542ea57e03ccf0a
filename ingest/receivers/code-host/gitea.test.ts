import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { CodeHostBodies } from '../../../schemas/http/code-host.ts'
import type { Source } from '../../registry/source.ts'
import { sign, startTestEdge } from '../../testing.ts'

/**
 * Payloads in the shape that Gitea and Forgejo send, which is not GitHub's: other names, other order, no bots, dates of
 * the year 1.
 */
const account = { id: 1, login: 'maintainer', full_name: '', email: 'maintainer@example.com', username: 'maintainer' }
const repository = {
  id: 140,
  owner: account,
  name: 'webhooks',
  full_name: 'team/webhooks',
  html_url: 'https://code.example.com/team/webhooks',
  default_branch: 'main',
  created_at: '2024-02-26T04:29:06Z',
  updated_at: '2024-03-01T08:00:00Z',
}
const commit = (id: string, message: string, timestamp: string) => ({
  id,
  message,
  url: `${repository.html_url}/commit/${id}`,
  author: { name: 'Maintainer', email: account.email, username: account.login },
  committer: { name: 'Maintainer', email: account.email, username: account.login },
  verification: null,
  timestamp,
  added: ['README.md'],
  removed: [],
  modified: [],
})
const newest = commit('c3', 'Say it in the manual\n', '2024-03-01T10:00:00+02:00')
const push = {
  ref: 'refs/heads/develop',
  before: 'a1',
  after: 'c3',
  compare_url: `${repository.html_url}/compare/a1...c3`,
  // The newest first, and only as many as the host shows.
  commits: [newest, commit('b2', 'Fix the export\n', '2024-03-01T09:00:00+02:00')],
  total_commits: 7,
  head_commit: newest,
  repository,
  pusher: account,
  sender: account,
}
const deletion = {
  ...push,
  after: '0000000000000000000000000000000000000000',
  commits: null,
  total_commits: 0,
  head_commit: null,
}
const pullRequest = (action: string, more: object = {}) => ({
  action,
  number: 12,
  pull_request: {
    id: 90,
    url: `${repository.html_url}/pulls/12`,
    number: 12,
    user: account,
    title: 'Export in pages',
    body: '',
    html_url: `${repository.html_url}/pulls/12`,
    state: 'open',
    merged: false,
    merged_at: null,
    base: { label: 'main', ref: 'main', sha: 'a1', repo_id: 140, repo: repository },
    head: { label: 'sol-12-export', ref: 'sol-12-export', sha: 'c3', repo_id: 140, repo: repository },
    created_at: '2024-03-01T08:00:00Z',
    updated_at: '2024-03-01T08:30:00Z',
    closed_at: null,
    ...more,
  },
  requested_reviewer: null,
  repository,
  sender: account,
  commit_id: '',
  review: null,
})
const release = (action: string) => ({
  action,
  release: {
    id: 5,
    tag_name: 'v1.2',
    target_commitish: 'main',
    name: '',
    body: 'Exports come in pages.',
    url: `${repository.html_url}/releases/5`,
    html_url: `${repository.html_url}/releases/tag/v1.2`,
    draft: false,
    prerelease: true,
    created_at: '2024-03-02T08:00:00Z',
    published_at: '2024-03-02T08:00:00Z',
    author: account,
    assets: [],
  },
  repository,
  sender: account,
})

/** The headers each host sends beside the signature: Forgejo's are its own, then Gitea's, Gogs' and GitHub's. */
const HEADERS = {
  gitea: ['gitea', 'gogs', 'github'],
  forgejo: ['forgejo', 'gitea', 'gogs', 'github'],
} as const

for (const host of ['gitea', 'forgejo'] as const) {
  describe(`the ${host} webhook`, () => {
    let edge: Awaited<ReturnType<typeof startTestEdge>>
    let source: Source
    let deliveries = 0

    before(async () => {
      edge = await startTestEdge()
    })
    beforeEach(() => {
      source = edge.sources.add({ kind: 'code_host', codeHost: host })
      edge.log.appends.length = 0
    })
    after(() => edge.stop())

    const named = (event: string, delivery: string, prefixes: readonly string[] = HEADERS[host]) =>
      Object.fromEntries(
        prefixes.flatMap(prefix => [
          [`x-${prefix}-event`, event],
          [`x-${prefix}-delivery`, delivery],
        ]),
      )

    const post = async (headers: Record<string, string>, body: string, path: string = host) => {
      const response = await fetch(`${edge.url}/api/webhooks/${path}/${source.id}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-hub-signature-256': sign(body), ...headers },
        body,
      })
      const answer = (await response.json()) as Record<string, unknown> & { snippet_id?: string }
      return { status: response.status, answer }
    }

    const deliver = <E extends keyof CodeHostBodies>(event: E, payload: unknown, delivery = `d-${++deliveries}`) =>
      post(named(event, delivery), JSON.stringify(payload, null, 2))

    /** The signal that a delivery became, or null; it is an activity either way. */
    const signalOf = async <E extends keyof CodeHostBodies>(event: E, payload: unknown) => {
      edge.log.appends.length = 0
      const { status, answer } = await deliver(event, payload)
      assert.equal(status, 200, JSON.stringify(answer))
      const [signal] = await edge.signals()
      assert.deepEqual(answer, { ok: true, event, ...(signal && { snippet_id: signal.signal_id }) })
      const [activity, ...more] = await edge.activities()
      assert.deepEqual([activity?.outcome, activity?.source, more.length], [event, host, 0])
      return signal ? (JSON.parse(signal.received?.body ?? '') as CodeHostBodies[E]) : null
    }

    it('makes a signal of a push: the oldest commit first, and how many there were', async () => {
      const signal = await signalOf('push', push)
      assert.deepEqual(
        signal?.commits.map(({ id }) => id),
        ['b2', 'c3'],
      )
      assert.deepEqual([signal?.commit_count, signal?.shortened], [7, true])
      assert.deepEqual([signal?.code_host, signal?.repository], [host, 'team/webhooks'])
      assert.equal(signal?.url, push.compare_url)
      assert.equal(signal?.occurred_at, Date.parse('2024-03-01T08:00:00Z'))
      assert.deepEqual(signal?.actor, { login: 'maintainer', email: account.email, bot: false })
    })

    it('takes a deleted branch, which has no commits, as an activity only', async () => {
      assert.equal(await signalOf('push', deletion), null)
    })

    it('makes a signal of a pull request that is opened, reopened or merged, and of no other action', async () => {
      for (const action of ['opened', 'reopened'] as const) {
        const signal = await signalOf('pull_request', pullRequest(action))
        assert.deepEqual([signal?.action, signal?.number, signal?.branch], [action, 12, 'sol-12-export'])
      }
      const merged = { merged: true, state: 'closed', merged_at: '2024-03-02T09:00:00Z' }
      const signal = await signalOf('pull_request', pullRequest('closed', merged))
      assert.deepEqual([signal?.action, signal?.occurred_at], ['merged', Date.parse(merged.merged_at)])
      for (const action of [
        'closed',
        'edited',
        'assigned',
        'label_updated',
        'synchronized',
        'milestoned',
        'reviewed',
      ]) {
        assert.equal(await signalOf('pull_request', pullRequest(action)), null, action)
      }
    })

    it('makes a signal of a published release, and of no other action', async () => {
      const signal = await signalOf('release', release('published'))
      assert.deepEqual([signal?.tag, signal?.name, signal?.prerelease], ['v1.2', 'v1.2', true])
      for (const action of ['updated', 'deleted'])
        assert.equal(await signalOf('release', release(action)), null, action)
    })

    it('takes what the host’s own workflows do as done by the system', async () => {
      const sender = { ...account, id: -2, login: `${host}-actions` }
      assert.equal((await signalOf('release', { ...release('published'), sender }))?.actor.bot, true)
      assert.equal((await edge.activities())[0]?.actor_role, 'system')
    })

    it('passes over times that the host leaves at the year 1', async () => {
      const blank = '0001-01-01T00:00:00Z'
      const signal = await signalOf('pull_request', pullRequest('opened', { created_at: blank, updated_at: blank }))
      assert.equal(signal?.occurred_at, null)
    })

    it('takes a form whose payload is signed, as the host does, and not one with another payload', async () => {
      const payload = JSON.stringify(push)
      const form = (text: string) => new URLSearchParams({ payload: text }).toString()
      const headers = {
        ...named('push', 'form-1'),
        'content-type': 'application/x-www-form-urlencoded',
        'x-hub-signature-256': sign(payload),
      }
      assert.equal((await post(headers, form(payload))).status, 200)
      assert.equal((await post(headers, form(`${payload} `))).status, 401)
      assert.equal((await post(headers, `${form(payload)}&other=1`)).status, 200)
      assert.equal((await post(headers, 'other=1')).status, 401)
      assert.equal((await post({ ...headers, 'x-hub-signature-256': sign('other=1') }, 'other=1')).status, 400)
    })

    it('lets the host’s own headers win, and takes GitHub’s where these are missing', async () => {
      const body = JSON.stringify(push)
      const own = await post({ ...named('star', 'd'), [`x-${host}-event`]: 'push' }, body)
      assert.equal(own.answer.event, 'push')
      const github = await post(named('push', 'only-github', ['github']), body)
      assert.equal(github.answer.event, 'push')
      assert.equal(typeof github.answer.snippet_id, 'string')
      const none = await post({}, body)
      assert.equal(none.status, 400)
      assert.match(String(none.answer.detail), new RegExp(`X-${host}-Event`, 'i'))
    })

    it('answers a redelivery with the same snippet_id', async () => {
      const [first, second] = [await deliver('push', push, 'again'), await deliver('push', push, 'again')]
      assert.equal(first.answer.snippet_id, second.answer.snippet_id)
    })

    it('ignores every event that is none of the four', async () => {
      for (const event of ['ping', 'create', 'issues', 'pull_request_approved', 'repository', 'wiki']) {
        const { status, answer } = await post(named(event, `d-${event}`), '{}')
        assert.deepEqual({ status, answer }, { status: 200, answer: { ok: true, event, ignored: true } })
      }
      assert.equal(edge.log.appends.length, 0)
    })

    it('is not the door of another host’s source', async () => {
      const other = host === 'gitea' ? 'forgejo' : 'github'
      assert.equal((await post(named('push', 'd'), JSON.stringify(push), other)).status, 404)
    })
  })
}
