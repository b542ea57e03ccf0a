import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../infra/runtime/secrets.ts'
import { PIECE_BYTES } from '../../model/transfers/pieces.ts'
import { createExportJob } from '../../processors/jobs/export/export.ts'
import { createLeases } from '../../processors/jobs/runner.ts'
import { type Person, startTestApi, TEST_BASE_URL, type TestApi } from '../testing.ts'

let kit: TestApi
let owner: Person
let place: string
before(async () => {
  kit = await startTestApi()
  owner = await kit.signUp()
  const { items } = await owner.data<{ items: { id: string }[] }>('list_workspaces')
  place = items[0]?.id ?? assert.fail()
})
after(() => kit.stop())

/** Somebody with a role in the owner's workspace, and what takes it from them. */
const colleague = async (role: string) => {
  const person = await kit.signUp('Colleague')
  const { url } = await owner.data<{ url: string }>('invite_member', { label: 'Colleague', role })
  await person.data('accept_invitation', { token: new URL(url).hash.slice(1) })
  const { items } = await owner.data<{ items: { user_id: string; name: string }[] }>('list_members')
  const userId = items.find(({ name }) => name === 'Colleague')?.user_id
  return {
    headers: { cookie: person.cookie, 'x-workspace-id': place },
    call: (operation: string) => person.call(operation, {}, { 'x-workspace-id': place }),
    remove: () => owner.data('remove_member', { user_id: userId }),
  }
}

const ask = (path: string, options: RequestInit & { readonly duplex?: 'half' }) =>
  kit.api.fetch(new Request(`${TEST_BASE_URL}${path}`, options))

const stored = async (): Promise<object> => {
  const { rows } = await kit.database.pool.query(
    'select (select count(*)::int from transfers) as transfers, (select count(*)::int from transfer_pieces) as pieces',
  )
  return rows[0]
}

const runExport = async (): Promise<void> => {
  const { database } = kit.database
  const leases = createLeases(database, 60_000)
  const job = (await leases.take(['export'])) ?? assert.fail('no export waits')
  const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
  const { id: jobId, workspace_id: workspaceId, input, cursor } = job
  await leases.store(job, await createExportJob({ database, sealer }).slice({ jobId, workspaceId, input, cursor }))
}

describe('A member who is removed', () => {
  it('does not bring the rest of a file that is on its way, and nothing of it stays', async () => {
    const { headers, remove } = await colleague('member')
    const before = await stored()
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      pull: async controller => {
        sent += 1
        if (sent === 3) await remove()
        if (sent === 5) controller.close()
        else controller.enqueue(Buffer.alloc(PIECE_BYTES, 'x'))
      },
    })
    const answer = await ask('/api/files/imports?name=feedback.csv', { method: 'POST', headers, body, duplex: 'half' })
    assert.equal(answer.status, 403, await answer.text())
    assert.deepEqual(await stored(), before)
  })

  it('leaves the jobs that they started to the workspace, and takes nothing of what these make', async () => {
    const { headers, call, remove } = await colleague('owner')
    const { data } = (await (await call('start_export')).json()) as { data: { id: string } }
    await remove()
    await runExport()
    const path = `/api/files/exports/${data.id}`
    assert.equal((await ask(path, { headers })).status, 403)
    const taken = await ask(path, { headers: { cookie: owner.cookie } })
    assert.equal(taken.status, 200)
    assert.ok((await taken.text()).length > 0)
  })
})
