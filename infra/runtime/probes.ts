import type { Health } from '../infra/runtime/health.ts'
import type { Metrics } from '../infra/runtime/metrics.ts'
import type { Answer } from './http/answer.ts'

export type Probe = () => Promise<Answer>

/** What orchestrators and Prometheus ask for, on the port that everything else is on. */
export const createProbes = (
  health: Pick<Health, 'live' | 'ready'>,
  metrics: Pick<Metrics, 'expose'>,
): ReadonlyMap<string, Probe> => {
  const report = async ({ status, body }: ReturnType<Health['live']>): Promise<Answer> => ({
    status,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  })
  return new Map<string, Probe>([
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
