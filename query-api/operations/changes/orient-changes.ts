import { readLastVisit, storeLastVisit } from '../../../model/changes/window.ts'
import { DAY_MS } from '../../../schemas/domain/durations.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import { AssayError, type Caller, type ReadContext, readOperation, Type } from '../define.ts'
import { shortened, takeWithinBudget } from '../parts/excerpt.ts'
import { type Depth, instant, limit, listDepth, NextCall, oneOf } from '../parts/fields.ts'
import { listed, listOf } from '../parts/lists.ts'
import { allSections, CHANGE_KINDS, Change, SECTIONS } from './change-sections.ts'

const DEFAULT_DAYS = 7

const SHOWN: Readonly<Record<Depth, number>> = { summary: 5, standard: 5, full: 20 }

/** Budget of each kind, so that all kinds fit one answer. */
const TOKENS_A_KIND: Readonly<Record<Depth, number>> = { summary: 240, standard: 850, full: 850 }
const LINE = ['at', 'reference', 'title', 'message'] as const
const TITLE_CHARACTERS = 120

const given = (since: string, now: Date): Date => {
  const instant = parseInstant(since, now.getTime())
  if (instant.ok && instant.at < now.getTime()) return new Date(instant.at)
  const message = instant.ok ? 'must be in the past' : instant.message
  throw new AssayError('invalid_input', `since ${message}.`, { violations: [{ pointer: '/since', message }] })
}

const viewerOf = ({ via, userId }: Caller) => (via.kind === 'key' ? via.keyId : userId)

/** Start of the period, and the reason for it: the caller's last visit or the request. */
const beginning = async ({ read, caller }: ReadContext, since: string | undefined, now: Date) => {
  if (since !== undefined) return { from: given(since, now), since_reason: 'asked' as const }
  const last = await read(transaction => readLastVisit(transaction, viewerOf(caller)))
  return last === null
    ? { from: new Date(now.getTime() - DEFAULT_DAYS * DAY_MS), since_reason: 'first_look' as const }
    : { from: last, since_reason: 'last_look' as const }
}

export const orientChanges = readOperation({
  name: 'orient_changes',
  title: 'What changed',
  summary:
    'Answers what changed since a time, or since your last look when since is absent (remembered for this key; 7 days at the first; may repeat the last seconds): new Signals by classification, claims that appeared, moved or were merged, Solutions created or moved, Decisions, Outcomes, Living Documents, dead letters. Each with the call that shows more. With depth summary each is a line.',
  units: 1,
  role: 'viewer',
  audience: 'everyone',
  input: Type.Object({
    since: Type.Optional(Type.String({ maxLength: 40, description: 'ISO 8601. Default: your last look.' })),
    depth: listDepth,
    limit: Type.With(limit, { description: 'Of each kind; default 5, full 20.' }),
  }),
  output: Type.Object({
    since: instant,
    until: instant,
    since_reason: oneOf(['asked', 'last_look', 'first_look'], { description: 'Where since comes from.' }),
    count: Type.Integer({ description: 'Changes in all.' }),
    items: Type.Array(
      Type.Object({
        kind: oneOf(CHANGE_KINDS),
        count: Type.Integer(),
        items: listOf(Change, LINE, { description: 'The first of them.' }),
        next: NextCall,
      }),
      {
        description:
          'What changed, all in one answer: one for each kind of change; a kind of which nothing changed is absent.',
      },
    ),
  }),
  run: async (input, context) => {
    const { read, services, caller } = context
    const now = services.now()
    const { from, since_reason } = await beginning(context, input.since, now)
    const shownAs = input.depth ?? 'standard'
    const most = input.limit ?? SHOWN[shownAs]
    const sections = await allSections(read, { from, to: now }, most)
    // Runs last: a failed answer must not count as a visit.
    if (input.since === undefined) {
      await read(transaction => storeLastVisit(transaction, caller.workspaceId, viewerOf(caller), now))
    }
    const items = sections
      .filter(section => section.count > 0)
      .map(section => {
        const shown = section.items
          .slice(0, most)
          .map(item => ({ ...item, title: shortened(item.title, TITLE_CHARACTERS) }))
        const { kind, count } = section
        const { items } = listed({ depth: shownAs }, shown, { line: LINE, isWhole: true })
        return { kind, count, items: takeWithinBudget(items, TOKENS_A_KIND[shownAs]), next: SECTIONS[kind].next }
      })
    const count = items.reduce((sum, { count: of }) => sum + of, 0)
    return { data: { since: from.toISOString(), until: now.toISOString(), since_reason, count, items } }
  },
})
