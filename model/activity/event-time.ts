import type { Clock } from '../signals/happened.ts'

/** The column of an event that holds its time by a clock. */
export const EVENT_TIME: Readonly<Record<Clock, string>> = { occurred: 'happened_at', received: 'occurred_at' }

/**
 * The condition that an event is of a time, from the bound `from` until before the bound `to`. Nothing happens after its receipt, which the
 * table is in the order of: what was received before cannot be of it.
 */
export const within = (clock: Clock, from: string, to: string): string => {
  const [begin, end] = [`{${from}: DateTime64(3)}`, `{${to}: DateTime64(3)}`]
  const received = `occurred_at >= ${begin}`
  if (clock === 'received') return `${received} AND occurred_at < ${end}`
  return `${received} AND happened_at >= ${begin} AND happened_at < ${end}`
}
