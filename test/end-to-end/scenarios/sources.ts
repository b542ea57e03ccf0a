import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { before, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { eventually } from '../../../infra/runtime/testing.ts'
import { UNTESTED } from '../../../infra/stack/test-reporter.ts'
import { type Agent, agentOf } from '../../support/agent.ts'
import type { Installation } from '../../support/installation.ts'
import { type CreatedSource, type Person, signUp } from '../../support/person.ts'
import { post, webhookHeaders } from '../../support/sender.ts'

const run = promisify(execFile)

/** How a person would run an example, by its name. Node resolves the library from here, where it is installed. */
const RUN: Readonly<Record<string, (text: string) => Promise<{ stdout: string }>>> = {
  curl: text => run('sh', ['-eu', '-c', text]),
  openssl: text => run('sh', ['-eu', '-c', text]),
  node: text => run(process.execPath, ['--input-type=module', '-e', text]),
  python: text => run('python3', ['-c', text]),
}

const python = await run('python3', ['--version']).then(
  () => true,
  () => false,
)

/** Which examples a kind has. */
const EXAMPLES = {
  signal: ['curl', 'openssl', 'node', 'python'],
  metric: ['curl', 'node', 'python'],
  code_host: ['curl', 'openssl', 'node', 'python'],
  connection: ['curl', 'openssl', 'node', 'python'],
} as const
type PostedKind = keyof typeof EXAMPLES

const WANTED: Readonly<Record<PostedKind | 'email', object>> = {
  signal: { kind: 'signal', name: 'Support desk' },
  metric: { kind: 'metric', name: 'Weekly active teams' },
  code_host: { kind: 'code_host', name: 'Repository', code_host: 'gitea' },
  connection: {
    kind: 'connection',
    name: 'Survey tool',
    settings: { mapping: { text: "/data/it's~1an answer/text", source: '/type' } },
  },
  email: { kind: 'email', name: 'Forwarded mail' },
}

interface Listed {
  readonly id: string
  readonly last_seen_at: string | null
  readonly accepted_last_day: number | null
  readonly refused_last_day: number | null
  readonly refusals_last_day: readonly { readonly reason: string; readonly count: number }[] | null
}

interface SignedRequest {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  readonly secret_missing: boolean
}

export const describeSources = (installation: () => Installation): void => {
  describe('Sources of every kind', () => {
    let person: Person
    const sources = new Map<string, CreatedSource>()
    const sourceOf = (kind: string): CreatedSource => {
      const source = sources.get(kind)
      assert.ok(source, `no source of kind ${kind} was created`)
      return source
    }
    const listed = async (id: string): Promise<Listed> => {
      const { items } = await person.call<{ items: Listed[] }>('list_sources')
      const found = items.find(item => item.id === id)
      assert.ok(found, 'the source is listed')
      return found
    }
    const signTest = (id: string) => person.call<SignedRequest>('sign_test_request', { id })

    before(async () => {
      person = await signUp(installation().baseUrl)
      for (const [kind, wanted] of Object.entries(WANTED)) {
        sources.set(kind, await person.call<CreatedSource>('create_source', wanted))
      }
    })

    for (const kind of Object.keys(EXAMPLES) as PostedKind[]) {
      it(`${kind}: has the examples that its senders need`, () => {
        assert.deepEqual(Object.keys(sourceOf(kind).examples), [...EXAMPLES[kind]])
      })
      for (const name of EXAMPLES[kind]) {
        if (name === 'python' && !python) {
          it(`${UNTESTED} (python3): the Python example. Install python3.`, () =>
            assert.notEqual(process.env.CI, 'true'))
          continue
        }
        it(`${kind}: the ${name} example sends what the edge accepts`, async () => {
          const { examples } = sourceOf(kind)
          const { stdout } = await (RUN[name] ?? assert.fail)(examples[name] ?? '')
          assert.match(stdout, /"ok":true/)
        })
      }
      it(`${kind}: a test request that the server signs is accepted as it is`, async () => {
        const { url, headers, body, secret_missing: secretMissing } = await signTest(sourceOf(kind).id)
        assert.equal(secretMissing, kind === 'metric')
        assert.equal(headers['X-Service-Test'], 'true')
        const filled = Object.fromEntries(
          Object.entries(headers).map(([name, value]) => [
            name.toLowerCase(),
            value.replace('{secret}', sourceOf(kind).secret),
          ]),
        )
        const answer = await post(url, body, filled)
        assert.equal(answer.status, 200, JSON.stringify(answer.body))
        assert.equal(
          (await post(url, `${body} `, { ...filled, ...(secretMissing && { authorization: 'Bearer x' }) })).status,
          401,
        )
      })
    }

    it('email: is sent no request to, and says where to write instead', async () => {
      const { id, address = '' } = sourceOf('email')
      assert.match(address, /^[a-z0-9-]+@in\.assay\.test$/)
      await assert.rejects(signTest(id), error => String(error).includes(address))
    })

    it('shows of each when something last came, what was accepted, and what was refused and why', async () => {
      const accepted: Readonly<Record<PostedKind, number>> = {
        // The examples: a test is counted nowhere. Like texts are one signal, but each was received.
        signal: python ? 4 : 3,
        metric: python ? 3 : 2,
        // A ping is taken and leaves nothing.
        code_host: 0,
        connection: python ? 4 : 3,
      }
      for (const kind of Object.keys(EXAMPLES) as PostedKind[]) {
        const source = await eventually(`what came to ${kind} is counted`, async () => {
          const found = await listed(sourceOf(kind).id)
          return found.accepted_last_day === accepted[kind] && found.refused_last_day === 1 ? found : null
        })
        assert.equal(source.refusals_last_day?.length, 1)
        assert.ok(source.last_seen_at !== null)
        const health = await person.call<{ items: { accepted: number; refused: number }[] }>('source_health', {
          id: source.id,
        })
        const sum = (count: (hour: { accepted: number; refused: number }) => number) =>
          health.items.reduce((total, hour) => total + count(hour), 0)
        assert.equal(
          sum(hour => hour.accepted),
          accepted[kind],
        )
        assert.equal(
          sum(hour => hour.refused),
          1,
        )
      }
    })

    it('takes both secrets while one is rotated', async () => {
      const { id, url, secret } = sourceOf('metric')
      const rotated = await person.call<CreatedSource>('rotate_source_secret', { id })
      const send = (bearer: string) => post(url, '{"value":3}', { authorization: `Bearer ${bearer}` })
      await eventually('the edge knows the new secret', async () => {
        // Each try before that counts as a failure of this address, of which there may be 30 a minute.
        await pause(500)
        return (await send(rotated.secret)).status === 200
      })
      assert.equal((await send(secret)).status, 200)
      assert.equal((await send('0'.repeat(64))).status, 401)
    })

    it('an agent creates a connection, sees its secret once, and sends through it', async () => {
      const agent: Agent = await agentOf(person)
      try {
        const { data } = await agent.call<CreatedSource>('service_connect', { mode: 'create', name: 'By an agent' })
        const body = JSON.stringify({
          type: 'feedback.created',
          data: { text: 'The agent says that the export hangs.' },
        })
        const sent = await post(data.url ?? '', body, webhookHeaders(data.secret, 'of-an-agent', new Date(), body))
        assert.equal(sent.status, 200, JSON.stringify(sent.body))
        const list = await agent.call<{ items: { id: string }[] }>('service_connect', { mode: 'list' })
        assert.ok(list.data.items.some(({ id }) => id === data.id))
        assert.ok(!JSON.stringify(list).includes(data.secret))
      } finally {
        await agent.close()
      }
    })

    it('each one that is deleted is gone from the list, and its senders are answered 404', async () => {
      for (const { id, url } of sources.values()) {
        await person.call('delete_source', { id })
        if (url === null) continue
        await eventually('the edge has forgotten the endpoint', async () => (await post(url, '{}')).status === 404)
      }
      const { items } = await person.call<{ items: Listed[] }>('list_sources')
      assert.ok(![...sources.values()].some(({ id }) => items.some(item => item.id === id)))
    })
  })
}
