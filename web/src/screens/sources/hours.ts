import { HOUR_MS } from '../../../../schemas/domain/durations.ts'
import type { Output } from '../../api/operations.ts'

type Hour = NonNullable<Output<'source_health'>['items']>[number]

export interface Bar {
  readonly at: string
  readonly accepted: number
  readonly refused: number
}

/**
 * What came, in bars of so many hours between two moments: those in which nothing came too, which the service leaves
 * out. `label` writes when a bar begins.
 */
export const barsOf = (
  items: readonly Hour[],
  { from, to, hours }: { readonly from: string; readonly to: string; readonly hours: number },
  label: (at: Date) => string,
): Bar[] => {
  const width = hours * HOUR_MS
  const first = Math.floor(Date.parse(from) / width) * width
  const count = Math.floor((Date.parse(to) - first) / width) + 1
  const bars = Array.from({ length: count }, (_, index) => ({
    at: label(new Date(first + index * width)),
    accepted: 0,
    refused: 0,
  }))
  for (const { hour, accepted, refused } of items) {
    const bar = bars[Math.floor((Date.parse(hour) - first) / width)]
    if (bar === undefined) continue
    bar.accepted += accepted
    bar.refused += refused
  }
  return bars
}
