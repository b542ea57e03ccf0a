import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { describe } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import type { CreatedKey } from '../../support/person.ts'
import { holds } from '../holds.ts'
import { answersOf, bearing, contentOf, type RpcAnswer, request, rpc, toolCall } from '../rpc.ts'
import type { Beginning } from '../world.ts'

const LOOK = toolCall('service_orient', { mode: 'connections' })

const assertInvalidKey = ({ status, body }: RpcAnswer): void => {
  assert.equal(status, 401)
  assert.deepEqual(body, { jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'Invalid or missing API key' } })
}

/** Posts from an address that nobody else comes from. */
const postFrom = (localAddress: string, url: string, body: string) =>
  new Promise<{ status: number; body: string; retryAfter: string | undefined }>((resolve, reject) => {
    httpRequest(url, { method: 'POST', localAddress, headers: { 'content-type': 'application/json' } })
      .once('response', async response =>
        resolve({
          status: response.statusCode ?? 0,
          body: await text(response),
          retryAfter: response.headers['retry-after'],
        }),
      )
      .once('error', reject)
      .end(body)
  })

export const describeErrors = ({ world, early }: Beginning): void => {
  const ask = (message: object | string, headers: Readonly<Record<string, string>> = {}) =>
    rpc(world().baseUrl, message, { headers })
  const withKey = (message: object) => ask(message, bearing(world().key.key))

  describe('Errors of the MCP endpoint', () => {
    const revoked = early(async ({ person }) => {
      const key = await person.call<CreatedKey>('create_key', { label: 'To be revoked' })
      await person.call('delete_key', { id: key.id })
      return key
    })

    holds('error-1', async () => {
      for (const message of ['{', '[]', '{}', '"text"']) {
        const { body, headers } = await ask(message)
        assert.match(headers.get('content-type') ?? '', /^application\/json/)
        assert.equal(typeof body?.error?.code, 'number')
        assert.equal(typeof body?.error?.message, 'string')
      }
      const url = `${world().baseUrl}/api/mcp`
      const padded = (length: number) => JSON.stringify(request('ping', { padding: 'x'.repeat(length) }))
      for (const [status, init] of [
        [405, { method: 'GET' }],
        [401, { method: 'POST', headers: { 'content-type': 'application/json' }, body: padded(100_000) }],
        [413, { method: 'POST', headers: { 'content-type': 'application/json' }, body: padded(5_000_000) }],
        [415, { method: 'POST', headers: { 'content-type': 'text/plain' }, body: '{}' }],
      ] as const) {
        const response = await fetch(url, init)
        assert.equal(response.status, status)
        const { error } = JSON.parse(await response.text())
        assert.deepEqual([typeof error.code, typeof error.message], ['number', 'string'])
      }
    })
    holds('error-2', async () => assertInvalidKey(await ask(LOOK)))
    holds('error-3', async () => {
      const { key } = world().key
      for (const authorization of [`Bearer ${key}0`, `Bearer ${key.toUpperCase()}`, `Basic ${key}`, key, 'Bearer']) {
        assertInvalidKey(await ask(LOOK, { authorization }))
      }
    })
    holds('error-4', async () => assertInvalidKey(await ask(LOOK, bearing(revoked().key))))
    holds('error-5', async () => {
      const { headers } = await ask(LOOK)
      const challenge = headers.get('www-authenticate') ?? ''
      const [, url = ''] = /^Bearer resource_metadata="?([^"]+)"?$/.exec(challenge) ?? []
      assert.equal(url, `${world().baseUrl}/.well-known/oauth-protected-resource`)
      assert.equal((await fetch(url)).status, 200)
    })
    holds('error-6', async () => {
      const batch = JSON.stringify(Array.from({ length: 50 }, (_, id) => request('ping', {}, id)))
      const send = () => postFrom('127.0.0.9', `${world().baseUrl}/api/mcp`, batch)
      const limited = await eventually('an address without a key is limited', async () => {
        const answer = await send()
        return answer.status === 429 ? answer : null
      })
      const [{ error }] = JSON.parse(limited.body)
      assert.equal(error.code, -32002)
      const [, seconds] = /^Rate limit exceeded\. Retry after (\d+)s\.$/.exec(error.message) ?? []
      assert.equal(limited.retryAfter, seconds)
      assert.ok(Number(seconds) > 0)
    })
    holds('error-7', async () => {
      const { status, body } = await withKey(request('tools/destroy'))
      assert.deepEqual([status, body?.error?.code, body?.id], [200, -32601, 1])
    })
    holds('error-8', async () => {
      for (const message of [
        toolCall('service_orient', { mode: 'nothing' }),
        toolCall('service_nothing', {}),
        request('tools/call', {}),
        request('tools/call', { name: 'service_orient', arguments: 'none' }),
      ]) {
        const { status, body } = await withKey(message)
        assert.deepEqual([status, body?.error?.code, body?.id], [200, -32602, 1])
      }
    })
  })

  describe('Work units', () => {
    const costOf = async (name: string, input: object) => {
      const { body } = await withKey(toolCall(name, input))
      return contentOf(body).meta.work_units
    }

    holds('metering-1', async () => assert.ok((await costOf('service_orient', { mode: 'snapshot' })) > 0))
    holds('metering-2', async () => {
      const read = await costOf('service_orient', { mode: 'connections' })
      const write = await costOf('service_map', { mode: 'add_node', name: 'Metering' })
      assert.ok(read === 1 && write > read)
    })
    holds('metering-3', async () => {
      const job = await costOf('service_support', { mode: 'start_job', job_kind: 're_judge' })
      assert.ok(job > (await costOf('service_map', { mode: 'add_node', name: 'Long work' })))
    })
    holds('metering-4', async () => {
      const { body } = await withKey([LOOK, { ...LOOK, id: 2 }])
      assert.deepEqual(
        answersOf(body).map(answer => contentOf(answer).meta.work_units),
        [1, 1],
      )
    })
    holds('metering-5', async () => {
      const batch = Array.from({ length: 40 }, (_, id) => ({ ...LOOK, id }))
      const { status, body } = await withKey(batch)
      assert.equal(status, 200)
      assert.ok(answersOf(body).every(answer => answer?.result !== undefined))
    })
  })
}
