import type { SignalRow } from '../../../model/signals/read-signals.ts'
import { lastDismissal } from '../../../model/triage/dismissals.ts'
import { ownText } from '../../../schemas/domain/strangers.ts'
import { reference } from '../../../schemas/domain/vocabulary.ts'
import { readOperation, type Transaction, Type } from '../define.ts'
import { cursor, type Depth, depth, identifier, instant, nullable } from '../parts/fields.ts'
import {
  RepeatFields,
  repeatsOf,
  repeatTextPage,
  SignalShape,
  shownMetadata,
  signalTextPage,
  toSignal,
} from '../parts/signal-shape.ts'
import { locateSignal, SignalStatus } from '../parts/signal-status.ts'

/** How many repeats of the Signal are shown, and how much each says. */
const REPEATS: Readonly<Record<Depth, { readonly most: number; readonly characters: number }>> = {
  summary: { most: 1, characters: 60 },
  standard: { most: 5, characters: 280 },
  full: { most: 5, characters: 280 },
}

/** Who dismissed the Signal, why and when. */
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
    signal: nullable(Type.Object({ ...SignalShape.properties, ...RepeatFields })),
  }),
  run: async (input, context) => {
    const { status: found, signalOutcome } = await locateSignal(input.id, context)
    const { signal: row, duplicate } = signalOutcome
    if (row === null) return { data: { ...found, signal: null } }
    const status = { ...found, ...(await context.read(transaction => dismissedBy(transaction, row))) }
    // Only the whole text has a cursor.
    const depth = input.cursor === undefined ? (input.depth ?? 'standard') : 'full'
    const room = duplicate === null ? REPEATS[depth] : REPEATS.summary
    const repeats = (await context.read(transaction => repeatsOf(transaction, [row], room)))(row.id)
    const shown = { ...toSignal(row, duplicate !== null && depth === 'full' ? 'standard' : depth), ...repeats }
    if (depth !== 'full') return { data: { ...status, signal: shown } }
    const now = context.services.now()
    if (duplicate !== null && status.duplicate !== null) {
      const page = repeatTextPage(duplicate, input.cursor, now)
      const said = page === undefined ? {} : { text: page.text, text_truncation: page.text_truncation }
      const shownDuplicate = { ...status.duplicate, ...said, metadata: shownMetadata(duplicate.metadata ?? {}) }
      return { data: { ...status, duplicate: shownDuplicate, signal: shown }, nextCursor: page?.nextCursor ?? null }
    }
    const page = signalTextPage(row, input.cursor, now)
    return { data: { ...status, signal: { ...toSignal(row, depth, page), ...repeats } }, nextCursor: page.nextCursor }
  },
})
