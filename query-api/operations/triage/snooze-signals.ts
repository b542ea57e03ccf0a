import {
  type LockedSignal,
  type Snooze,
  setSignals,
  setSnoozes,
  signalsAbout,
  snoozesOf,
} from '../../../model/triage/triage.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { epochOf, readWritten } from '../../../schemas/http/time.ts'
import { AssayError, actorLabel, type Transaction, type WriteContext } from '../define.ts'
import { type BatchChange, type BatchTriageInput, verbFor } from './batch-triage.ts'
import { namesOf } from './locked-signals.ts'
import { changedFields } from './triage-signal.ts'

const MAX_DAYS = 366

/** Puts Signals in Triage off, or back. They stay in their state; the list leaves out those that sleep. */
export const snoozeSignals = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  const { action } = given
  const at = services.now()
  const wanted = action === 'wake' ? null : wantedOf(given, at)
  const decided = signals.filter(({ state }) => state !== 'triage')
  if (decided.length > 0) {
    throw new AssayError(
      'conflict',
      `${namesOf(decided)} ${verbFor(decided)} not in Triage. Nothing was written: only what waits there is put off.`,
    )
  }
  const ids = signals.map(({ id }) => id)
  const before = await snoozesOf(transaction, ids)
  const about = wanted !== null && 'more' in wanted ? await signalsAbout(transaction, ids) : null
  const after = (id: SignalId): Snooze | null => {
    if (wanted === null) return null
    if ('until' in wanted) return { until: wanted.until, until_signals: null }
    return { until: null, until_signals: (about?.get(id) ?? 1) + wanted.more }
  }
  const sleepers = ids.map(id => ({ id, snooze: after(id) }))
  await setSnoozes(transaction, sleepers, { workspaceId: caller.workspaceId, by: actorLabel(caller), at })
  await setSignals(transaction, signals, {})
  return {
    statement: `${namesOf(signals)} ${verbFor(signals)} ${statement(wanted)}.`,
    changes: signals.map(signal => ({
      id: signal.id,
      change: {
        triage: action === 'wake' ? 'wake' : 'snooze',
        ...changedFields(signal, {}),
        snooze: { from: before.get(signal.id) ?? null, to: after(signal.id) },
      },
    })),
  }
}

type Wanted = { readonly until: string } | { readonly more: number }

const statement = (wanted: Wanted | null): string => {
  if (wanted === null) return 'back in Triage'
  if ('until' in wanted) return `snoozed until ${wanted.until}`
  return `snoozed until ${wanted.more} more ${wanted.more === 1 ? 'says' : 'say'} it`
}

const wantedOf = ({ until, more_signals: more }: BatchTriageInput, now: Date): Wanted => {
  if (more !== undefined && until === undefined) return { more }
  if (until === undefined || more !== undefined) {
    throw refused('Action snooze needs exactly one of until or more_signals.', ['/until', '/more_signals'])
  }
  // With its zone: a time of day alone would be somebody’s.
  const written = readWritten(until)
  const at = written === null || written.offset === null ? Number.NaN : epochOf(written)
  if (Number.isNaN(at)) throw refused('until must be an ISO 8601 time with its zone, such as 2026-05-01T09:00:00Z.')
  if (at <= now.getTime()) throw refused('until is over: give a time to come.')
  if (at > now.getTime() + MAX_DAYS * DAY_MS) throw refused(`until must be within ${MAX_DAYS} days.`)
  return { until: new Date(at).toISOString() }
}

const refused = (why: string, pointers: readonly string[] = ['/until']): AssayError =>
  new AssayError('invalid_input', why, { violations: pointers.map(pointer => ({ pointer, message: why })) })
