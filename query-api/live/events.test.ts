import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../infra/runtime/testing.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { QueryApi } from '../query-api.ts'
import { type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'

const LIVE = { intervalMs: 20, heartbeatMs: 20, checkMs: 40, mostOfPerson: 3 }

describe('The event stream', () => {
  let kit: TestApi
  let person: Person
  let workspaceId: WorkspaceId
  before(async () => {
    kit = await startTestApi({ live: LIVE })
    person = await kit.signUp()
    workspaceId = await ownWorkspace(person)
  })
  after(() => kit.stop())

  const ownWorkspace = async (of: Person): Promise<WorkspaceId> => {
    const { items } = await of.data<{ items: { id: WorkspaceId }[] }>('list_workspaces')
    assert.ok(items[0])
    return items[0].id
  }

  const ask = (of: Pick<Person, 'cookie'>, headers: Readonly<Record<string, string>> = {}, api: QueryApi = kit.api) =>
    api.fetch(new Request(`${TEST_BASE_URL}/api/app/events`, { headers: { cookie: of.cookie, ...headers } }))

  /** Reads a stream and keeps what it said. */
  const listen = async (answering: Promise<Response>) => {
    const response = await answering
    assert.equal(response.status, 200)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    assert.ok(reader)
    const heard = { text: '', ended: false, leave: () => reader.cancel() }
    const read = async () => {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        heard.text += value
      }
      heard.ended = true
    }
    void read()
    await eventually('the stream is open', async () => heard.text.includes('event: open') || null)
    return heard
  }
  const topicsOf = ({ text }: { readonly text: string }): string[] => [
    ...new Set(
      [...text.matchAll(/event: changed\ndata: (.*)\n/g)].flatMap(([, data]) => JSON.parse(data ?? '').topics),
    ),
  ]

  const addNode = (of: Person, name: string) => of.data('add_map_node', { name })
  let added = 0
  /** What changes after a stream has opened is told, the very first time. */
  const untilTold = async (...streams: readonly Awaited<ReturnType<typeof listen>>[]) => {
    added += 1
    await addNode(person, `Node ${added}`)
    await eventually(
      'the map is said to have changed',
      async () => streams.every(heard => topicsOf(heard).includes('map')) || null,
    )
    for (const heard of streams) heard.text = ''
  }

  it('is for people who are signed in, in workspaces of theirs', async () => {
    assert.equal((await ask({ cookie: '' })).status, 401)
    const stranger = await kit.signUp()
    const refused = await ask(stranger, { 'x-workspace-id': workspaceId })
    assert.equal(refused.status, 403)
    assert.match(await refused.text(), /not a member/)
  })

  it('says what changed in its workspace, whichever replica it was changed through, and is silent about others', async () => {
    const replica = await kit.replica()
    const stranger = await kit.signUp()
    const [here, there, elsewhere] = await Promise.all([
      listen(ask(person)),
      listen(ask(person, {}, replica)),
      listen(ask(stranger)),
    ])
    await untilTold(here, there)
    assert.deepEqual(topicsOf(elsewhere), [])
    await Promise.all([here, there, elsewhere].map(heard => heard.leave()))
    await replica.close()
  })

  it('notices signals, repeats, claims, proposals, themes, dead letters, Decisions, and a snooze that is over', async () => {
    const heard = await listen(ask(person))
    await untilTold(heard)
    const sql = (statement: string, ...values: unknown[]) => kit.database.pool.query(statement, values)
    const expects = (topic: string) =>
      eventually(`${topic} is told`, async () => {
        if (!topicsOf(heard).includes(topic)) return null
        heard.text = ''
        return true
      })
    const [one, two] = [crypto.randomUUID(), crypto.randomUUID()]
    await sql(
      `insert into signals (id, workspace_id, number, channel, text, text_hash, signal_origin, actor_role, occurred_at, received_at,
         classification, classification_confidence, classification_version)
       values ($1, $2, 1, 'webhook', 'x', '', 'customer', 'user', now(), now(), 'problem', 1, 'test')`,
      one,
      workspaceId,
    )
    await expects('signals')
    await sql(
      `insert into occurrences (id, workspace_id, signal_id, reason, similarity, channel, signal_origin, actor_role, occurred_at, received_at)
       values ($1, $2, $3, 'same_text', 1, 'webhook', 'customer', 'user', now(), now())`,
      two,
      workspaceId,
      one,
    )
    await expects('signals')
    await sql(`insert into snoozes values ($1, $2, now() + interval '0.3 s', null, 'Ana', now())`, workspaceId, one)
    await expects('signals')
    for (const [id, number] of [one, two].entries()) {
      await sql(
        `insert into claims (id, workspace_id, number, kind, title) values ($1, $2, $3, 'problem', 'C')`,
        number,
        workspaceId,
        id + 1,
      )
    }
    await expects('claims')
    await sql(
      `insert into merge_proposals (id, workspace_id, claim_id, candidate_claim_id, score, reason) values ($1, $2, $1, $3, 1, 'r')`,
      one,
      workspaceId,
      two,
    )
    await expects('proposals')
    await sql(`insert into theme_runs values ($1, 1, 1, 'test', now())`, workspaceId)
    await expects('themes')
    await sql(
      `insert into dead_letters (signal_id, step, workspace_id, topic, fault, error_class, message, attempts, first_failed_at,
         last_failed_at, sealed, record)
       values ($1, 'embed', $2, 'signals.embed', 'ours', 'internal', 'It failed.', 3, now(), now(), false, '')`,
      two,
      workspaceId,
    )
    await expects('dead_letters')
    await person.data('triage', { action: 'accept', signal_id: 'SIG-1' })
    await expects('decisions')
    await heard.leave()
  })

  it('stays alive while nothing changes', async () => {
    const heard = await listen(ask(person))
    await eventually('it is still there', async () => heard.text.split(': still here').length > 3 || null)
    assert.deepEqual(topicsOf(heard), [])
    await heard.leave()
  })

  it('takes so many of one person and no more, and forgets those who left', async () => {
    const streams = await Promise.all([1, 2, 3].map(() => listen(ask(person))))
    const refused = await ask(person)
    assert.deepEqual([refused.status, refused.headers.has('retry-after')], [429, true])
    for (const heard of streams) await heard.leave()
    await (await listen(ask(person))).leave()
  })

  it('ends when the membership ends, and when the session does', async () => {
    const leaving = await kit.signUp()
    const own = await ownWorkspace(leaving)
    const heard = await listen(ask(leaving))
    await kit.database.pool.query('delete from members where workspace_id = $1', [own])
    const other = await listen(ask(person))
    await eventually('it ended', async () => heard.ended || null)
    assert.match(heard.text, /event: end/)
    const gone = await kit.signUp()
    const signedOut = await listen(ask(gone))
    await kit.api.fetch(
      new Request(`${TEST_BASE_URL}/api/auth/sign-out`, {
        method: 'POST',
        body: '{}',
        headers: { cookie: gone.cookie, 'content-type': 'application/json', origin: TEST_BASE_URL },
      }),
    )
    await eventually('it ended', async () => signedOut.ended || null)
    assert.equal(other.ended, false)
    await other.leave()
  })

  it('ends when its server is about to stop, which then takes no more', async () => {
    const replica = await kit.replica()
    const heard = await listen(ask(person, {}, replica))
    replica.drain()
    await eventually('it ended', async () => heard.ended || null)
    assert.equal((await ask(person, {}, replica)).status, 503)
    await replica.close()
  })
})
