import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Installation } from '../../support/installation.ts'
import { type CreatedKey, type CreatedSource, createKey, createSignalSource, signUp } from '../../support/person.ts'
import { post, type SenderAnswer, sendSignal, sign } from '../../support/sender.ts'

const assertProblem = (answer: SenderAnswer, status: number, detail: RegExp): void => {
  assert.equal(answer.status, status, JSON.stringify(answer.body))
  assert.match(answer.headers.get('content-type') ?? '', /^application\/problem\+json/)
  assert.equal(answer.body.ok, false)
  assert.equal(answer.body.status, status)
  assert.match(JSON.stringify(answer.body), detail)
}

export const describeRefusals = (installation: () => Installation): void => {
  describe('What is wrong gets the documented answer', () => {
    let source: CreatedSource
    let key: CreatedKey

    before(async () => {
      const person = await signUp(installation().baseUrl)
      source = await createSignalSource(person)
      key = await createKey(person)
    })

    it('401 for a signature of another body, of no form, and for none', async () => {
      const body = '{"text":"hello"}'
      const otherBody = sign(source.secret, '{"text":"bye"}')
      assertProblem(await post(source.url, body, { 'x-service-signature': otherBody }), 401, /does not match|differs/i)
      assertProblem(await post(source.url, body, { 'x-service-signature': 'sha256=zzz' }), 401, /sha256=/i)
      assertProblem(await post(source.url, body), 401, /X-Service-Signature/i)
    })

    it('404 for an id that no endpoint has', async () => {
      const url = source.url.replace(source.id, '00000000-0000-7000-8000-000000000000')
      assertProblem(await post(url, '{"text":"hello"}'), 404, /endpoint/i)
    })

    it('413 for a body over 768 KiB', async () => {
      const body = JSON.stringify({ text: 'x', metadata: { padding: 'y'.repeat(800 * 1024) } })
      assertProblem(
        await post(source.url, body, { 'x-service-signature': sign(source.secret, body) }),
        413,
        /786432|768/,
      )
    })

    it('400 for broken JSON', async () => {
      const body = '{"text": "unfinished'
      assertProblem(await post(source.url, body, { 'x-service-signature': sign(source.secret, body) }), 400, /JSON/)
    })

    it('422 for a text of 50,001 characters, and 200 for 50,000 even of two code units each', async () => {
      assertProblem(await sendSignal(source, { text: 'a'.repeat(50_001) }), 422, /\/text/)
      const { status } = await sendSignal(source, { text: '🌱'.repeat(50_000) })
      assert.equal(status, 200)
    })

    it('405 with Allow for another method', async () => {
      const response = await fetch(source.url)
      assert.equal(response.status, 405)
      assert.equal(response.headers.get('allow'), 'POST')
    })

    const rpc = async (message: object | string, headers: Readonly<Record<string, string>> = {}) => {
      const response = await fetch(`${installation().baseUrl}/api/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: typeof message === 'string' ? message : JSON.stringify(message),
      })
      return { response, body: (await response.json()) as { error?: { code: number; message: string }; id?: unknown } }
    }

    it('-32601 under HTTP 200 for a method that MCP does not have', async () => {
      const { response, body } = await rpc({ jsonrpc: '2.0', id: 7, method: 'tools/destroy' })
      assert.equal(response.status, 200)
      assert.equal(body.error?.code, -32601)
      assert.equal(body.id, 7)
    })

    it('401, -32000 and the challenge for a call without a key or with a wrong one', async () => {
      const call = {
        jsonrpc: '2.0',
        id: 'a',
        method: 'tools/call',
        params: { name: 'service_orient', arguments: { mode: 'snapshot' } },
      }
      for (const headers of [{}, { authorization: 'Bearer service_mcp_00000000000000000000000000000000' }]) {
        const { response, body } = await rpc(call, headers as Record<string, string>)
        assert.equal(response.status, 401)
        assert.deepEqual(body.error, { code: -32000, message: 'Invalid or missing API key' })
        assert.match(
          response.headers.get('www-authenticate') ?? '',
          /^Bearer resource_metadata="?http.*\/\.well-known\/oauth-protected-resource/,
        )
      }
    })

    it('needs no key for initialize, ping, notifications and tools/list', async () => {
      const initialized = await rpc({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} })
      assert.equal(initialized.response.status, 200)
      assert.equal(
        (initialized.body as { result?: { protocolVersion?: string } }).result?.protocolVersion,
        '2024-11-05',
      )
      assert.equal((await rpc({ jsonrpc: '2.0', id: 2, method: 'ping' })).response.status, 200)
      const listed = await rpc({ jsonrpc: '2.0', id: 3, method: 'tools/list' })
      assert.equal((listed.body as { result?: { tools?: unknown[] } }).result?.tools?.length, 8)
      const notified = await fetch(`${installation().baseUrl}/api/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/initialized' }),
      })
      assert.equal(notified.status, 202)
    })

    it("answers not found for another workspace's objects, with a key and in the app", async () => {
      const stranger = await signUp(installation().baseUrl)
      const { body } = await sendSignal(source, { text: 'Only the workspace that received this may read it.' })
      const strangersKey = await createKey(stranger)
      const lookup = (bearer: string) =>
        rpc(
          {
            jsonrpc: '2.0',
            id: 1,
            method: 'tools/call',
            params: { name: 'service_lookup', arguments: { mode: 'signal', id: body.snippet_id } },
          },
          { authorization: `Bearer ${bearer}` },
        )
      const theirs = await lookup(strangersKey.key)
      assert.equal((theirs.body as { result?: { isError?: boolean } }).result?.isError, true)
      assert.doesNotMatch(JSON.stringify(theirs.body), /Only the workspace/)
      await assert.rejects(stranger.call('delete_source', { id: source.id }), /404/)
      await assert.rejects(stranger.call('delete_key', { id: key.id }), /404/)
    })
  })
}
