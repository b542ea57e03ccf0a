import { followEvidence } from '../../../model/claims/follow-evidence.ts'
import { storeDecision } from '../../../model/decisions/log-decision.ts'
import { resolveOne } from '../../../model/references/resolve.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import { keptBesideSignals } from '../../../model/signals/select-signals.ts'
import { saveAnswers } from '../../../model/themes/answers.ts'
import { titleOfTheme } from '../../../model/themes/title-of-theme.ts'
import {
  type LockedSignal,
  type Snooze,
  setSignals,
  setSnoozes,
  signalsAbout,
  snoozesOf,
} from '../../../model/triage/triage.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import type { SignalId, ThemeId } from '../../../schemas/domain/ids.ts'
import { MAX_TRIAGED } from '../../../schemas/domain/limits.ts'
import { ownText, untrustedText } from '../../../schemas/domain/strangers.ts'
import { epochOf, readWritten } from '../../../schemas/http/time.ts'
import { namedClaims } from '../claims/claim.ts'
import {
  AssayError,
  actorLabel,
  type Static,
  type Transaction,
  Type,
  type WriteContext,
  writeOperation,
} from '../define.ts'
import { nullable, uuid } from '../parts/fields.ts'
import { lineOf } from '../parts/lists.ts'
import { SignalShape } from '../parts/signal-shape.ts'
import { Snoozed, snoozeLine, toSnooze } from '../parts/snooze.ts'
import { answersIn } from '../themes/update-theme.ts'
import {
  type BatchChange,
  type BatchTriageInput,
  batchTriageInput,
  requestedSignals,
  requireBatchFields,
} from './batch-triage.ts'
import { gatherSignals } from './gather.ts'
import { lockRequestedSignals, namesOf, shownSignals, verbFor } from './locked-signals.ts'
import { promoteSignals } from './promote.ts'
import { followedBy, markDuplicates, setSignalStates } from './signal-states.ts'
import { solveClaim } from './solve-claim.ts'
import { changedFields, followedObjects } from './triage-signal.ts'

const MAX_DAYS = 366

/**
 * Snoozes signals in Triage, which keep their state and are left out of the list; or brings sleeping and dismissed ones
 * back to Triage.
 */
const snoozeSignals = async (
  transaction: Transaction,
  { caller, services }: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  const { action } = given
  const at = services.now()
  const wanted = action === 'wake' ? null : wantedOf(given, at)
  const decided = signals.filter(({ state }) => state !== 'triage' && !(wanted === null && state === 'dismissed'))
  if (decided.length > 0) {
    throw new AssayError(
      'conflict',
      `${namesOf(decided)} ${verbFor(decided)} not in Triage. Nothing was written: ${wanted === null ? 'only what is snoozed or dismissed comes back there' : 'only what waits there can be snoozed'}.`,
    )
  }
  const ids = signals.map(({ id }) => id)
  const before = await snoozesOf(transaction, ids)
  const about = wanted?.more == null ? null : await signalsAbout(transaction, ids)
  const after = (id: SignalId): Snooze | null => {
    if (wanted === null) return null
    const { until, more } = wanted
    return { until, until_signals: more === null ? null : (about?.get(id) ?? 1) + more }
  }
  const sleepers = ids.map(id => ({ id, snooze: after(id) }))
  await setSnoozes(transaction, sleepers, { workspaceId: caller.workspaceId, by: actorLabel(caller), at })
  const fields = wanted === null ? { state: 'triage' as const } : {}
  await setSignals(transaction, signals, fields)
  const followed = await followEvidence(
    transaction,
    signals.filter(({ state }) => state === 'dismissed'),
    at,
  )
  return {
    statement: `${namesOf(signals)} ${verbFor(signals)} ${statement(wanted)}.`,
    changes: signals.map(signal => ({
      id: signal.id,
      change: {
        triage: action === 'wake' ? 'wake' : 'snooze',
        ...changedFields(signal, fields),
        snooze: { from: before.get(signal.id) ?? null, to: after(signal.id) },
        ...followedBy(followed, signal.id),
      },
    })),
    objects: followedObjects(followed),
  }
}

/** Until a time, until a number of further repeats, or until the earlier of both. */
interface Wanted {
  readonly until: string | null
  readonly more: number | null
}

const statement = (wanted: Wanted | null): string => {
  if (wanted === null) return 'back in Triage'
  const { until, more } = wanted
  const enough = more === 1 ? `${more} more says it` : `${more} more say it`
  if (more === null) return `snoozed until ${until}`
  return until === null ? `snoozed until ${enough}` : `snoozed until ${until} or ${enough}`
}

const wantedOf = ({ until, more_signals: more }: BatchTriageInput, now: Date): Wanted => {
  if (until === undefined) {
    if (more !== undefined) return { until: null, more }
    throw refused('Action snooze needs until, more_signals or both.', ['/until', '/more_signals'])
  }
  // Requires an offset: a local time would be ambiguous.
  const written = readWritten(until)
  const at = written === null || written.offset === null ? Number.NaN : epochOf(written)
  if (Number.isNaN(at)) throw refused('until must be an ISO 8601 time with its zone, such as 2026-05-01T09:00:00Z.')
  if (at <= now.getTime()) throw refused('until is over: give a time to come.')
  if (at > now.getTime() + MAX_DAYS * DAY_MS) throw refused(`until must be within ${MAX_DAYS} days.`)
  return { until: new Date(at).toISOString(), more: more ?? null }
}

const refused = (why: string, pointers: readonly string[] = ['/until']): AssayError =>
  new AssayError('invalid_input', why, { violations: pointers.map(pointer => ({ pointer, message: why })) })

/** An agent reads a single signal whole, and several as lines. */
const MOST_WHOLE = 1
const LINE = ['reference', 'state', 'classification', 'version'] as const

/** Changes the signals, and logs a Decision when something changed. */
const decide = async (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
) => {
  if (given.action === 'gather') return gather(transaction, context, signals, given)
  const change = await changeOf(transaction, context, signals, given)
  const decision = change.changes.length === 0 ? null : await logChange(transaction, context, given.comment, change)
  const { claim, statement, started } = change
  return { claim, solution: null, decision, statement, started }
}

/**
 * Makes the signals evidence of one claim, and stores which belong to a theme and which do not, under the same
 * Decision.
 */
const gather = async (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly LockedSignal[],
  { theme_id, refused_signal_ids, makes_solution, comment }: BatchTriageInput,
) => {
  if (theme_id === undefined && refused_signal_ids !== undefined) {
    throw refused('refused_signal_ids needs theme_id: what do they not belong to?', ['/theme_id'])
  }
  const theme = theme_id === undefined ? null : await resolveOne(transaction, 'theme', theme_id)
  const named = signals.map(({ id }) => id)
  const answers = theme === null ? null : await answersIn(transaction, named, refused_signal_ids)
  const texts = signals.map(({ text }) => text)
  // A theme's reference resolves to a theme.
  const called = theme === null ? null : await titleOfTheme(transaction, theme.id as ThemeId, texts)
  const gathered = await gatherSignals(transaction, context, signals, { comment, called })
  const solved = makes_solution ? await solveClaim(transaction, context, gathered, called) : gathered
  if (theme === null || answers === null) return solved
  await saveAnswers(transaction, context.caller.workspaceId, {
    themeId: theme.id as ThemeId,
    ...answers,
    decisionId: solved.decision?.id ?? null,
    at: context.services.now(),
  })
  return solved
}

const changeOf = (
  transaction: Transaction,
  context: WriteContext,
  signals: readonly LockedSignal[],
  given: BatchTriageInput,
): Promise<BatchChange> => {
  switch (given.action) {
    case 'promote':
      return promoteSignals(transaction, context, signals, given)
    case 'duplicate':
      return markDuplicates(transaction, context, signals, given)
    case 'snooze':
    case 'wake':
      return snoozeSignals(transaction, context, signals, given)
    default:
      return setSignalStates(transaction, context, signals, given)
  }
}

const Decided = Type.Object({
  ...SignalShape.properties,
  snooze: Type.Optional(Type.With(nullable(Snoozed), { description: 'snooze: until when, or until how many.' })),
})
type Decided = Static<typeof Decided>

export const triageSignals = writeOperation({
  name: 'triage_signals',
  title: 'Decide on several Signals as one',
  summary:
    'Accepts, dismisses, reclassifies, promotes, snoozes or wakes up to 200 Signals, or says what they repeat: as one Decision, which undo takes back as a whole. gather makes them evidence of one claim, the one that most of them are evidence of already, or a new one: claims with nothing else behind them are merged into it, others keep what they have; with theme_id they are kept as members of that theme. When any has changed since the version that is sent with it, nothing is written.',
  effect: 'write',
  units: 3,
  role: 'member',
  audience: 'everyone',
  omittedFields: ['signals', 'refused_signal_ids', 'makes_solution'],
  input: batchTriageInput,
  output: Type.Object({
    signals: Type.Unsafe<Decided[]>(
      Type.Array(Type.Union([Decided, Type.Pick(Decided, [...LINE, 'snooze'])]), {
        description: `The Signals as they are by this Decision, in the order given; for agents a line each where there are several.`,
      }),
    ),
    claim: nullable(
      Type.Object(
        { id: uuid, reference: Type.String(), is_new: Type.Boolean({ description: 'Whether the claim is new.' }) },
        { description: 'promote, gather: the claim that they are evidence of.' },
      ),
    ),
    started_claims: Type.Array(Type.Object({ signal_id: uuid, id: uuid, reference: Type.String() }), {
      maxItems: MAX_TRIAGED,
      description: 'accept, reclassify: the claims that Signals without one started.',
    }),
    solution: nullable(
      Type.Object(
        { id: uuid, reference: Type.String(), title: untrustedText() },
        { description: 'Of makes_solution.' },
      ),
    ),
    decision: nullable(Type.Object({ id: uuid, reference: Type.String() })),
    unchanged: nullable(ownText({ description: 'Why nothing was changed and no Decision logged.' })),
  }),
  apply: async (given, transaction, context) => {
    requireBatchFields(given)
    const { caller } = context
    // Marking a repeat changes the set of signals, so their lock comes first.
    if (given.action === 'duplicate') await lockWorkspaces(transaction, [caller.workspaceId], 'signals')
    await lockWorkspaces(transaction, [caller.workspaceId], 'claims')
    const signals = await lockRequestedSignals(transaction, requestedSignals(given))
    const { claim = null, solution, decision, statement, started } = await decide(transaction, context, signals, given)
    const ids = signals.map(({ id }) => id)
    const kept = given.action === 'snooze' ? await keptBesideSignals(transaction, ids, context.services.now()) : []
    const snoozes = new Map(kept.map(row => [row.id, toSnooze(row)]))
    const all = (await shownSignals(transaction, ids)).map(signal => ({
      ...signal,
      ...(snoozes.has(signal.id) && { snooze: snoozes.get(signal.id) ?? null }),
    }))
    const isShort = caller.via.kind === 'key' && all.length > MOST_WHOLE
    const unchanged = decision === null ? statement : null
    return {
      data: {
        signals: isShort ? all.map(inALine) : all,
        claim,
        started_claims: await startedClaims(transaction, started),
        solution,
        decision,
        unchanged,
      },
      size: signals.length,
    }
  },
})

const startedClaims = async (transaction: Transaction, started: BatchChange['started'] = new Map()) => {
  const named = await namedClaims(transaction, [...started.values()])
  return [...started].map(([signal_id, id]) => ({ signal_id, id, reference: named(id).reference }))
}

// Callers that send this many signals read lines.
const inALine = ({ snooze, ...signal }: Decided): Decided =>
  ({ ...lineOf(signal, LINE), ...snoozeLine(snooze ?? null) }) as Decided

const logChange = (
  transaction: Transaction,
  { caller, services }: WriteContext,
  comment: string | undefined,
  { statement, changes, objects = [] }: BatchChange,
) =>
  storeDecision(transaction, caller, {
    statement: comment ?? statement,
    at: services.now(),
    objects: [...changes.map(({ id, change }) => ({ kind: 'signal' as const, id, change: { ...change } })), ...objects],
  })
