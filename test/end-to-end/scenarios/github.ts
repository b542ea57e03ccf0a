import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sign } from '@octokit/webhooks-methods'
import { eventually } from '../../../infra/runtime/testing.ts'
import { type ActivityAnswer, type Agent, agentOf } from '../../support/agent.ts'
import { examplesOf } from '../../support/github-examples.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, type Person, signUp } from '../../support/person.ts'
import { post } from '../../support/sender.ts'

const EVENTS = ['push', 'pull_request', 'release', 'deployment'] as const
type EventName = (typeof EVENTS)[number]

/** As much of a published payload as tells what must become of it. */
interface Payload {
  readonly action?: string
  readonly commits?: readonly unknown[]
  readonly head_commit?: unknown
  readonly pull_request?: { readonly merged?: boolean }
}

// Each event's payload has a type of its own; this test reads three fields that some of them have.
const payloadsOf = (event: EventName): readonly Payload[] => examplesOf(event) as readonly Payload[]

/**
 * Which events are a signal: a push with commits (a tag's: the one it points to), a pull request opened, reopened or
 * merged, a published release, a deployment.
 */
const IS_SIGNAL: Readonly<Record<EventName, (payload: Payload) => boolean>> = {
  push: payload => (payload.commits ?? []).length > 0 || Boolean(payload.head_commit),
  pull_request: payload =>
    ['opened', 'reopened'].includes(payload.action ?? '') ||
    (payload.action === 'closed' && payload.pull_request?.merged === true),
  release: payload => payload.action === 'published',
  deployment: () => true,
}

interface SignalAnswer {
  readonly id: string
  readonly text: string
  readonly event: string
  readonly signal_origin: string
}

export const describeGithub = (installation: () => Installation): void => {
  describe('The published GitHub payloads, unchanged', () => {
    let person: Person
    let source: CreatedSource
    let agent: Agent
    let sent = 0

    before(async () => {
      person = await signUp(installation().baseUrl)
      source = await person.call<CreatedSource>('create_source', {
        kind: 'code_host',
        name: 'GitHub',
        code_host: 'github',
      })
      agent = await agentOf(person)
    })
    after(async () => {
      await agent?.close()
    })

    const deliver = async (event: string, payload: unknown) => {
      const body = JSON.stringify(payload)
      sent += 1
      return post(source.url, body, {
        'x-github-event': event,
        'x-github-delivery': `00000000-0000-4000-8000-${String(sent).padStart(12, '0')}`,
        'x-hub-signature-256': await sign(source.secret, body),
      })
    }

    for (const event of EVENTS) {
      it(`${event}: each payload ends where it should`, async () => {
        const payloads = payloadsOf(event)
        assert.ok(payloads.length > 0)
        for (const payload of payloads) {
          const answer = await deliver(event, payload)
          assert.equal(answer.status, 200, JSON.stringify(answer.body))
          assert.equal(answer.body.ok, true)
          assert.equal(answer.body.event, event)
          assert.equal(
            typeof answer.body.snippet_id === 'string',
            IS_SIGNAL[event](payload),
            `${event} ${payload.action ?? ''}: ${JSON.stringify(answer.body)}`,
          )
          if (answer.body.snippet_id === undefined) continue
          const signal = await eventually('the event is in Triage', async () => {
            const { data } = await agent.call<{ signal: SignalAnswer | null }>('service_lookup', {
              mode: 'signal',
              id: String(answer.body.snippet_id),
              depth: 'full',
            })
            return data.signal
          })
          assert.equal(signal.signal_origin, event === 'deployment' ? 'operational' : 'internal')
          assert.ok(signal.text.length > 0)
        }
      })
    }

    it('counts every event as activity, whether it is a signal or not', async () => {
      const expected = Object.fromEntries(EVENTS.map(event => [event, payloadsOf(event).length]))
      await eventually('all events are counted', async () => {
        const { data } = await agent.call<ActivityAnswer>('service_analyze', {
          mode: 'activity',
          metrics: ['count'],
          group_by: ['outcome'],
          // An event counts when it happened, which for these was years ago.
          time: { from: '2010-01-01T00:00:00Z' },
          filters: [{ field: 'kind', op: 'in', values: ['code_host.event'] }],
        })
        const counted = Object.fromEntries(data.items.map(({ group, metrics }) => [group.outcome, metrics.count]))
        assert.deepEqual(counted, expected)
        return true
      })
    })

    it('accepts a ping and other events, and ignores them', async () => {
      for (const event of ['ping', 'star']) {
        const [payload] = examplesOf(event)
        const { status, body } = await deliver(event, payload)
        assert.deepEqual({ status, body }, { status: 200, body: { ok: true, event, ignored: true } })
      }
    })

    it('refuses a payload whose signature is of another body', async () => {
      const signature = await sign(source.secret, '{"another":"body"}')
      const { status, body } = await post(source.url, '{"zen":"Keep it simple."}', {
        'x-github-event': 'ping',
        'x-hub-signature-256': signature,
      })
      assert.equal(status, 401)
      assert.equal(body.ok, false)
    })
  })
}
