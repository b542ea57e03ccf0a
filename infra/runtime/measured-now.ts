import { Gauge, type Metrics } from './metrics.ts'

interface MeasuredNow {
  readonly name: string
  readonly help: string
  /** The value. With null or a rejection there is no sample, which is not the same as 0. */
  read(): Promise<number | null>
}

/** A gauge without labels that is measured whenever the metrics are read. */
export const measureNow = ({ registry }: Pick<Metrics, 'registry'>, { name, help, read }: MeasuredNow): void => {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      const value = await read().catch(() => null)
      if (value === null) this.remove()
      else this.set(value)
    },
  })
}
