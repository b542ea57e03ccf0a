import type { KeptBesideRow } from '../../../model/signals/select-signals.ts'
import { type Static, Type } from '../define.ts'
import { instant, nullable } from './fields.ts'

export const Snoozed = Type.Object({
  until: nullable(instant),
  until_signals: nullable(Type.Integer({ description: 'Signals and repeats at its claim that wake it.' })),
  signals: Type.Integer({ description: 'How many there are.' }),
  is_active: Type.Boolean({ description: 'False: it has come back.' }),
  snoozed_by: Type.String(),
})
export type Snoozed = Static<typeof Snoozed>

/** Null without a snooze. */
export const toSnooze = (row: KeptBesideRow | undefined): Snoozed | null =>
  row === undefined || row.snoozed_by === null
    ? null
    : {
        until: row.until?.toISOString() ?? null,
        until_signals: row.until_signals,
        signals: row.signals,
        is_active: row.is_active ?? false,
        snoozed_by: row.snoozed_by,
      }

/** A snooze as a line: the date, or the awaited and the present number of repeats. */
export const snoozeLine = (snooze: Snoozed | null): object => {
  if (snooze === null || !snooze.is_active) return {}
  const { until, until_signals, signals } = snooze
  return {
    snooze: { ...(until !== null && { until }), ...(until_signals !== null && { until_signals, signals }) },
  }
}
