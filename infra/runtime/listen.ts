import { createServer, type Server, type ServerResponse } from 'node:http'
import { AssayError } from './errors.ts'
import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'
import { shareConcurrentRuns } from './promises.ts'

export interface Listening {
  readonly port: number
  /** Takes no further connection, lets the requests under way finish, and closes. */
  stop(): Promise<void>
}

interface ListenOptions {
  readonly host: string
  readonly port: number
  /** The settings that say where. */
  readonly variables?: string
  /** How long requests under way may take once it is to stop. Default 15 s. */
  readonly stopTimeoutMs?: number
}

/** Why a program cannot listen, for whoever starts it; `variables` say where. */
export const cannotListen = (host: string, port: number, variables = 'PORT or HOST'): AssayError =>
  new AssayError(
    'unavailable',
    `Port ${port} on ${host} cannot be listened on: another program has it, or it is not allowed. Set ${variables}.`,
  )

/** What is still under way then is cut off, so that a program ends within the 25 s that it promises. */
const TIMEOUT_MS = 15_000

/**
 * Stops a server whose clients keep their connections: one that asks again and again over the same would keep it for
 * ever, as Node closes only those that are idle at that moment. From now on each answer is the last of its connection.
 */
const stopServing = (server: Server, underWay: ReadonlySet<ServerResponse>, stopTimeoutMs: number): Promise<void> =>
  new Promise(done => {
    const lastAnswer = (response: ServerResponse) => {
      if (!response.headersSent) response.setHeader('connection', 'close')
      response.once('close', () => response.req.socket.end())
    }
    const forceClose = setTimeout(() => server.closeAllConnections(), stopTimeoutMs)
    server.prependListener('request', (_request, response) => lastAnswer(response))
    for (const response of underWay) lastAnswer(response)
    server.close(() => {
      clearTimeout(forceClose)
      done()
    })
    server.closeIdleConnections()
  })

/**
 * Listens with Node's server. Rejects with `unavailable` when the port is taken; `variables` say what else to set then.
 */
export const listen = (
  server: Server,
  { host, port, variables, stopTimeoutMs = TIMEOUT_MS }: ListenOptions,
): Promise<Listening> =>
  new Promise((resolve, reject) => {
    const underWay = new Set<ServerResponse>()
    server.prependListener('request', (_request, response) => {
      underWay.add(response)
      response.once('close', () => underWay.delete(response))
    })
    server.once('error', () => reject(cannotListen(host, port, variables)))
    server.listen(port, host, () => {
      const address = server.address()
      resolve({
        port: typeof address === 'object' && address !== null ? address.port : port,
        stop: () => stopServing(server, underWay, stopTimeoutMs),
      })
    })
  })

/** A whole answer of a probe. */
interface ProbeAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** By path: what a GET or HEAD of it is answered with. */
export type Probes = ReadonlyMap<string, () => Promise<ProbeAnswer>>

const report = async ({ status, body }: ReturnType<Health['live']>): Promise<ProbeAnswer> => ({
  status,
  headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
  body: JSON.stringify(body),
})

/** Anybody may ask, and each look asks every store: who comes while one is under way gets its answer. */
const readiness = (health: Pick<Health, 'ready'>) => {
  const ready = shareConcurrentRuns(() => health.ready())
  return async () => report(await ready())
}

/** What orchestrators ask: of the program as a whole, and of parts of it, by their names, at `/readyz/<part>`. */
export const createHealthProbes = (
  health: Pick<Health, 'live' | 'ready'>,
  parts: Readonly<Record<string, Pick<Health, 'ready'>>> = {},
): Probes =>
  new Map([
    ['/livez', async () => report(health.live())],
    ['/readyz', readiness(health)],
    ...Object.entries(parts).map(([name, part]) => [`/readyz/${name}`, readiness(part)] as const),
  ])

/** What Prometheus asks for. */
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

/** Both, of a program whose port is not the public's. */
export const createProbes = (health: Pick<Health, 'live' | 'ready'>, metrics: Pick<Metrics, 'expose'>): Probes =>
  new Map([...createHealthProbes(health), ...createMetricsProbe(metrics)])

interface ProbeServerOptions {
  readonly host: string
  readonly port: number
  readonly probes: Probes
  /** The settings that say where it listens. */
  readonly variables?: string
}

const NOT_FOUND = { status: 404, headers: {}, body: '' }

/** Answers probes on a port that serves nothing else. */
export const startProbeServer = ({ probes, ...where }: ProbeServerOptions): Promise<Listening> => {
  const server = createServer(async ({ method, url = '' }, response) => {
    const probe = method === 'GET' || method === 'HEAD' ? probes.get(url.split('?', 1)[0] ?? '') : undefined
    const { status, headers, body } = (await probe?.()) ?? NOT_FOUND
    response.writeHead(status, headers).end(body)
  })
  return listen(server, where)
}
