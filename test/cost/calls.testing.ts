import type { Database } from '../../infra/postgres/port.ts'
import { createLogger } from '../../infra/runtime/logger.ts'
import { createKeylessBudget } from '../../query-api/http/address-budget.ts'
import { createAppApi } from '../../query-api/http/app.ts'
import type { BodyBudget } from '../../query-api/http/body-budget.ts'
import { createBodyDoor } from '../../query-api/http/body-door.ts'
import { createMcpEndpoint } from '../../query-api/mcp/endpoint.ts'
import { createMethods } from '../../query-api/mcp/methods.ts'
import { createAgentCall } from '../../query-api/mcp/strangers-marks.ts'
import { createSurface } from '../../query-api/mcp/surface.ts'
import { createCall } from '../../query-api/operations/call/call.ts'
import { AssayError, type Caller, type Operation, type Services } from '../../query-api/operations/define.ts'
import { registry } from '../../query-api/operations/registry.ts'
import { tools } from '../../query-api/tools/index.ts'
import { createWorker } from '../../query-api/worker/worker.ts'
import { type KeyId, newId, type TenantId, type UserId, type WorkspaceId } from '../../schemas/domain/ids.ts'

const BASE_URL = 'http://assay.test'
const log = createLogger({ level: 'silent', program: 'test' })

/** Nobody is refused for what is measured. */
const unlimited: BodyBudget = { admit: () => {}, takeBytes: () => {}, spending: (_, work) => work() }

/** What comes as far as the database is over: what is measured is all before it. */
const noDatabase = (): Database => {
  const refuse = () => Promise.reject(new AssayError('not_found', 'There is no database in this test.'))
  return { transaction: refuse, ping: refuse, close: async () => {} } as unknown as Database
}

const callerVia = (via: Caller['via']): Caller => ({
  tenantId: newId<TenantId>(),
  workspaceId: newId<WorkspaceId>(),
  userId: newId<UserId>(),
  userName: 'Owner',
  role: 'owner',
  via,
})

/** Both doors of the query API, for a caller who may do everything, without stores behind them. */
export const startDoors = () => {
  const worker = createWorker(log)
  const door = createBodyDoor(unlimited, worker)
  // Whatever else an operation needs, it does not get as far.
  const services = {
    now: () => new Date(),
    baseUrl: BASE_URL,
    worker,
    appendSignal: async () => {},
    quotas: {},
  } as unknown as Services
  const call = createCall({
    database: noDatabase(),
    services,
    buffer: { add: () => {}, close: async () => {} },
    limit: { admit: async () => {}, add: async () => {} },
    bodies: unlimited,
    evictKey: () => {},
  })
  const person = callerVia({ kind: 'app', administers: true, sessionId: newId() })
  const agent = callerVia({ kind: 'key', keyId: newId<KeyId>(), label: 'Agent' })
  const appApi = createAppApi({
    door,
    call,
    operations: registry,
    sessions: { callerOf: async () => person },
    origins: [],
  })
  const surface = createSurface(tools, registry.values())
  const mcp = createMcpEndpoint({
    door,
    answer: createMethods({
      surface,
      prompts: [],
      resources: [],
      agentCall: createAgentCall(call, unlimited),
      version: '0',
    }),
    keyring: { callerOf: async () => agent, knows: () => true },
    keyless: createKeylessBudget(0),
    origins: [],
    metadataUrl: '',
    log,
  })
  const post = (path: string, body: Buffer): Request =>
    new Request(`${BASE_URL}${path}`, {
      method: 'POST',
      body: new Uint8Array(body),
      headers: { 'content-type': 'application/json', 'content-length': String(body.byteLength) },
    })
  return {
    app: (operation: Operation, body: Buffer): Promise<Response> =>
      appApi(post(`/api/app/${operation.name}`, body), operation.name),
    mcp: (body: Buffer): Promise<Response> => mcp(post('/api/mcp', body)),
    stop: worker.stop,
  }
}
