import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { accountRequest, type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../../testing.ts'

let kit: TestApi
before(async () => {
  kit = await startTestApi()
})
after(() => kit.stop())

interface Invited {
  readonly id: string
  readonly url: string
}
interface Member {
  readonly user_id: string
  readonly name: string
  readonly role: string
  readonly is_you: boolean
}

const tokenOf = ({ url }: Invited): string => new URL(url).hash.slice(1)
const workspaceOf = async (person: Person): Promise<string> =>
  (await person.data<{ items: { id: string; current: boolean }[] }>('list_workspaces')).items.find(
    ({ current }) => current,
  )?.id ?? assert.fail('nobody is without a workspace')
const membersOf = async (person: Person) => (await person.data<{ items: Member[] }>('list_members')).items
const idOf = async (person: Person, of: string): Promise<string> =>
  (await membersOf(person)).find(({ name }) => name === of)?.user_id ?? assert.fail(`no ${of}`)
const readInvitation = (token: string, { cookie }: Pick<Person, 'cookie'>) =>
  kit.api.fetch(accountRequest('invitation', { token }, { cookie }))
const detailOf = async (response: Response) => ((await response.json()) as { detail: string }).detail

/** An owner with another member, who calls in the owner's workspace unless told otherwise. */
const withMember = async (role: string) => {
  const owner = await kit.signUp('Owner')
  const member = await kit.signUp('Member')
  const invited = await owner.data<Invited>('invite_member', { label: 'The member', role })
  const { workspace_id } = await member.data<{ workspace_id: string }>('accept_invitation', { token: tokenOf(invited) })
  const there = { 'x-workspace-id': workspace_id }
  return {
    owner,
    member,
    there,
    ownerId: await idOf(owner, 'Owner'),
    memberId: await idOf(owner, 'Member'),
    asMember: (operation: string, input: object = {}) => member.call(operation, input, there),
  }
}

describe('An invitation', () => {
  it('shows its link once, keeps a hash of it, and makes whoever follows it a member with its role', async () => {
    const [owner, guest] = [await kit.signUp('Owner'), await kit.signUp('Guest')]
    const invited = await owner.data<Invited>('invite_member', { label: ' Guest of honour ', role: 'viewer' })
    assert.match(invited.url, new RegExp(`^${TEST_BASE_URL}/app/invitation#[A-Za-z0-9_-]{43}$`))
    const { rows } = await kit.database.pool.query('select * from invitations where id = $1', [invited.id])
    assert.ok(!JSON.stringify(rows).includes(tokenOf(invited)))
    const { items } = await owner.data<{ items: object[] }>('list_invitations')
    assert.partialDeepStrictEqual(items, [{ id: invited.id, label: 'Guest of honour', role: 'viewer' }])
    assert.ok(!JSON.stringify(items).includes(tokenOf(invited)))

    const token = tokenOf(invited)
    const read = await readInvitation(token, guest)
    assert.partialDeepStrictEqual(await read.json(), {
      workspace_name: 'Owner workspace',
      role: 'viewer',
      present_role: null,
    })
    const accepted = await guest.data('accept_invitation', { token })
    assert.partialDeepStrictEqual(accepted, { workspace_id: await workspaceOf(owner), role: 'viewer' })
    const workspaces = await guest.data<{ items: { name: string; role: string }[] }>('list_workspaces')
    assert.deepEqual(
      workspaces.items.map(({ name, role }) => [name, role]),
      [
        ['Guest workspace', 'owner'],
        ['Owner workspace', 'viewer'],
      ],
    )
    assert.deepEqual(await owner.data('list_invitations'), { items: [] })
  })

  it('leads who follows it again into the workspace, and is of no use to anybody else', async () => {
    const [owner, guest, other] = [await kit.signUp('Owner'), await kit.signUp('Guest'), await kit.signUp('Other')]
    const token = tokenOf(await owner.data<Invited>('invite_member', { label: 'Guest', role: 'member' }))
    const first = await guest.data('accept_invitation', { token })
    assert.deepEqual(await guest.data('accept_invitation', { token }), first)
    for (const ask of [() => readInvitation(token, other), () => other.call('accept_invitation', { token })]) {
      const refused = await ask()
      assert.equal(refused.status, 404)
      assert.match(await detailOf(refused), /not valid/)
    }
    assert.equal((await membersOf(owner)).length, 2)
  })

  it('is accepted by one of two who follow it at once', async () => {
    const owner = await kit.signUp('Owner')
    const guests = [await kit.signUp('One'), await kit.signUp('Two')]
    const token = tokenOf(await owner.data<Invited>('invite_member', { label: 'One of them', role: 'member' }))
    const answers = await Promise.all(guests.map(guest => guest.call('accept_invitation', { token })))
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 404])
    assert.equal((await membersOf(owner)).length, 2)
  })

  it('says the same of a link that expired, was revoked, or never was', async () => {
    const [owner, guest] = [await kit.signUp('Owner'), await kit.signUp('Guest')]
    const [expired, revoked] = [
      await owner.data<Invited>('invite_member', { label: 'Late', role: 'member', expires_in_days: 1 }),
      await owner.data<Invited>('invite_member', { label: 'Mistaken', role: 'member' }),
    ]
    await kit.database.pool.query(`update invitations set expires_at = now() - interval '1 s' where id = $1`, [
      expired.id,
    ])
    await owner.data('revoke_invitation', { id: revoked.id })
    assert.equal((await owner.call('revoke_invitation', { id: revoked.id })).status, 404)
    assert.deepEqual(await owner.data('list_invitations'), { items: [] })
    const said = new Set<string>()
    for (const token of [tokenOf(expired), tokenOf(revoked), 'x'.repeat(43)]) {
      const refused = await guest.call('accept_invitation', { token })
      assert.equal(refused.status, 404)
      said.add(await detailOf(refused))
    }
    assert.equal(said.size, 1)
    assert.equal((await membersOf(owner)).length, 1)
  })

  it('leaves the role of who is a member already, and stays for somebody else', async () => {
    const [owner, guest] = [await kit.signUp('Owner'), await kit.signUp('Guest')]
    const token = tokenOf(await owner.data<Invited>('invite_member', { label: 'Guest', role: 'viewer' }))
    assert.partialDeepStrictEqual(await owner.data('accept_invitation', { token }), { role: 'owner' })
    assert.partialDeepStrictEqual(await guest.data('accept_invitation', { token }), { role: 'viewer' })
  })

  it('cannot be made, listed or revoked by a member or a viewer, nor for a workspace of others', async () => {
    for (const role of ['member', 'viewer']) {
      const { owner, asMember } = await withMember(role)
      const waiting = await owner.data<Invited>('invite_member', { label: 'Somebody', role: 'viewer' })
      for (const [operation, input] of [
        ['invite_member', { label: 'Me', role: 'owner' }],
        ['list_invitations', {}],
        ['revoke_invitation', { id: waiting.id }],
      ] as const) {
        assert.equal((await asMember(operation, input)).status, 403, `${role} ${operation}`)
      }
      const stranger = await kit.signUp('Stranger')
      assert.equal((await stranger.call('revoke_invitation', { id: waiting.id })).status, 404)
    }
  })

  it('wants a label, a role that there is, and an end within a month', async () => {
    const owner = await kit.signUp('Owner')
    for (const input of [
      { label: '  ', role: 'member' },
      { label: 'A', role: 'admin' },
      { label: 'A', role: 'member', expires_in_days: 31 },
      { role: 'member' },
    ]) {
      assert.equal((await owner.call('invite_member', input)).status, 422, JSON.stringify(input))
    }
    assert.equal((await owner.call('accept_invitation', { token: "' or 1=1" })).status, 422)
  })

  it('shows its link to the first of two equal calls alone', async () => {
    const owner = await kit.signUp('Owner')
    const invite = async () => {
      const answer = await owner.call(
        'invite_member',
        { label: 'A', role: 'member' },
        { 'x-idempotency-key': 'invite-1' },
      )
      return ((await answer.json()) as { data: { id: string; url: string | null } }).data
    }
    const [first, second] = [await invite(), await invite()]
    assert.equal(first.id, second.id)
    assert.deepEqual([first.url === null, second.url], [false, null])
  })
})

describe('A member', () => {
  it('is listed with name, address and role, and knows which one they are', async () => {
    const { member, there } = await withMember('viewer')
    const answer = await member.call('list_members', {}, there)
    const { data } = (await answer.json()) as { data: { your_role: string; items: Member[] } }
    assert.equal(data.your_role, 'viewer')
    assert.deepEqual(
      data.items.map(({ name, role, is_you }) => [name, role, is_you]),
      [
        ['Owner', 'owner', false],
        ['Member', 'viewer', true],
      ],
    )
  })

  it('changes role at once, and so do their keys', async () => {
    const { owner, member, there, memberId, asMember } = await withMember('member')
    const made = await member.call('create_key', { label: 'Agent' }, there)
    const { key } = ((await made.json()) as { data: { key: string } }).data
    const capture = { name: 'capture_signal', arguments: { text: 'The export hangs.', source: 'desk' } }
    const viaKey = async () => {
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: capture }
      return (await kit.rpc(message, { authorization: `Bearer ${key}` })).text()
    }
    assert.doesNotMatch(await viaKey(), /needs the role/)
    await owner.data('change_role', { user_id: memberId, role: 'viewer' })
    assert.match(await viaKey(), /needs the role member/)
    assert.equal((await asMember('create_source', { kind: 'signal', name: 'Mine' })).status, 403)
  })

  it('who is removed is out at once, and their keys are gone', async () => {
    const { owner, member, there, memberId, asMember } = await withMember('member')
    const made = await member.call('create_key', { label: 'Agent' }, there)
    const { key } = ((await made.json()) as { data: { key: string } }).data
    const list = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'list_jobs', arguments: {} } }
    const viaKey = async () => (await kit.rpc(list, { authorization: `Bearer ${key}` })).status
    assert.equal(await viaKey(), 200)
    await owner.data('remove_member', { user_id: memberId })
    assert.equal(await viaKey(), 401)
    assert.equal((await asMember('list_members')).status, 403)
    const { rows } = await kit.database.pool.query('select from mcp_keys where owner_id = $1', [memberId])
    assert.equal(rows.length, 0)
    assert.equal((await owner.call('remove_member', { user_id: memberId })).status, 404)
  })

  it('leaves by themselves, and may change and remove nobody else', async () => {
    for (const role of ['member', 'viewer']) {
      const { ownerId, memberId, asMember } = await withMember(role)
      assert.equal((await asMember('remove_member', { user_id: ownerId })).status, 403)
      assert.equal((await asMember('change_role', { user_id: memberId, role: 'owner' })).status, 403)
      assert.equal((await asMember('rename_workspace', { name: 'Mine' })).status, 403)
      assert.equal((await asMember('remove_member', { user_id: memberId })).status, 200)
      assert.equal((await asMember('list_members')).status, 403)
    }
  })

  it('of another workspace is nobody here', async () => {
    const { memberId } = await withMember('member')
    const stranger = await kit.signUp('Stranger')
    for (const [operation, input] of [
      ['remove_member', { user_id: memberId }],
      ['change_role', { user_id: memberId, role: 'viewer' }],
    ] as const) {
      const refused = await stranger.call(operation, input)
      assert.equal(refused.status, 404)
      assert.match(await detailOf(refused), /list_members/)
    }
  })
})

describe('The last owner', () => {
  it('neither leaves nor becomes less', async () => {
    const { owner, ownerId } = await withMember('member')
    for (const [operation, input] of [
      ['remove_member', { user_id: ownerId }],
      ['change_role', { user_id: ownerId, role: 'member' }],
    ] as const) {
      const refused = await owner.call(operation, input)
      assert.equal(refused.status, 409)
      assert.match(await detailOf(refused), /at least one owner/)
    }
  })

  it('is always left when two owners remove or lower each other at once', async () => {
    for (const operation of ['remove_member', 'change_role']) {
      const { owner, ownerId, memberId, asMember } = await withMember('owner')
      const role = operation === 'change_role' ? { role: 'viewer' } : {}
      await Promise.all([
        owner.call(operation, { user_id: memberId, ...role }),
        asMember(operation, { user_id: ownerId, ...role }),
      ])
      const { rows } = await kit.database.pool.query(
        `select user_id from members where role = 'owner' and user_id = any ($1)
         and workspace_id = (select workspace_id from invitations where accepted_by = $2)`,
        [[ownerId, memberId], memberId],
      )
      assert.equal(rows.length, 1, operation)
    }
  })

  it('who was invited by an owner that is none any more finds the link revoked', async () => {
    const guest = await kit.signUp('Guest')
    for (const change of ['remove_member', 'change_role']) {
      const { owner, memberId, asMember } = await withMember('owner')
      const made = await asMember('invite_member', { label: 'A way back', role: 'owner' })
      const { data } = (await made.json()) as { data: Invited }
      await owner.data(change, { user_id: memberId, ...(change === 'change_role' && { role: 'member' }) })
      assert.equal((await guest.call('accept_invitation', { token: tokenOf(data) })).status, 404, change)
    }
  })

  it('who leaves their only workspace to another gets one of their own again', async () => {
    const { owner, member, ownerId, memberId } = await withMember('owner')
    await owner.data('remove_member', { user_id: ownerId })
    const { items } = await owner.data<{ items: { id: string; role: string }[] }>('list_workspaces')
    assert.deepEqual(
      items.map(({ role }) => role),
      ['owner'],
    )
    assert.notEqual(items[0]?.id, await workspaceOf(member))
    await kit.signIn(owner.email)
    assert.deepEqual((await owner.data<{ items: unknown[] }>('list_workspaces')).items.length, 1)
    assert.notEqual(ownerId, memberId)
  })
})

describe('A workspace', () => {
  it('is renamed by its owner', async () => {
    const owner = await kit.signUp('Owner')
    await owner.data('rename_workspace', { name: '  Checkout team ' })
    const { items } = await owner.data<{ items: { name: string }[] }>('list_workspaces')
    assert.equal(items[0]?.name, 'Checkout team')
    assert.equal((await owner.call('rename_workspace', { name: ' ' })).status, 422)
  })
})
