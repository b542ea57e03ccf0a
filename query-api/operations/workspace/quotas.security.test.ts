import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { createProvisioningKey } from '../../../model/keys/provisioning-key.ts'
import { QUOTAS, type QuotaName } from '../../../model/quotas/quotas.ts'
import { requireRoom } from '../../../model/quotas/require-room.ts'
import { type Person, startTestApi, TEST_BASE_URL, TEST_SETTINGS, type TestApi } from '../../testing.ts'

const ALLOWED = 3
const AT_ONCE = 50

let kit: TestApi
let person: Person
let other: Person
before(async () => {
  const counted = Object.fromEntries(Object.keys(QUOTAS).map(name => [name, ALLOWED]))
  kit = await startTestApi({ settings: { ...TEST_SETTINGS, ...counted } })
  ;[person, other] = [await kit.signUp(), await kit.signUp()]
})
after(() => kit.stop())

/** What came of asking for one more. */
type Asked = { readonly id: string } | { readonly code: string; readonly detail: string; readonly facts: object }

/** How a thing is made and given up. */
interface Recipe {
  /** Of the things that the quota counts, how many are there before the first is asked for. */
  readonly present: number
  readonly make: (person: Person, time: number) => Promise<Asked>
  readonly giveUp: (person: Person, id: string) => Promise<unknown>
}

const asked = async (response: Response): Promise<Asked> => {
  const { data, code, detail, ...facts } = (await response.json()) as Record<string, unknown> & {
    data?: { id?: string; job_id?: string }
  }
  if (response.ok) return { id: data?.id ?? data?.job_id ?? '' }
  return { code: String(code), detail: String(detail), facts }
}

const made = (operation: string, input: (time: number) => object): Recipe['make'] => {
  return async (person, time) => asked(await person.call(operation, input(time)))
}
const givenUp =
  (operation: string): Recipe['giveUp'] =>
  (person, id) =>
    person.data(operation, { id })

/** No operation deletes a workspace. */
const deleteWorkspace = async (_: unknown, id: string) => {
  for (const table of ['members', 'workspaces']) {
    const column = table === 'workspaces' ? 'id' : 'workspace_id'
    await kit.database.pool.query(`delete from ${table} where ${column} = $1`, [id])
  }
}

const provisioning = new Map<Person, Promise<string>>()
const MAKE_ADMINISTRATOR = `
  insert into administrators (user_id) select id from account_users where email = $1 on conflict do nothing`
const newProvisioningKey = async ({ email }: Person): Promise<string> => {
  await kit.database.pool.query(MAKE_ADMINISTRATOR, [email])
  return createProvisioningKey(kit.database.database, { email, label: 'Operator' })
}
const provisioningKey = (person: Person): Promise<string> => {
  const key = provisioning.get(person) ?? newProvisioningKey(person)
  provisioning.set(person, key)
  return key
}

/** Of each kind one runs at a time. */
const JOBS: readonly (readonly [string, object])[] = [
  ['start_export', {}],
  ['start_review', { time: { from: '2026-01-01T00:00:00Z', to: '2026-02-01T00:00:00Z' } }],
  ...['re_embed', 're_scrub', 're_anchor', 're_judge'].map(job_kind => ['start_job', { job_kind }] as const),
]

/** Starts a job of the first kind that is not running. */
const startJob = async (person: Person, time: number): Promise<Asked> => {
  for (let kind = time; ; kind += 1) {
    const [operation, input] = JOBS[kind % JOBS.length] ?? assert.fail()
    const answered = await asked(await person.call(operation, input))
    if ('code' in answered && answered.code === 'conflict') continue
    if (operation !== 'start_export' || 'code' in answered) return answered
    const { items } = await person.data<{ items: { id: string; job: { id: string } }[] }>('list_transfers')
    return { id: items.find(({ id }) => id === answered.id)?.job.id ?? assert.fail('no job') }
  }
}

/** Each quota needs a recipe: without one this file does not compile. */
const RECIPES: Readonly<Record<QuotaName, Recipe>> = {
  workspacesOfAccount: {
    present: 1,
    make: made('create_workspace', time => ({ name: `Workspace ${time}` })),
    giveUp: deleteWorkspace,
  },
  workspacesOfKey: {
    present: 0,
    make: async (person, time) => {
      const params = { name: 'create_workspace', arguments: { name: `Workspace ${time}` } }
      const headers = { authorization: `Bearer ${await provisioningKey(person)}` }
      const answer = await kit.rpc({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }, headers)
      const { result } = (await answer.json()) as {
        result: { isError?: boolean; structuredContent: { data: { id: string } }; content: { text: string }[] }
      }
      if (result.isError !== true) return { id: result.structuredContent.data.id }
      const [detail = '', facts = ''] = result.content[0]?.text.split('\n') ?? []
      const { code, ...rest } = JSON.parse(facts)
      return { code, detail, facts: rest }
    },
    giveUp: deleteWorkspace,
  },
  members: {
    present: 1,
    make: made('invite_member', time => ({ label: `Guest ${time}`, role: 'viewer' })),
    giveUp: givenUp('revoke_invitation'),
  },
  sources: {
    present: 0,
    make: made('create_source', time => ({ kind: 'metric', name: `Metric ${time}` })),
    giveUp: givenUp('delete_source'),
  },
  keys: {
    present: 0,
    make: made('create_key', time => ({ label: `Key ${time}` })),
    giveUp: givenUp('delete_key'),
  },
  jobs: {
    present: 0,
    make: startJob,
    giveUp: givenUp('cancel_job'),
  },
  uploads: {
    present: 0,
    make: async (person, time) => {
      const path = `/api/files/imports?name=file-${time}.csv`
      const headers = { cookie: person.cookie }
      return asked(
        await kit.api.fetch(
          new Request(`${TEST_BASE_URL}${path}`, { method: 'POST', body: 'text\nIt hangs\n', headers }),
        ),
      )
    },
    giveUp: givenUp('discard_transfer'),
  },
}

describe('A quota', () => {
  for (const [name, { setting, things, of }] of Object.entries(QUOTAS)) {
    // The keys of the object.
    const { present, make, giveUp } = RECIPES[name as QuotaName]

    it(`of ${things} (${name}) holds against many at once, says how it is raised, and frees what is given up`, async () => {
      const answers = await Promise.all(Array.from({ length: AT_ONCE }, (_, time) => make(person, time)))
      const there = answers.flatMap(answer => ('id' in answer ? [answer.id] : []))
      assert.equal(there.length, ALLOWED - present)

      for (const answer of answers) {
        if ('id' in answer) continue
        const { code, detail, facts } = answer
        assert.equal(code, 'quota_exceeded')
        assert.ok(detail.startsWith(`This ${of} has ${ALLOWED} ${things}, and ${ALLOWED} are allowed`), detail)
        assert.ok(detail.endsWith(`or ask the operator of this installation to raise ${setting.env}.`), detail)
        assert.partialDeepStrictEqual(facts, {
          quota: name,
          asked: 1,
          allowed: ALLOWED,
          present: ALLOWED,
          setting: setting.env,
        })
      }

      assert.ok('id' in (await make(other, 0)), 'another one has places of its own')
      await giveUp(person, there[0] ?? assert.fail())
      assert.ok('id' in (await make(person, AT_ONCE)), 'the place is free')
      assert.ok('code' in (await make(person, AT_ONCE + 1)), 'it is one place')
    })
  }

  it('of members is one for invitations and for who followed them', async () => {
    const [owner, guest] = [await kit.signUp('Owner'), await kit.signUp('Guest')]
    const invite = (label: string) => owner.call('invite_member', { label, role: 'viewer' })
    const { data } = (await (await invite('Guest')).json()) as { data: { url: string } }
    await guest.data('accept_invitation', { token: new URL(data.url).hash.slice(1) })
    assert.equal((await invite('Second')).status, 200)
    assert.equal((await invite('Third')).status, 409)
  })

  it('of workspaces counts for who made them, wherever the membership went', async () => {
    const [owner, friend] = [await kit.signUp('Owner'), await kit.signUp('Friend')]
    for (let time = 1; time < ALLOWED; time += 1) await owner.data('create_workspace', { name: `Given ${time}` })
    await kit.database.pool.query(
      `update members set user_id = (select id from account_users where email = $2)
       from account_users where account_users.id = user_id and email = $1`,
      [owner.email, friend.email],
    )
    // A person without a workspace is given one; this one has been given as many as an account may have.
    const refused = await owner.call('list_sources')
    assert.equal(refused.status, 409)
    assert.match(await refused.text(), /QUOTA_WORKSPACES_PER_ACCOUNT/)
    assert.equal((await friend.call('create_workspace', { name: 'Own' })).status, 200)
  })
})

/** Where rows of what quotas count are made without asking for room, and why that is right. */
const WITHOUT_ASKING: Readonly<Record<string, string>> = {
  'model/jobs/start-job.ts': 'Operations come by jobs/begin-job.ts, which asks; what begins by itself is not refused.',
  'model/keys/provisioning-key.ts': 'The operator’s command line makes these, and they do not count.',
  'model/transfers/transfer.ts': 'files/receive-file.ts asks for an upload; an export is a job.',
  'query-api/accounts/workspaces.ts': 'Both who call it ask: create_workspace, and the first workspace of a person.',
  'query-api/operations/members/accept-invitation.ts': 'The invitation has had the place.',
}
const COUNTED = /insert into (workspaces|members|invitations|sources|mcp_keys|jobs|transfers)\b/

it('Whatever makes a row that a quota counts asks for room first, or is listed here with why not', async () => {
  const root = new URL('../../../', import.meta.url)
  const found: string[] = []
  for await (const path of glob('{model,query-api,ingest,processors,commands}/**/*.ts', { cwd: root.pathname })) {
    if (/\.(test|testing)\.ts$|\/testing/.test(path)) continue
    const source = await readFile(new URL(path, root), 'utf8')
    if (COUNTED.test(source) && !source.includes(`${requireRoom.name}(`)) found.push(path)
  }
  assert.deepEqual(found.sort(), Object.keys(WITHOUT_ASKING))
})
