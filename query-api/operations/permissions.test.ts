import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '../../schemas/domain/ids.ts'
import { MEMBER_ROLES, type MemberRole } from '../../schemas/domain/vocabulary.ts'
import { type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'
import { tools } from '../tools/index.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { completeInput } from './testing-reach.ts'

/** A role in the workspace, or that of an administrator of the installation, who is a viewer in it. */
const STANDINGS = ['administrator', ...MEMBER_ROLES] as const
type Standing = (typeof STANDINGS)[number]

/**
 * Every operation, called through its doors by everybody who could try: each answers as its definition declares, and
 * who may not is refused before anything is looked up. The ids in the inputs are nobody’s.
 */
let kit: TestApi
/** The workspace that all of them work in, and one person of each role there. */
let workspaceId: string
const people = new Map<Standing, Person>()
const keys = new Map<Standing, string>()
let stranger: Person

before(async () => {
  kit = await startTestApi()
  // The first account is the administrator’s.
  people.set('administrator', await kit.signUp('administrator'))
  const owner = await kit.signUp('owner')
  people.set('owner', owner)
  const { items } = await owner.data<{ items: { id: string }[] }>('list_workspaces')
  workspaceId = items[0]?.id ?? assert.fail('the owner has no workspace')
  await join(personOf('administrator'), 'viewer')
  for (const role of STANDINGS) {
    const person = people.get(role) ?? (await join(await kit.signUp(role), role === 'administrator' ? 'viewer' : role))
    people.set(role, person)
    const made = await person.call('create_key', { label: role }, here())
    keys.set(role, ((await made.json()) as { data: { key: string } }).data.key)
  }
  stranger = await kit.signUp('stranger')
})
after(() => kit.stop())

const join = async (person: Person, role: MemberRole): Promise<Person> => {
  const invited = await people.get('owner')?.data<{ url: string }>('invite_member', { label: role, role })
  await person.data('accept_invitation', { token: new URL(invited?.url ?? '').hash.slice(1) })
  return person
}
const here = () => ({ 'x-workspace-id': workspaceId })

const personOf = (role: Standing): Person => people.get(role) ?? assert.fail(`nobody is ${role}`)

/** From the least to the most. */
const RANKS = MEMBER_ROLES.toReversed()
const may = ({ role: needed }: Operation, standing: Standing): boolean => {
  if (needed === 'administrator') return standing === needed
  return RANKS.indexOf(standing === 'administrator' ? 'viewer' : standing) >= RANKS.indexOf(needed)
}

/**
 * Whom an operation is tried by: who may do it with nothing to spare, who may not by least, and the administrator, who
 * stands beside the ranks. Whoever is above the first may do as much as they; whoever is below the second, as little.
 */
const triedBy = (operation: Operation): Standing[] => {
  const least = RANKS.find(role => may(operation, role))
  const most = RANKS.findLast(role => !may(operation, role))
  return STANDINGS.filter(standing => [least, most, 'administrator'].includes(standing))
}

interface Refused {
  readonly status: number
  readonly code: string
  readonly detail: string
}

const refusedBy = async (response: Response): Promise<Refused> => {
  const { code = '', detail = '', ...body } = (await response.json()) as Partial<Refused>
  if (!response.ok) assert.equal(body.status, response.status)
  return { status: response.status, code, detail }
}

/** What a role is refused with, and nobody else. */
const LACKS = /needs the role ((owner|member|viewer) in this workspace|administrator of the installation)/

let calls = 0
const viaKey = async (role: Standing, name: string, input: object): Promise<string> => {
  calls += 1
  const message = { jsonrpc: '2.0', id: calls, method: 'tools/call', params: { name, arguments: input } }
  return (await kit.rpc(message, { authorization: `Bearer ${keys.get(role)}` })).text()
}

for (const operation of registry.values()) {
  const { name, role: needed, audience } = operation
  describe(name, () => {
    const input = () => completeInput(operation, newId)

    it('is answered to nobody who is not signed in', async () => {
      const url = `${TEST_BASE_URL}/api/app/${name}`
      const body = JSON.stringify(input())
      for (const cookie of ['', 'better-auth.session_token=forged.forged']) {
        const headers = { 'content-type': 'application/json', cookie }
        const answer = await kit.api.fetch(new Request(url, { method: 'POST', headers, body }))
        assert.equal(answer.status, 401, cookie)
      }
    })

    it('is refused to a member of another workspace only', async () => {
      const { status, detail } = await refusedBy(await stranger.call(name, input(), here()))
      assert.equal(status, 403)
      assert.match(detail, /not a member/)
    })

    it('is refused to a signed-in browser on a page of another origin, and to a form', async () => {
      const owner = personOf('owner')
      assert.equal((await owner.call(name, input(), { ...here(), origin: 'https://elsewhere.example' })).status, 403)
      assert.equal((await owner.call(name, input(), { ...here(), 'content-type': 'text/plain' })).status, 415)
    })

    for (const role of triedBy(operation)) {
      const allowed = may(operation, role)
      it(`is ${allowed ? 'open to' : 'refused to'} a person who is ${role}: it needs ${needed}`, async () => {
        const answered = await refusedBy(await personOf(role).call(name, input(), here()))
        if (allowed) {
          assert.doesNotMatch(answered.detail, LACKS)
          assert.ok(![401, 500].includes(answered.status), `${answered.status} ${answered.detail}`)
        } else {
          assert.equal(answered.status, 403, `${answered.status} ${answered.detail}`)
          assert.match(answered.detail, LACKS)
        }
      })

      it(`is ${allowed && audience === 'everyone' ? 'open to' : 'refused to'} the key of one who is ${role}`, async () => {
        const answered = await viaKey(role, name, input())
        if (audience === 'people') assert.match(answered, /"error"|"isError":true/)
        else if (allowed) assert.doesNotMatch(answered, LACKS)
        else assert.match(answered, LACKS)
      })
    }
  })
}

interface Answered {
  readonly status: number
  readonly error?: { readonly code: number; readonly message: string }
  readonly result?: { readonly isError?: boolean; readonly content: readonly { readonly text: string }[] }
}

const ofMode = async (role: Standing, name: string, args: object): Promise<Answered> => {
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }
  const response = await kit.rpc(message, { authorization: `Bearer ${keys.get(role)}` })
  return { status: response.status, ...((await response.json()) as object) }
}

/** Names of primitives that are no word of the compact surface. */
const PRIMITIVES = [...registry.keys()].filter(name => !tools.some(({ modes }) => name in modes))
const primitivesIn = (text = '') => PRIMITIVES.filter(name => new RegExp(`\\b${name}\\b`).test(text))

for (const { name: tool, modes } of tools) {
  for (const [mode, operation] of Object.entries(modes)) {
    it(`${tool} ${mode} is refused by its own name: malformed by the protocol, all else by a result`, async () => {
      const args = { mode, ...completeInput(operation, newId) }
      const malformed = await ofMode('owner', tool, { ...args, nobody_knows_this: 1 })
      assert.deepEqual([malformed.status, malformed.error?.code], [200, -32602])
      assert.deepEqual(primitivesIn(malformed.error?.message), [])
      const answered = await ofMode('owner', tool, args)
      assert.equal(answered.status, 200)
      // A combination of fields that a schema cannot say is refused by the operation, in a result too.
      assert.ok(answered.result, answered.error?.message)
      if (answered.result.isError) assert.deepEqual(primitivesIn(answered.result.content[0]?.text), [])
      if (may(operation, 'viewer')) return
      const { result } = await ofMode('viewer', tool, args)
      assert.equal(result?.isError, true)
      assert.match(result.content[0]?.text ?? '', new RegExp(`^${tool} ${mode} needs the role`))
    })
  }
}

const PATHS = [
  '/',
  '/api/mcp',
  '/api/openapi.json',
  '/.well-known/mcp.json',
  '/.well-known/oauth-protected-resource',
  '/api/app/events',
  '/api/app/lookup_triage',
  '/api/app/no_such_operation',
  '/api/files/imports',
  `/api/files/exports/${newId()}`,
  '/api/files/audit-log?format=csv',
  '/api/auth/get-session',
  '/api/auth/sign-in/email',
  '/api/auth/elsewhere',
  '/nowhere',
]
const METHODS = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']
const TYPES = [undefined, 'text/plain', 'application/json', 'multipart/form-data; boundary=x']

for (const path of PATHS) {
  it(`${path} answers every method and content type with a status that its body says too`, async () => {
    for (const method of METHODS) {
      for (const type of TYPES) {
        const init = { method, headers: { cookie: personOf('owner').cookie, ...(type && { 'content-type': type }) } }
        const hasBody = !['GET', 'HEAD'].includes(method)
        const response = await kit.api.fetch(
          new Request(`${TEST_BASE_URL}${path}`, hasBody ? { ...init, body: '{"x":' } : init),
        )
        const { status, headers } = response
        const text = status < 400 ? await response.body?.cancel() : await response.text()
        const what = `${method} ${type}: ${status} ${text}`
        assert.ok(status < 500, what)
        assert.equal(headers.has('allow'), status === 405, what)
        if (status < 400 || method === 'HEAD') continue
        const body = JSON.parse(String(text))
        if (path === '/api/mcp') assert.equal(body.jsonrpc, '2.0', what)
        else assert.deepEqual([body.status, headers.get('content-type')], [status, 'application/problem+json'], what)
        if (headers.get('allow')?.includes(method)) assert.fail(what)
      }
    }
  })
}

it('every mode of every tool is an operation of the list above', () => {
  for (const { modes } of tools)
    for (const operation of Object.values(modes)) assert.equal(registry.get(operation.name), operation)
})
