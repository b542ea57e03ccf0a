import type { Health } from './health.ts'
import type { Metrics } from './metrics.ts'

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

/** What orchestrators ask: of the program as a whole, and of parts of it, by their names, at `/readyz/<part>`. */
export const createHealthProbes = (
  health: Pick<Health, 'live' | 'ready'>,
  parts: Readonly<Record<string, Pick<Health, 'ready'>>> = {},
): Probes =>
  new Map([
    ['/livez', async () => report(health.live())],
    ['/readyz', async () => report(await health.ready())],
    ...Object.entries(parts).map(
      ([name, part]) => [`/readyz/${name}`, async () => report(await part.ready())] as const,
    ),
  ])

/** What Prometheus asks for. */
export const createMetricsProbe = (metrics: Pick<Metrics, 'expose'>): Probes =>
  new Map([
    [
      '/metrics',
      async () => {
        const { contentType, body } = await metrics.expose()
        return { status: 200, headers: { 'content-type': contentType }, body }
      },
    ],
  ])

/** Both, of a program whose port is not the public's. */
export const createProbes = (health: Pick<Health, 'live' | 'ready'>, metrics: Pick<Metrics, 'expose'>): Probes =>
  new Map([...createHealthProbes(health), ...createMetricsProbe(metrics)])
