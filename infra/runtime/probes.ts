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

/** What orchestrators and Prometheus ask every program for. */
export const createProbes = (health: Pick<Health, 'live' | 'ready'>, metrics: Pick<Metrics, 'expose'>): Probes => {
  const report = async ({ status, body }: ReturnType<Health['live']>): Promise<ProbeAnswer> => ({
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  })
  return new Map([
    ['/livez', async () => report(health.live())],
    ['/readyz', async () => report(await health.ready())],
    [
      '/metrics',
      async () => {
        const { contentType, body } = await metrics.expose()
        return { status: 200, headers: { 'content-type': contentType }, body }
      },
    ],
  ])
}
