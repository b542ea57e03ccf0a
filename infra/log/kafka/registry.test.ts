import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, type TestContext, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describeWithStack } from '../../stack/testing.ts'
import { describeRegistryConformance, nameField, thing } from '../conformance/registry.ts'
import { assertConfluentRegistry, createConfluentRegistry } from './index.ts'

const execute = promisify(execFile)

await describeWithStack(['registry'], stack => {
  const url = stack.urls.SCHEMA_REGISTRY_URL ?? ''
  after(() => stack.stop())
  describeRegistryConformance("a registry with Confluent's API", async () => [
    createConfluentRegistry({ url }),
    createConfluentRegistry({ url: `${url}/` }),
  ])

  test('A subject that somebody gave other rules is refused, with the rule that it needs.', async () => {
    const registry = createConfluentRegistry({ url })
    await registry.register('ruled', thing(nameField))
    await fetch(`${url}/config/ruled`, {
      method: 'PUT',
      headers: { 'content-type': 'application/vnd.schemaregistry.v1+json' },
      body: JSON.stringify({ compatibility: 'NONE' }),
    })
    await assert.rejects(registry.register('ruled', thing(nameField)), {
      code: 'conflict',
      message: /"ruled".*NONE.*BACKWARD_TRANSITIVE/s,
    })
  })

  test('A program that has asked the registry can end.', async () => {
    const door = fileURLToPath(new URL('./index.ts', import.meta.url))
    const program = `
      const { createConfluentRegistry } = await import(${JSON.stringify(door)})
      const registry = createConfluentRegistry({ url: ${JSON.stringify(url)} })
      console.log(await registry.register('ending', ${JSON.stringify(thing(nameField))}))`
    const flags = ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program]
    const { stdout, stderr } = await execute(process.execPath, flags, { timeout: 20_000 })
    assert.match(stdout, /^\d+\n$/)
    assert.equal(stderr, '')
  })
})

/** A server in the registry's place, and its address with these credentials. */
const impostor = async (t: TestContext, answer: RequestListener, credentials = ''): Promise<string> => {
  const server = createServer(answer).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    server.closeAllConnections()
    server.close()
  })
  // A server that listens on a host and port has an address of this kind.
  return `http://${credentials}127.0.0.1:${(server.address() as AddressInfo).port}`
}

test('A registry that is away is unavailable: the call may be tried again.', async () => {
  // Port 1 is reserved, and nobody listens there.
  const registry = createConfluentRegistry({ url: 'http://127.0.0.1:1' })
  await assert.rejects(registry.register('thing', thing(nameField)), { code: 'unavailable', retriable: true })
  await assert.rejects(registry.schemaById(1), { code: 'unavailable', retriable: true })
})

test('A registry that keeps silent is given up, and is unavailable.', async t => {
  const registry = createConfluentRegistry({ url: await impostor(t, () => {}), timeoutMs: 50 })
  await assert.rejects(registry.register('thing', thing(nameField)), { code: 'unavailable' })
  await assert.rejects(registry.schemaById(1), { code: 'unavailable' })
})

test('What answers in the place of a registry, as a proxy does, is taken for none.', async t => {
  for (const status of [200, 400, 500, 502]) {
    const url = await impostor(t, (_, response) => response.writeHead(status).end('<html>Soon back.</html>'))
    const registry = createConfluentRegistry({ url })
    await assert.rejects(registry.register('thing', thing(nameField)), { code: 'unavailable' })
    await assert.rejects(registry.schemaById(1), { code: 'unavailable' })
  }
})

test('The user and password of the address are sent, and stay out of the error when they are refused.', async t => {
  const sent: (string | undefined)[] = []
  const answer: RequestListener = ({ headers }, response) => {
    sent.push(headers.authorization)
    response.writeHead(401).end()
  }
  const registry = createConfluentRegistry({ url: await impostor(t, answer, 'user:pass%40word@') })
  const refused = await registry.schemaById(1).catch(error => error)
  assert.equal(refused.code, 'forbidden')
  assert.deepEqual(sent, [`Basic ${Buffer.from('user:pass@word').toString('base64')}`])
  assert.doesNotMatch(`${refused.message} ${refused.cause.message} ${refused.cause.url}`, /pass/)
})

test('An address that leads to something else than a registry is a setting that is wrong, and one that answers not is waited for.', async t => {
  const wrong = [
    await impostor(t, (_, response) => response.writeHead(404).end('{"message":"No such page."}')),
    await impostor(t, (_, response) => response.writeHead(200).end('<html>Apicurio Registry</html>')),
    await impostor(t, (_, response) => response.writeHead(200).end('{"subjects":[]}')),
  ]
  for (const url of wrong) {
    const error = { code: 'invalid_configuration', message: /SCHEMA_REGISTRY_URL.*ccompat/, retriable: false }
    await assert.rejects(assertConfluentRegistry(url), error)
  }
  const away = await impostor(t, (_, response) => response.writeHead(503).end())
  for (const url of [away, 'http://127.0.0.1:1'])
    await assert.rejects(assertConfluentRegistry(url), { code: 'unavailable', retriable: true })
  const signedIn: string[] = []
  const right = await impostor(
    t,
    ({ url = '', headers }, response) => {
      signedIn.push(`${url} ${headers.authorization}`)
      response.end('["signals.validate-value"]')
    },
    'assay:se%2Fcret@',
  )
  await assertConfluentRegistry(`${right}/apis/ccompat/v7/`)
  const basic = Buffer.from('assay:se/cret').toString('base64')
  assert.deepEqual(signedIn, [`/apis/ccompat/v7/subjects Basic ${basic}`])
})
