import { readCuts } from '../../../model/signals/cuts.ts'
import type { SignalRow } from '../../../model/signals/read-signals.ts'
import { keptBesideSignals } from '../../../model/signals/select-signals.ts'
import { lastDismissal } from '../../../model/triage/dismissals.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { CutsField, shownCuts } from '../parts/cuts.ts'
import { cursor, type Depth, depth, identifier, instant, nullable } from '../parts/fields.ts'
import {
  RepeatFields,
  repeatPage,
  repeatsOf,
  SignalShape,
  shownMetadata,
  signalPage,
  toSignal,
} from '../parts/signal-shape.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'
import { Snoozed, toSnooze } from '../parts/snooze.ts'

/** Shown repeats of the signal, and characters of each. */
const REPEATS: Readonly<Record<Depth, { readonly most: number; readonly characters: number }>> = {
  summary: { most: 1, characters: 60 },
  standard: { most: 5, characters: 280 },
  full: { most: 5, characters: 280 },
}

/** The dismissal of a signal: person, reason and time. */
const Dismissed = Type.Object({
  decision: Type.String(),
  made_by: Type.String(),
  key_label: nullable(Type.String()),
  text: ownText({ description: 'The Decision, as a human or their agent stated it.' }),
  made_at: instant,
})

const dismissedBy = async (transaction: Transaction, row: SignalRow) => {
  const dismissal = row.state === 'dismissed' ? await lastDismissal(transaction, row.id) : undefined
  if (dismissal === undefined) return {}
  const { decision, made_by_name: made_by, key_label, statement: text, made_at } = dismissal
  const named = reference('decision', decision)
  return { dismissed: { decision: named, made_by, key_label, text, made_at: made_at.toISOString() } }
}

export const lookupSignal = readOperation({
  name: 'lookup_signal',
  title: 'A Signal, or where it is on its way',
  summary:
    'Answers one Signal by the snippet_id its sender was given or by reference (SIG-7), with what repeats it. A signal still in the pipeline answers with its step, a repeat with its own words and its original, a dead one with the step and the reason.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({ id: identifier, depth, cursor }),
  output: Type.Object({
    ...SignalStatus.properties,
    dismissed: Type.Optional(Dismissed),
    signal: nullable(
      Type.Object({
        ...SignalShape.properties,
        ...RepeatFields,
        snooze: Type.Optional(nullable(Snoozed)),
        cuts: CutsField,
      }),
    ),
  }),
  run: async (input, context) => {
    const { status: found, signalOutcome } = await locateSignal(input.id, context)
    const { signal: row, duplicate } = signalOutcome
    if (row === null) return { data: { ...found, signal: null } }
    // Only the whole text has a cursor.
    const depth = input.cursor === undefined ? (input.depth ?? 'standard') : 'full'
    const room = duplicate === null ? REPEATS[depth] : REPEATS.summary
    const now = context.services.now()
    const { dismissed, beside, cuts, cutsSaid } = await context.read(async transaction => {
      const [kept] = await keptBesideSignals(transaction, [row.id], now)
      const snooze = toSnooze(kept)
      const cuts = await readCuts(transaction, row.id)
      return {
        dismissed: await dismissedBy(transaction, row),
        beside: { ...(await repeatsOf(transaction, [row], room))(row.id), ...(snooze && { snooze }) },
        cuts,
        cutsSaid: duplicate === null ? cuts : await readCuts(transaction, duplicate.id),
      }
    })
    const status = { ...found, ...dismissed }
    const shownDepth = duplicate !== null && depth === 'full' ? 'standard' : depth
    const shown = { ...toSignal(row, shownDepth), ...beside, cuts: shownCuts(cuts) }
    if (depth !== 'full') return { data: { ...status, signal: shown } }
    if (duplicate !== null && status.duplicate !== null) {
      const { text, cuts, nextCursor } = repeatPage(duplicate, cutsSaid, input.cursor, now)
      const metadata = shownMetadata(duplicate.metadata ?? {})
      const shownDuplicate = { ...status.duplicate, ...(duplicate.text !== null && text), metadata, cuts }
      return { data: { ...status, duplicate: shownDuplicate, signal: shown }, nextCursor }
    }
    const page = signalPage(row, cuts, input.cursor, now)
    const signal = { ...toSignal(row, depth, page.text), ...beside, cuts: page.cuts }
    return { data: { ...status, signal }, nextCursor: page.nextCursor }
  },
})
