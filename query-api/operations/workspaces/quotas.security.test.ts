import assert from 'node:assert/strict'
import { glob, readFile } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { createProvisioningKey } from '../../../model/keys/provisioning-key.ts'
import { QUOTAS, type QuotaName, settingOf } from '../../../model/quotas/quotas.ts'
import { requireQuota } from '../../../model/quotas/require-quota.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { type Person, startTestApi, TEST_BASE_URL, TEST_SETTINGS, type TestApi } from '../../testing.ts'

const ALLOWED = 3
const CONCURRENCY = 50

let kit: TestApi
let person: Person
let other: Person
before(async () => {
  const counted = Object.fromEntries(Object.keys(QUOTAS).map(name => [name, ALLOWED]))
  kit = await startTestApi({ settings: { ...TEST_SETTINGS, quotas: { ...TEST_SETTINGS.quotas, ...counted } } })
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
  /** How many are asked for at once, where it is not `AT_ONCE`. */
  readonly atOnce?: number
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

/** What is never deleted by an operation. */
const deleteRow =
  (table: string): Recipe['giveUp'] =>
  (_, id) =>
    kit.database.pool.query(`delete from ${table} where id = $1`, [id])

/**
 * Rows of one table, made by an operation whose answer has the id somewhere. Many at once differ from others in the
 * table alone.
 */
const rows = (
  operation: string,
  input: (person: Person, time: number) => object | Promise<object>,
  idOf: (data: ReturnType<typeof JSON.parse>) => string,
): Pick<Recipe, 'present' | 'make' | 'atOnce'> => ({
  present: 0,
  atOnce: 10,
  make: async (person, time) => {
    const response = await person.call(operation, await input(person, time))
    if (!response.ok) return asked(response)
    const { data } = (await response.json()) as { data: unknown }
    return { id: idOf(data) }
  },
})

const comment = 'It was agreed on.'
const CLAIM = `
  insert into claims (id, workspace_id, number, kind, title, statement) values ($1, $2, $3, 'problem', 'It hangs', 'It hangs')`
const SOLUTION = `
  insert into solutions (id, workspace_id, number, title) values ($1, $2, $3, 'Mend it')`
const OWN = `
  select id from workspaces where created_by = (select id from account_users where email = $1) order by created_at, id`

const workspacesOf = async ({ email }: Person): Promise<readonly string[]> =>
  (await kit.database.pool.query<{ id: string }>(OWN, [email])).rows.map(({ id }) => id)

const upload = (person: Person, name: string, workspace: string): Promise<Response> => {
  const headers = { cookie: person.cookie, 'x-workspace-id': workspace }
  const url = `${TEST_BASE_URL}/api/files/imports?name=${name}.csv`
  return kit.api.fetch(new Request(url, { method: 'POST', body: 'text\nIt hangs\n', headers }))
}

/** Something of a person's first workspace that a row is made about. */
const objectOf = async (person: Person, statement: string, time: number): Promise<string> => {
  const [workspace = ''] = await workspacesOf(person)
  const id = newId()
  await kit.database.pool.query(statement, [id, workspace, 1000 + time])
  return id
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
    // More are refused before their quota is asked: what is held of bodies has a bound of its own.
    atOnce: 10,
    make: async (person, time) => {
      const [first] = await workspacesOf(person)
      return asked(await upload(person, `file-${time}`, first ?? assert.fail()))
    },
    giveUp: givenUp('discard_transfer'),
  },
  uploadedMegabytes: {
    present: 0,
    atOnce: 10,
    make: async (person, time) => {
      // Two a workspace, so that it is not their number that is refused.
      const workspaces = await workspacesOf(person)
      return asked(await upload(person, `part-${time}`, workspaces[time % workspaces.length] ?? assert.fail()))
    },
    giveUp: deleteRow('transfers'),
  },
  mapNodes: {
    ...rows(
      'add_map_node',
      (_, time) => ({ name: `Node ${time}` }),
      ({ id }) => id,
    ),
    giveUp: deleteRow('map_nodes'),
  },
  groups: {
    ...rows(
      'change_group',
      (_, time) => ({ action: 'create', name: `Group ${time}`, comment }),
      ({ group }) => group.id,
    ),
    giveUp: deleteRow('groups'),
  },
  strategyElements: {
    ...rows(
      'change_strategy',
      (_, time) => ({ action: 'add', layer: 'bet', title: `Bet ${time}`, comment }),
      ({ element }) => element.id,
    ),
    giveUp: deleteRow('strategy_elements'),
  },
  solutions: {
    ...rows(
      'create_solution',
      async (person, time) => ({ title: `Mend ${time}`, claim_ids: [await objectOf(person, CLAIM, time)], comment }),
      ({ solution }) => solution.id,
    ),
    giveUp: async (_, id) => {
      await kit.database.pool.query('delete from solution_claims where solution_id = $1', [id])
      await deleteRow('solutions')(_, id)
    },
  },
  notes: {
    ...rows(
      'save_knowledge',
      async (person, time) => ({ id: await objectOf(person, CLAIM, 500 + time), text: `It has ${time} bars.` }),
      ({ id }) => id,
    ),
    giveUp: deleteRow('knowledge_notes'),
  },
  comments: {
    ...rows(
      'write_comment',
      async (person, time) => ({ id: await objectOf(person, CLAIM, 600 + time), text: `Is it ${time}?` }),
      ({ id }) => id,
    ),
    giveUp: deleteRow('comments'),
  },
  documentVersions: {
    ...rows(
      'edit_living_document',
      async (person, time) => ({
        solution_id: await objectOf(person, SOLUTION, time),
        edit: 'append',
        markdown: `Line ${time}\n`,
        comment,
      }),
      ({ solution }) => solution.id,
    ),
    giveUp: (_, id) => kit.database.pool.query('delete from living_documents where solution_id = $1', [id]),
  },
}

describe('A quota', () => {
  for (const [name, { things, of }] of Object.entries(QUOTAS)) {
    // The keys of the object.
    const { present, make, giveUp, atOnce = CONCURRENCY } = RECIPES[name as QuotaName]

    it(`of ${things} (${name}) holds against many at once, says how it is raised, and frees what is given up`, async () => {
      const answers = await Promise.all(Array.from({ length: atOnce }, (_, time) => make(person, time)))
      const there = answers.flatMap(answer => ('id' in answer ? [answer.id] : []))
      assert.equal(there.length, ALLOWED - present)

      for (const answer of answers) {
        if ('id' in answer) continue
        const { code, detail, facts } = answer
        assert.equal(code, 'quota_exceeded')
        assert.ok(detail.startsWith(`This ${of} has ${ALLOWED} ${things}, and ${ALLOWED} are allowed`), detail)
        assert.ok(
          detail.endsWith(`or ask the operator of this installation to raise ${settingOf(name as QuotaName)}.`),
          detail,
        )
        assert.partialDeepStrictEqual(facts, {
          quota: name,
          asked: 1,
          allowed: ALLOWED,
          present: ALLOWED,
          setting: settingOf(name as QuotaName),
        })
      }

      assert.ok('id' in (await make(other, 0)), 'another one has places of its own')
      await giveUp(person, there[0] ?? assert.fail())
      const again = await make(person, CONCURRENCY)
      assert.ok('id' in again, 'the place is free')
      assert.ok('code' in (await make(person, CONCURRENCY + 1)), 'it is one place')
      // The next quota may count the same things.
      if (of === 'workspace') for (const id of [...there.slice(1), again.id]) await giveUp(person, id)
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
    assert.match(await refused.text(), /workspaces_of_account in QUOTAS/)
    assert.equal((await friend.call('create_workspace', { name: 'Own' })).status, 200)
  })
})

/** Where rows of what quotas count are made without asking for room, and why that is right. */
const WITHOUT_ASKING: Readonly<Record<string, string>> = {
  'model/groups/groups.ts': 'change_group asks.',
  'model/jobs/start-job.ts': 'Operations come by jobs/job.ts, which asks; what begins by itself is not refused.',
  'model/keys/keys.ts': 'create_key asks; provisioning-key.ts is listed below.',
  'model/keys/provisioning-key.ts': 'The operator’s command line makes these, and they do not count.',
  'model/knowledge/notes.ts': 'save_knowledge asks.',
  'model/living-documents/versions.ts': 'edit_living_document asks.',
  'model/map/nodes.ts': 'add_map_node asks.',
  'model/members/invitations.ts': 'invite_member asks.',
  'model/members/members.ts':
    'accept_invitation is listed below; groups at the issuer say who is a member by what an operator has set up.',
  'model/solutions/change-solution.ts': 'create_solution asks.',
  'model/sources/sources.ts': 'sources/created-source.ts asks.',
  'model/strategy/elements.ts': 'change_strategy asks, and so does taking a removal back.',
  'model/transfers/transfers.ts': 'files/receive-file.ts asks for an upload; an export is a job.',
  'query-api/operations/members/accept-invitation.ts': 'The invitation has had the place.',
}
/** The statements, and the functions of the model that others call to run them. */
const COUNTED =
  /insert into (workspaces|members|invitations|sources|mcp_keys|jobs|transfers|map_nodes|groups|strategy_elements|solutions|knowledge_notes|living_documents)\b|\b(insertWorkspace|insertSource|makeKey|insertInvitation|addMember)\(/

it('Whatever makes a row that a quota counts asks for room first, or is listed here with why not', async () => {
  const root = new URL('../../../', import.meta.url)
  const found: string[] = []
  for await (const path of glob('{model,query-api,ingest,processors,commands}/**/*.ts', { cwd: root.pathname })) {
    if (/\.(test|testing)\.ts$|\/testing|\/example-/.test(path)) continue
    const source = await readFile(new URL(path, root), 'utf8')
    if (COUNTED.test(source) && !source.includes(`${requireQuota.name}(`)) found.push(path)
  }
  assert.deepEqual(found.sort(), Object.keys(WITHOUT_ASKING))
})
