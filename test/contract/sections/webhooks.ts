import assert from 'node:assert/strict'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { isUuid } from '../../../schemas/domain/ids.ts'
import type { CreatedSource } from '../../support/person.ts'
import { post, sendSignal, sign } from '../../support/sender.ts'
import { holds } from '../holds.ts'
import { deliverEvent, exampleOf, forward, sendConnected } from '../senders.ts'
import { type Beginning, EXPORTS } from '../world.ts'
import { pointOf } from './metric-body.ts'

interface Listed {
  readonly items: readonly { readonly id: string; readonly url: string | null }[]
}

interface Node {
  readonly node: { readonly metrics: readonly { readonly metric_id: string; readonly newest: { value: number } }[] }
}

/** A value that nobody writes about. */
const NEWEST = 20_707.25

export const describeWebhooks = ({ world, early }: Beginning): void => {
  describe('The inbound endpoints', () => {
    const answered = early(({ sources }) =>
      sendSignal(sources.signal, { text: 'A courier reports that the lift was out of order at noon.' }),
    )
    const mailed = early(({ baseUrl, sources }) =>
      forward(baseUrl, sources.email, { subject: 'Door code', text: 'The door code was changed on Friday.' }),
    )
    const events = ['push', 'pull_request', 'release', 'deployment'].map(event =>
      early(({ sources }) => deliverEvent(sources.codeHost, event, exampleOf(event))),
    )
    const connected = early(({ sources }) =>
      sendConnected(sources.connection, { text: 'A survey says that the waiting room is cold.' }),
    )
    // A point of the future is the newest, whatever else comes.
    const measured = early(({ measure }) =>
      measure({ value: NEWEST, date: new Date(Date.now() + 3_600_000).toISOString() }),
    )

    const arrives = async (at: number) => {
      const { status, body } = events[at]?.() ?? assert.fail()
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal((await world().signal(String(body.snippet_id))).channel, 'code_host')
    }
    const pathOf = ({ url }: CreatedSource) => new URL(url).pathname

    holds('webhook-1', async () => {
      const { baseUrl, sources } = world()
      const urls = [...Object.values(sources).flatMap(({ url }) => url ?? []), `${baseUrl}/api/webhooks/email-ingest`]
      const answers = await Promise.all(
        urls.flatMap(url => ['GET', 'PUT', 'DELETE'].map(method => fetch(url, { method }))),
      )
      assert.equal(answers.length, 15)
      assert.ok(answers.every(({ status, headers }) => status === 405 && headers.get('allow') === 'POST'))
    })
    holds('webhook-2', () => {
      const { signal } = world().sources
      assert.equal(pathOf(signal), `/api/webhooks/custom/${signal.id}`)
    })
    holds('webhook-3', async () => {
      const { signal } = world().sources
      const body = JSON.stringify({ text: 'Sent as a form.' })
      const headers = { 'x-service-signature': sign(signal.secret, body), 'content-type': 'text/plain' }
      assert.equal((await post(signal.url, body, headers)).status, 415)
    })
    holds('webhook-4', () => {
      const { status, body, headers } = answered()
      assert.equal(status, 200)
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.deepEqual(Object.keys(body).toSorted(), ['ok', 'snippet_id'])
      assert.equal(body.ok, true)
      assert.ok(isUuid(String(body.snippet_id)))
    })
    holds('webhook-5', async () => {
      const signal = await world().signal(String(answered().body.snippet_id))
      assert.deepEqual([signal.state, signal.channel], ['triage', 'webhook'])
    })
    holds('webhook-6', () => {
      const { metric } = world().sources
      assert.equal(pathOf(metric), `/api/webhooks/metric/${metric.id}`)
    })
    holds('webhook-7', async () => {
      assert.equal(measured().status, 200)
      await eventually('the node shows the newest point', async () => {
        const { data } = await world().agent.call<Node>('service_lookup', { mode: 'node', id: EXPORTS })
        return data.node.metrics[0]?.newest.value === NEWEST
      })
    })
    holds('webhook-8', async () => {
      await pointOf(world(), NEWEST)
      const { items } = await world().person.call<{ items: { text: string }[] }>('list_signals', { limit: 200 })
      assert.ok(items.length > 0)
      assert.ok(!items.some(({ text }) => text.includes(String(NEWEST))))
    })
    holds('webhook-9', async () => {
      const signal = await world().signal(mailed())
      assert.deepEqual([signal.channel, signal.state], ['email', 'triage'])
    })
    holds('webhook-10', async () => {
      assert.match((await world().signal(mailed())).text, /door code was changed/)
      assert.match(world().sources.email.address ?? '', /^\S+@in\.assay\.test$/)
    })
    holds('webhook-11', () => {
      const { codeHost } = world().sources
      assert.equal(pathOf(codeHost), `/api/webhooks/github/${codeHost.id}`)
    })
    holds('webhook-12', () => arrives(0))
    holds('webhook-13', () => arrives(1))
    holds('webhook-14', () => arrives(2))
    holds('webhook-15', () => arrives(3))
    holds('webhook-16', async () => {
      const { items } = await world().person.call<Listed>('list_sources')
      for (const { id, url } of Object.values(world().sources)) {
        assert.equal(items.find(item => item.id === id)?.url ?? null, url ?? null)
      }
    })
    holds('webhook-17', async () => {
      const { connection } = world().sources
      assert.equal(pathOf(connection), `/api/webhooks/connections/${connection.id}`)
      const { status, body } = connected()
      assert.equal(status, 200, JSON.stringify(body))
      assert.equal((await world().signal(String(body.snippet_id))).state, 'triage')
    })
  })
}
