import { readFileSync } from 'node:fs'
import { Gauge, type Metrics } from './metrics.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)

/** The version in package.json. */
export const readProductVersion = (): string => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  return version
}

export const measureVersion = ({ registry }: Pick<Metrics, 'registry'>): void => {
  new Gauge({
    name: 'assay_info',
    help: 'Always 1; the label says which version runs',
    labelNames: ['version'],
    registers: [registry],
  }).set({ version: readProductVersion() }, 1)
}
