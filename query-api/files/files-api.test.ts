import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { createExportJob } from '../../processors/jobs/export/export.ts'
import { createLeases } from '../../processors/jobs/runner.ts'
import { type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'

let kit: TestApi
let owner: Person
before(async () => {
  kit = await startTestApi()
  owner = await kit.signUp()
})
after(() => kit.stop())

const ask = (path: string, options: RequestInit & { readonly duplex?: 'half' } = {}) =>
  kit.api.fetch(new Request(`${TEST_BASE_URL}${path}`, options))
const upload = (headers: Record<string, string>, body: string | null = 'text\nIt hangs\n') =>
  ask('/api/files/imports?name=feed%0Aback.csv', { method: 'POST', headers, body })
const codeOf = async (response: Response): Promise<string> => ((await response.json()) as { code: string }).code

const workspaceOf = async (person: Person): Promise<string> =>
  (await person.data<{ items: { id: string }[] }>('list_workspaces')).items[0]?.id ?? ''

/** Gives a person a role in the owner's workspace. */
const joins = async (person: Person, role: string): Promise<Record<string, string>> => {
  const id = await workspaceOf(owner)
  await kit.database.pool.query(
    'insert into members (workspace_id, user_id, role) select $1, id, $3 from account_users where email = $2',
    [id, person.email, role],
  )
  return { cookie: person.cookie, 'x-workspace-id': id }
}

const exported = async (): Promise<string> => {
  const { id } = await owner.data<{ id: string }>('start_export')
  const { database } = kit.database
  const leases = createLeases(database, 60_000)
  const job = await leases.take(['export'])
  assert.ok(job)
  const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
  const { id: jobId, workspace_id: workspaceId, input, cursor } = job
  await leases.store(job, await createExportJob({ database, sealer }).slice({ jobId, workspaceId, input, cursor }))
  return id
}

describe('The door for files', () => {
  it('takes a file from a member, as it comes, under a name without signs that break headers', async () => {
    const stream = new ReadableStream<Uint8Array>({
      start(controller) {
        for (const part of ['{"text":', '"It ha', 'ngs"}\n']) controller.enqueue(Buffer.from(part))
        controller.close()
      },
    })
    const answer = await ask('/api/files/imports?name=feed%0Aback.jsonl', {
      method: 'POST',
      headers: { cookie: owner.cookie },
      body: stream,
      duplex: 'half',
    })
    assert.equal(answer.status, 201)
    const { data } = (await answer.json()) as { data: { id: string; format: string } }
    assert.equal(data.format, 'json_lines')
    const { items } = await owner.data<{ items: { id: string; name: string; bytes: number }[] }>('list_transfers')
    assert.partialDeepStrictEqual(items, [{ id: data.id, name: 'feedback.jsonl', bytes: 20 }])
  })

  it('gives back what is held of files that are refused before their end', async () => {
    const member = await joins(await kit.signUp(), 'member')
    const long = `{"format":"assay workspace export","version":1}\n${'x'.repeat(600_000)}`
    // A person has room for some dozen at once.
    for (let time = 0; time < 40; time += 1)
      assert.equal((await upload({ ...member, 'content-length': String(4_000_000_000) }, long)).status, 413)
    assert.equal((await upload(member)).status, 201)
  })

  it('leaves nothing of a file that breaks off', async () => {
    const before = (await owner.data<{ count: number }>('list_transfers')).count
    let sent = false
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent) controller.error(new Error('The client has left.'))
        else controller.enqueue(Buffer.alloc(300_000, 'x'))
        sent = true
      },
    })
    const headers = { cookie: owner.cookie }
    const answer = await ask('/api/files/imports', { method: 'POST', headers, body: broken, duplex: 'half' })
    assert.equal(answer.status, 400)
    assert.equal(await codeOf(answer), 'invalid_input')
    assert.equal((await owner.data<{ count: number }>('list_transfers')).count, before)
  })

  it('is closed to whoever is not signed in, to other origins, and to viewers', async () => {
    assert.equal(await codeOf(await upload({})), 'unauthorized')
    assert.equal(await codeOf(await upload({ cookie: owner.cookie, origin: 'https://evil.example' })), 'forbidden')
    assert.equal(await codeOf(await upload(await joins(await kit.signUp(), 'viewer'))), 'forbidden')
    assert.equal(await codeOf(await upload({ cookie: owner.cookie }, null)), 'invalid_input')
  })

  it('hands an export to an owner of its workspace and to nobody else', async () => {
    const id = await exported()
    const take = (headers: Record<string, string>, query = '') => ask(`/api/files/exports/${id}${query}`, { headers })
    const file = await take({ cookie: owner.cookie })
    assert.equal(file.status, 200)
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename\*=UTF-8''[\w.-]+\.assay\.jsonl$/)
    assert.equal(file.headers.get('cache-control'), 'no-store')
    const text = await file.text()
    assert.match(text, /^\{"assay_export":1,/)
    assert.equal(Buffer.byteLength(text), Number(file.headers.get('content-length')))
    const named = await take({ cookie: owner.cookie }, `?workspace_id=${await workspaceOf(owner)}`)
    assert.equal(await named.text(), text)

    const stranger = await kit.signUp()
    assert.equal(await codeOf(await take({})), 'unauthorized')
    assert.equal(await codeOf(await take({ cookie: owner.cookie, origin: 'https://evil.example' })), 'forbidden')
    assert.equal(await codeOf(await take({ cookie: stranger.cookie })), 'not_found')
    const elsewhere = `?workspace_id=${await workspaceOf(owner)}`
    assert.equal(await codeOf(await take({ cookie: stranger.cookie }, elsewhere)), 'forbidden')
    assert.equal(await codeOf(await take(await joins(stranger, 'member'))), 'forbidden')
    assert.equal(await codeOf(await ask('/api/files/exports/none', { headers: { cookie: owner.cookie } })), 'not_found')
  })
})
