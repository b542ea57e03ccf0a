import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { startTestDatabase, type TestDatabase } from '../infra/postgres/testing.ts'
import { parseConfig } from '../infra/runtime/config.ts'
import { createLogger } from '../infra/runtime/logger.ts'
import { createMetrics } from '../infra/runtime/metrics.ts'
import { INSTALLATION_KEY_BYTES } from '../infra/runtime/secrets.ts'
import { QUERY_API_CONFIG } from './config.ts'
import { createBodyBudget } from './http/body-budget.ts'
import { createBodyDoor } from './http/body-door.ts'
import { type QueryApi, type QueryApiPorts, startQueryApi } from './query-api.ts'

/** A handler on a port of this machine, for test clients with their own connections. */
export const serveForTests = async (handler: (request: Request) => Promise<Response>) => {
  const server = createServer(getRequestListener(handler))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  // A server that listens on TCP has such an address.
  const { port } = server.address() as AddressInfo
  return { origin: `http://localhost:${port}`, stop: () => server.close() }
}

/** A door for bodies without a thread for large ones. */
export const testDoor = () =>
  createBodyDoor(createBodyBudget(), {
    run: () => Promise.reject(new Error('There is no thread in this test.')),
    stop: async () => {},
  })

export const TEST_BASE_URL = 'http://assay.test'

const json = { 'content-type': 'application/json' }

/** An operator's settings with only a mail domain, and without limits for sign-ins. */
export const TEST_SETTINGS: QueryApiPorts['settings'] = {
  ...parseConfig(QUERY_API_CONFIG, {}),
  baseUrl: TEST_BASE_URL,
  signUp: 'open',
  signOn: null,
  throttleSignIn: false,
  searchMegabytes: 64,
  mailDomain: 'in.assay.test',
}

/** A browser's cookies after an answer: earlier ones, new ones, without ended ones. */
export const cookiesAfter = (response: Response, before = ''): string => {
  const jar = new Map(
    before.split('; ').flatMap(pair => (pair === '' ? [] : [pair.split(/=(.*)/s) as [string, string]])),
  )
  for (const cookie of response.headers.getSetCookie()) {
    const [name = '', value = ''] = (cookie.split(';')[0] ?? '').split(/=(.*)/s)
    if (/max-age=0/i.test(cookie)) jar.delete(name)
    else jar.set(name, value)
  }
  return [...jar].map(([name, value]) => `${name}=${value}`).join('; ')
}

interface OfABrowser {
  readonly cookie?: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A page's request to an account route, after `/api/auth/`. A POST when it has a body. */
export const accountRequest = (path: string, body?: object, { cookie = '', headers }: OfABrowser = {}): Request =>
  new Request(`${TEST_BASE_URL}/api/auth/${path}`, {
    headers: { cookie, origin: TEST_BASE_URL, ...json, ...headers },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })

export interface Person {
  readonly email: string
  /** Posts to the app's door as this person. */
  call(operation: string, input?: object, headers?: Readonly<Record<string, string>>): Promise<Response>
  /** The `data` of an operation that succeeds. */
  data<Data = Record<string, unknown>>(operation: string, input?: object): Promise<Data>
  readonly cookie: string
}

export interface TestApi {
  readonly api: QueryApi
  /** Starts another program on the same database, as behind a load balancer. */
  replica(ports?: Partial<QueryApiPorts>): Promise<QueryApi>
  readonly database: TestDatabase
  signUp(name?: string): Promise<Person>
  signIn(email: string): Promise<Person>
  /** Posts a JSON-RPC message, or a raw text, to the MCP endpoint. */
  rpc(message: unknown, headers?: Readonly<Record<string, string>>, query?: string): Promise<Response>
  stop(): Promise<void>
}

export const TEST_INSTALLATION_KEY = new Uint8Array(INSTALLATION_KEY_BYTES).fill(7)
export const TEST_PASSWORD = 'correct horse battery'

/** The query API on its own database, for tests that speak to it like its clients. Missing ports do nothing. */
export const startTestApi = async (ports: Partial<QueryApiPorts> = {}): Promise<TestApi> => {
  const database = await startTestDatabase()
  const usual: Omit<QueryApiPorts, 'metrics'> & Partial<QueryApiPorts> = {
    database: database.database,
    accountsPool: database.pool,
    assertMigrated: async () => {},
    analytics: {
      query: async () => [],
      insert: async () => {},
      remove: async () => {},
      rewrite: async () => {},
      ping: async () => {},
      close: async () => {},
    },
    pingLog: async () => {},
    pingRegistry: async () => {},
    embedder: { model: 'test', limitation: null, embed: async texts => texts.map(() => new Float32Array(1024)) },
    mailer: null,
    appendSignal: async () => {},
    encodeSignal: () => new Uint8Array(),
    readSignal: () => Promise.reject(new Error('No record is read in this test.')),
    installationKey: TEST_INSTALLATION_KEY,
    logger: createLogger({ level: 'silent', program: 'test' }),
    settings: TEST_SETTINGS,
    ...ports,
  }
  const start = (others: Partial<QueryApiPorts> = {}) =>
    startQueryApi({ metrics: createMetrics({ program: 'test', ofProcess: false }), ...usual, ...others })
  const api = await start()
  const post = (path: string, body: string, headers: Readonly<Record<string, string>>) =>
    api.fetch(new Request(`${TEST_BASE_URL}${path}`, { method: 'POST', body, headers: { ...json, ...headers } }))

  const enter = async (path: string, fields: { readonly email: string }): Promise<Person> => {
    const response = await post(path, JSON.stringify({ ...fields, password: TEST_PASSWORD }), {})
    if (!response.ok) throw new Error(`${path} answered ${response.status}: ${await response.text()}`)
    const cookie = cookiesAfter(response)
    const call: Person['call'] = (operation, input = {}, headers = {}) =>
      post(`/api/app/${operation}`, JSON.stringify(input), { cookie, ...headers })
    return {
      email: fields.email,
      cookie,
      call,
      data: async (operation, input) => {
        const answer = await call(operation, input)
        if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`)
        // The test declares the type of the operation's data.
        return ((await answer.json()) as { data: never }).data
      },
    }
  }

  let people = 0
  return {
    api,
    replica: start,
    database,
    signUp: (name = 'Owner') => {
      people += 1
      const fields = { name, email: `person-${people}@example.com` }
      return enter('/api/auth/sign-up/email', fields)
    },
    signIn: email => enter('/api/auth/sign-in/email', { email }),
    rpc: (message, headers = {}, query = '') =>
      post(`/api/mcp${query}`, typeof message === 'string' ? message : JSON.stringify(message), headers),
    stop: async () => {
      await api.close()
      await database.stop()
    },
  }
}
