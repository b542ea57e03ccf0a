/**
 * How a signal's way through the pipeline ends: as a row, as an occurrence of another, or with a dead letter and neither. One that has
 * several counts as the first of them, as a replay makes a row of what died before.
 */
export const SIGNAL_ENDS = ['inserted', 'occurrences', 'dead'] as const
export type SignalEnd = (typeof SIGNAL_ENDS)[number]
