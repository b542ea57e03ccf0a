import { createServer } from 'node:http'
import type { Health } from './health.ts'
import { type Listening, listen } from './listen.ts'
import type { Metrics } from './metrics.ts'
import { shareConcurrentRuns } from './promises.ts'

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
