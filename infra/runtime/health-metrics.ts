import type { Health } from './health.ts'
import { Gauge, type Metrics } from './metrics.ts'

/** What the program needs and does not get, looked at whenever the metrics are read. */
export const measureHealth = ({ registry }: Pick<Metrics, 'registry'>, health: Pick<Health, 'ready'>): void => {
  new Gauge({
    name: 'assay_check_failing',
    help: 'Whether a thing that the program needs does not answer: 1, else 0. /readyz says why',
    labelNames: ['check'],
    registers: [registry],
    async collect() {
      const { checks } = (await health.ready()).body
      for (const [check, result] of Object.entries(checks)) this.set({ check }, result === 'ok' ? 0 : 1)
    },
  })
}
