import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createDatabase } from '../../../infra/postgres/database.ts'
import { createPool } from '../../../infra/postgres/pool.ts'
import type { Database } from '../../../infra/postgres/port.ts'
import { silentLogger } from '../../../infra/postgres/testing-embedded.ts'
import { disableAccount } from '../../accounts/operator.ts'
import { type Person, startTestApi, type TestApi } from '../../testing.ts'

let kit: TestApi
let colleague: Person
/** The command line has a connection of its own. */
let operator: Database
const appended: string[] = []

before(async () => {
  kit = await startTestApi({
    appendSignal: async ({ workspace_id }) => {
      await sleep(2)
      appended.push(workspace_id)
    },
  })
  operator = createDatabase(createPool({ connection: kit.database.connection, max: 1, logger: silentLogger }))
  colleague = await kit.signUp('Colleague')
})
after(async () => {
  await operator.close()
  await kit.stop()
})

interface Team {
  readonly owner: Person
  readonly place: string
  /** The second owner, who is to be removed. */
  readonly userId: string
  readonly there: Readonly<Record<string, string>>
  readonly key: string
}

const teamOf = async (leaving: Person): Promise<Team> => {
  const owner = await kit.signUp('Owner')
  const { url } = await owner.data<{ url: string }>('invite_member', { label: 'Second owner', role: 'owner' })
  const token = new URL(url).hash.slice(1)
  const { workspace_id: place } = await leaving.data<{ workspace_id: string }>('accept_invitation', { token })
  const there = { 'x-workspace-id': place }
  const { items } = await owner.data<{ items: { user_id: string; is_you: boolean }[] }>('list_members')
  const made = await leaving.call('create_key', { label: 'Agent' }, there)
  const { data } = (await made.json()) as { data: { key: string } }
  return { owner, place, there, userId: items.find(({ is_you }) => !is_you)?.user_id ?? assert.fail(), key: data.key }
}

/** What a workspace holds that its owners write. */
const written = async ({ place }: Team): Promise<object> => {
  const { rows } = await kit.database.pool.query(
    `select
       (select name from workspaces where id = $1) as name,
       (select count(*)::int from invitations where workspace_id = $1) as invitations,
       (select count(*)::int from invitations where workspace_id = $1 and accepted_at is null and revoked_at is null)
         as waiting,
       (select count(*)::int from sources where workspace_id = $1) as sources,
       (select count(*)::int from map_nodes where workspace_id = $1) as nodes,
       (select count(*)::int from audit_log where workspace_id = $1 and by_name = 'Leaving') as audited`,
    [place],
  )
  return { ...rows[0], appended: appended.filter(workspace => workspace === place).length }
}

const asAgent = (team: Team, name: string, args: object): Promise<Response> =>
  kit.rpc(
    { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } },
    { authorization: `Bearer ${team.key}` },
  )

/** Sixty invitations, and some of everything else, all under way at once. */
const storm = (team: Team, leaving: Person): Promise<Response>[] => [
  ...Array.from({ length: 60 }, (_, at) =>
    leaving.call('invite_member', { label: `Accomplice ${at}`, role: 'owner' }, team.there),
  ),
  ...Array.from({ length: 8 }, (_, at) => [
    leaving.call('rename_workspace', { name: `Mine ${at}` }, team.there),
    leaving.call('create_source', { kind: 'metric', name: `Mine ${at}` }, team.there),
    asAgent(team, 'add_map_node', { name: `Mine ${at}` }),
    asAgent(team, 'capture_signal', { text: `Mine ${at}` }),
  ]).flat(),
]

const ROUNDS = 4

/** Their invitations wait with the account, and open nothing meanwhile. */
const DISABLED = 'disabled by the operator'

/** What ends the right of the second owner, by somebody else. */
const ENDINGS: Readonly<Record<string, (team: Team, leaving: Person) => Promise<void>>> = {
  removed: async ({ owner, userId }) => void (await owner.data('remove_member', { user_id: userId })),
  'made a viewer': async ({ owner, userId }) =>
    void (await owner.data('change_role', { user_id: userId, role: 'viewer' })),
  [DISABLED]: (_, { email }) => disableAccount(operator, email),
}

describe('An owner with two hundred calls under way', () => {
  for (const [ending, end] of Object.entries(ENDINGS)) {
    it(`has written nothing after they were ${ending}, in ${ROUNDS} rounds, and left no way back`, async () => {
      for (let round = 0; round < ROUNDS; round += 1) {
        const leaving = await kit.signUp('Leaving')
        const team = await teamOf(leaving)
        const calls = storm(team, leaving)
        const ended = end(team, leaving)
        // These come in while the person still may, and have their turn after the one who ends it.
        calls.push(...storm(team, leaving))
        await ended
        const then = await written(team)
        const statuses = (await Promise.all(calls)).map(({ status }) => status)
        assert.deepEqual(await written(team), then, `round ${round}`)
        assert.partialDeepStrictEqual(then, { waiting: 0 })
        assert.ok(
          statuses.some(status => status >= 400),
          'some were still under way',
        )
      }
    })
  }
})

describe('An invitation', () => {
  it('gives nothing once its inviter may not invite any more, whatever took the right away', async () => {
    const leaving = await kit.signUp('Leaving')
    const team = await teamOf(leaving)
    const invite = async () => {
      const made = await leaving.call('invite_member', { label: 'Accomplice', role: 'owner' }, team.there)
      const { data } = (await made.json()) as { data: { url: string } }
      return new URL(data.url).hash.slice(1)
    }
    const token = await invite()
    const { pool } = kit.database
    const isTaken = async (sql: string) => {
      await pool.query(sql, [team.userId])
      return (await colleague.call('accept_invitation', { token })).status
    }
    const setRole = (role: string) =>
      `update members set role = '${role}' where user_id = $1 and workspace_id = '${team.place}'`
    assert.equal(await isTaken(setRole('member')), 404)
    assert.equal(await isTaken(setRole('viewer')), 404)
    await pool.query(setRole('owner'), [team.userId])
    assert.equal(await isTaken('update account_users set disabled_at = now() where id = $1'), 404)
    await pool.query('update account_users set disabled_at = null where id = $1', [team.userId])
    // It is theirs again, and was not used up.
    assert.equal((await colleague.call('accept_invitation', { token })).status, 200)
  })
})
