import { createServer, type Server, type ServerResponse } from 'node:http'
import { AssayError, codeOf } from './errors.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'
import { shareConcurrentRuns } from './promises.ts'
import { timerMs } from './timers.ts'

export interface Listening {
  readonly port: number
  /** Accepts no further connections, lets requests under way finish, and closes. */
  stop(): Promise<void>
}

interface ListenOptions extends Address {
  /** How long requests under way may take after `stop`, ms. Default 15 s. */
  readonly stopTimeoutMs?: number
}

/** Why an address cannot be listened on, by Node's code. */
const LISTEN_REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'something listens there already',
  EACCES: 'this user may not take it',
  EADDRNOTAVAIL: 'this machine has no such address',
  ENOTFOUND: 'no host of that name is known',
  EAI_AGAIN: 'no host of that name is known',
}

interface Address {
  readonly host: string
  readonly port: number
  /** The settings that hold the address. */
  readonly variables?: string | undefined
}

/** The error for a program that cannot listen, for the operator. */
export const cannotListen = (error: unknown, { host, port, variables = 'PORT or HOST' }: Address): AssayError => {
  const reason = LISTEN_REASONS[String(codeOf(error))] ?? 'something listens there already, or it is not allowed'
  const message = `Port ${port} on ${host} cannot be listened on: ${reason}. Set ${variables}.`
  return new AssayError('unavailable', message, { cause: error })
}

/** Requests still under way after this are cut off: a program ends within 25 s. */
const TIMEOUT_MS = 15_000

/**
 * Stops a server whose clients keep their connections open. Node closes only connections that are idle at that moment,
 * therefore every answer from now on is the last of its connection.
 */
const stopServing = (server: Server, underWay: ReadonlySet<ServerResponse>, stopTimeoutMs: number): Promise<void> =>
  new Promise(done => {
    const lastAnswer = (response: ServerResponse) => {
      if (!response.headersSent) response.setHeader('connection', 'close')
      response.once('close', () => response.req.socket.end())
    }
    const forceClose = setTimeout(() => server.closeAllConnections(), timerMs(stopTimeoutMs))
    server.prependListener('request', (_request, response) => lastAnswer(response))
    for (const response of underWay) lastAnswer(response)
    server.close(() => {
      clearTimeout(forceClose)
      done()
    })
    server.closeIdleConnections()
  })

/**
 * Listens with Node's server. Rejects with `unavailable` when the port is taken; the error names `variables` as what to
 * change.
 */
export const listen = (server: Server, { stopTimeoutMs = TIMEOUT_MS, ...address }: ListenOptions): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const underWay = new Set<ServerResponse>()
    server.prependListener('request', (_request, response) => {
      underWay.add(response)
      response.once('close', () => underWay.delete(response))
    })
    server.once('error', error => reject(cannotListen(error, address)))
    server.listen(address.port, address.host, () => {
      const bound = server.address()
      resolve({
        port: typeof bound === 'object' && bound !== null ? bound.port : address.port,
        stop: () => stopServing(server, underWay, stopTimeoutMs),
      })
    })
  })

/** The complete answer to a probe. */
interface ProbeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** By path: the answer to GET and HEAD. */
export type Probes = ReadonlyMap<string, () => Promise<ProbeAnswer>>

const report = async ({ status, body }: ReturnType<Health['live']>): Promise<ProbeAnswer> => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** Anybody may ask, and each check asks every store: concurrent requests share one run of the checks. */
const readiness = (health: Pick<Health, 'ready'>) => {
  const ready = shareConcurrentRuns(() => health.ready())
  return async () => report(await ready())
}

/** Probes for orchestrators: of the whole program, and of a part by its name at `/readyz/<part>`. */
export const createHealthProbes = (
  health: Pick<Health, 'live' | 'ready'>,
  parts: Readonly<Record<string, Pick<Health, 'ready'>>> = {},
): Probes =>
  new Map([
    ['/livez', async () => report(health.live())],
    ['/readyz', readiness(health)],
    ...Object.entries(parts).map(([name, part]) => [`/readyz/${name}`, readiness(part)] as const),
  ])

/** The endpoint that Prometheus reads. */
export const createMetricsProbe = (metrics: Pick<Metrics, 'expose'>): Probes => {
  const expose = shareConcurrentRuns(() => metrics.expose())
  return new Map([
    [
      '/metrics',
      async () => {
        const { contentType, body } = await expose()
        return { status: 200, headers: { 'content-type': contentType }, body }
      },
    ],
  ])
}

/** Health and metrics, for a program whose port is not public. */
export const createProbes = (health: Pick<Health, 'live' | 'ready'>, metrics: Pick<Metrics, 'expose'>): Probes =>
  new Map([...createHealthProbes(health), ...createMetricsProbe(metrics)])

interface ProbeServerOptions extends Address {
  readonly probes: Probes
}

const NOT_FOUND = { status: 404, headers: {}, body: '' }

/** Answers probes on a port of their own. */
export const startProbeServer = ({ probes, ...where }: ProbeServerOptions): Promise<Listening> => {
  const server = createServer(async ({ method, url = '' }, response) => {
    const probe = method === 'GET' || method === 'HEAD' ? probes.get(url.split('?', 1)[0] ?? '') : undefined
    const { status, headers, body } = (await probe?.()) ?? NOT_FOUND
    response.writeHead(status, headers).end(body)
  })
  return listen(server, where)
}
