import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { eventually } from '../../../infra/runtime/testing.ts'
import { connectAgent } from '../../support/agent.ts'
import { assay, assayUnread } from '../../support/assay.ts'
import { type EmbeddedInstallation, startInstallation } from '../../support/installation.ts'
import { createKey, createSignalSource, signUp } from '../../support/person.ts'
import { sendSignal } from '../../support/sender.ts'
import { settled } from './restored.ts'

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
      const early = await assay(['provisioning-key', '--owner', person.email], directory)
      assert.equal(early.code, 1)
      assert.match(early.stderr, /No administrator of this installation has the address/)
      assert.equal((await assay(['account', 'make-administrator', '--email', person.email], directory)).code, 0)
      const { stdout } = await assay(['provisioning-key', '--owner', person.email, '--label', 'Terraform'], directory)
      const key = stdout.trim()
      assert.match(key, /^service_mcp_[0-9a-f]{32}$/)
      const text = async (name: string, input: object) => (await callTool(key, name, input)).text()
      await text('create_workspace', { name: 'Provisioned' })
      assert.match(await text('list_workspaces', {}), /Provisioned/)
      assert.match(await text('service_orient', { mode: 'snapshot' }), /scope is provisioning/)
      const { items } = await person.call<{ items: object[] }>('list_workspaces')
      assert.equal(items.length, 2)
    })

    it('lists accounts, gives a new password, and ends what a disabled account could do', async () => {
      const { dataDirectory, baseUrl } = installation()
      const account = (...words: readonly string[]) => assay(['account', ...words], { DATA_DIR: dataDirectory })
      // Whoever came first administers, and cannot be disabled while nobody else does.
      await signUp(baseUrl)
      const person = await signUp(baseUrl)
      const { key } = await createKey(person)
      const signIn = (password: string) =>
        fetch(`${baseUrl}/api/auth/sign-in/email`, {
          method: 'POST',
          headers: { 'content-type': 'application/json', origin: baseUrl },
          body: JSON.stringify({ email: person.email, password }),
        })
      assert.match((await account('list')).stdout, new RegExp(`^${person.email} +Product manager`, 'm'))
      const { stdout } = await account('reset-password', '--email', person.email)
      const password = /shown this once: (\S{20})$/m.exec(stdout)?.[1] ?? assert.fail(stdout)
      assert.equal((await signIn('a long enough password')).status, 401)
      assert.equal((await signIn(password)).status, 200)
      await assert.rejects(person.call('list_keys'), /401/)

      assert.equal((await account('disable', '--email', person.email)).code, 0)
      assert.equal((await signIn(password)).status, 403)
      assert.equal((await callTool(key, 'service_orient', { mode: 'connections' })).status, 401)
      assert.match((await account()).stdout, new RegExp(`^${person.email} .*disabled$`, 'm'))
      assert.equal((await account('enable', '--email', person.email)).code, 0)
      assert.equal((await signIn(password)).status, 200)

      const unknown = await account('disable', '--email', 'nobody@example.com')
      assert.deepEqual([unknown.code, /No account here has the address/.test(unknown.stderr)], [1, true])
      const unnamed = await account('disable')
      assert.deepEqual([unnamed.code, /--email/.test(unnamed.stderr)], [1, true])
    })

    it('has commands that come to their end though nobody reads what they print', async () => {
      const { dataDirectory } = installation()
      const backup = join(dataDirectory, 'unread.backup')
      for (const [words, directory] of [
        [['--version'], dataDirectory],
        [['all', '--print-config'], dataDirectory],
        [['account', 'list'], dataDirectory],
        [['incident'], dataDirectory],
        [['key', 'status'], dataDirectory],
        [['erasures', 'save', dataDirectory], dataDirectory],
        [['backup', backup], dataDirectory],
        [['restore', backup], join(dataDirectory, 'unread')],
        [['ledger'], join(dataDirectory, 'unread')],
      ] as const) {
        assert.deepEqual(await assayUnread(words, { DATA_DIR: directory }), { code: 0, stderr: '' }, words.join(' '))
      }
      await rm(join(dataDirectory, 'unread'), { recursive: true })
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

      await settled(installation())
      await installation().stop()
      const { code, stdout } = await assay(['ledger', '--json'], directory)
      assert.equal(code, 0)
      // Its accounts are there while it is stopped too.
      assert.match((await assay(['account', 'list'], directory)).stdout, /administrator$/m)
      const { verdict, waiting_on_the_log, total } = JSON.parse(stdout)
      assert.deepEqual([verdict, waiting_on_the_log], ['balanced', 0])
      // Of the person who was erased.
      assert.equal(total.erased, 2)
      const inserted = total.received - total.erased
      assert.deepEqual(total.inserted, { postgres: inserted, clickhouse: inserted })
    })

    it('makes no data where there is none to count', async () => {
      const { code, stderr } = await assay(['ledger'], { DATA_DIR: `${installation().dataDirectory}/elsewhere` })
      assert.equal(code, 1)
      assert.match(stderr, /There is no data of Assay in .*elsewhere/)
    })
  })
}
