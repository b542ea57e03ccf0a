import { createHash } from 'node:crypto'

/** What a source is called in Prometheus: its id is half of an endpoint's secrecy, so the metrics show 12 hexadecimal digits of the id's hash. */
export const metricsLabel = (sourceId: string): string =>
  createHash('sha256').update(sourceId).digest('hex').slice(0, 12)
