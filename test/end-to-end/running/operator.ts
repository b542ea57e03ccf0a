import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { connectAgent } from '../../support/agent.ts'
import { assay } from '../../support/assay.ts'
import { type EmbeddedInstallation, startInstallation } from '../../support/installation.ts'
import { createKey, createSignalSource, signUp } from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'

/** What whoever runs an installation does to it. It is stopped in the end. */
export const describeOperator = (installation: () => EmbeddedInstallation): void => {
  describe('Its operator', () => {
    it('refuses a second start on its data directory in a sentence', async () => {
      await assert.rejects(startInstallation({ DATA_DIR: installation().dataDirectory }), (error: Error) => {
        assert.match(error.message, /Another Assay is running on the data directory/)
        return true
      })
    })

    const callTool = (key: string, name: string, input: object) =>
      fetch(`${installation().baseUrl}/api/mcp`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${key}` },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: input } }),
      })

    it('limits what agents may cost while the operator has turned the incident switch on', async () => {
      const directory = { DATA_DIR: installation().dataDirectory }
      const { key } = await createKey(await signUp(installation().baseUrl))
      const look = () => callTool(key, 'service_orient', { mode: 'connections' })
      assert.match((await assay(['incident'], directory)).stdout, /limit is off/)
      const on = await assay(['incident', 'on', '--units-per-minute', '10'], directory)
      assert.match(on.stdout, /on: 10 work units a minute/)
      const limited = await eventually('the limit is heeded', async () => {
        const response = await look()
        return response.status === 429 ? response : null
      })
      assert.ok(Number(limited.headers.get('retry-after')) > 0)
      assert.match(await limited.text(), /"code":-32002,"message":"Rate limit exceeded. Retry after \d+s\."/)
      assert.match((await assay(['incident', 'off'], directory)).stdout, /limit is off/)
      await eventually('the limit is gone', async () => (await look()).status === 200)
      assert.equal((await assay(['incident', 'on', '--units-per-minute', '0'], directory)).code, 1)
    })

    it('prints a provisioning key for the operator, which makes and lists workspaces and does nothing else', async () => {
      const directory = { DATA_DIR: installation().dataDirectory }
      const person = await signUp(installation().baseUrl)
      const { stdout } = await assay(['provisioning-key', '--owner', person.email, '--label', 'Terraform'], directory)
      const key = stdout.trim()
      assert.match(key, /^service_mcp_[0-9a-f]{32}$/)
      const text = async (name: string, input: object) => (await callTool(key, name, input)).text()
      await text('create_workspace', { name: 'Provisioned' })
      assert.match(await text('list_workspaces', {}), /Provisioned/)
      assert.match(await text('service_orient', { mode: 'snapshot' }), /scope is provisioning/)
      const { items } = await person.call<{ items: object[] }>('list_workspaces')
      assert.equal(items.length, 2)
      const unknown = await assay(['provisioning-key', '--owner', 'nobody@example.com'], directory)
      assert.equal(unknown.code, 1)
      assert.match(unknown.stderr, /Nobody with the address nobody@example.com owns a workspace/)
    })

    it('stops when it is asked to: it answers what is under way, ends with code 0, and keeps what was answered', async () => {
      const person = await signUp(installation().baseUrl)
      const source = await createSignalSource(person)
      const { key } = await createKey(person)
      const texts = Array.from(
        { length: 40 },
        (_, index) => `Parcel ${index} of the ${index * 7919} arrived at gate ${index * 104_729}`,
      )
      const sending = texts.map(text => sendSignal(source, { text }).catch(() => null))
      await Promise.race(sending)
      assert.equal(await installation().stop(), 0)
      const accepted = (await Promise.all(sending)).filter(answer => answer?.status === 200)
      assert.ok(accepted.length > 0)

      await installation().start()
      const agent = await connectAgent(installation().baseUrl, key)
      for (const answer of accepted) {
        await eventually('what was answered 200 is kept', async () => {
          const { data } = await agent.call<{ signal: object | null }>('service_lookup', {
            mode: 'signal',
            id: String(answer?.body.snippet_id),
          })
          return data.signal
        })
      }
      await agent.close()
    })

    it('gives its ledger to the command only once it is stopped, and says whom to ask meanwhile', async () => {
      const directory = { DATA_DIR: installation().dataDirectory }
      const running = await assay(['ledger'], directory)
      assert.equal(running.code, 1)
      assert.match(running.stderr, /is running on the data directory .* service_support mode ledger/)

      await installation().stop()
      const { code, stdout } = await assay(['ledger', '--json'], directory)
      assert.equal(code, 0)
      const { verdict, waiting_on_the_log, total } = JSON.parse(stdout)
      assert.deepEqual([verdict, waiting_on_the_log], ['balanced', 0])
      assert.ok(total.received > 0)
      assert.deepEqual(total.inserted, { postgres: total.received, clickhouse: total.received })
    })

    it('makes no data where there is none to count', async () => {
      const { code, stderr } = await assay(['ledger'], { DATA_DIR: `${installation().dataDirectory}/elsewhere` })
      assert.equal(code, 1)
      assert.match(stderr, /There is no data of Assay in .*elsewhere/)
    })
  })
}
