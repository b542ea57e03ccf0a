import type { Window } from '../../../model/changes/window.ts'
import { type ReadContext, readOperation, type Static, type Transaction, Type } from '../define.ts'
import { shortened } from '../parts/excerpt.ts'
import { cursor, DEFAULT_LIMIT, instant, limit, oneOf } from '../parts/fields.ts'
import { Time, timeRange } from '../parts/filters.ts'
import { decodeCursor, nextCursor, type Position } from '../parts/lists.ts'
import { allSections, CHANGE_KINDS, Change, type ChangeKind, SECTIONS, type SectionOfKind } from './change-sections.ts'

const DEFAULT_DAYS = 7
/** Items of each kind when all kinds are requested. */
const FIRST = 5
const TITLE_CHARACTERS = 200

const Section = Type.Object({
  kind: oneOf(CHANGE_KINDS),
  count: Type.Integer({ description: 'In all; items holds the first of them, or a page.' }),
  items: Type.Array(Type.Omit(Change, ['next'])),
})

interface Page {
  readonly limit: number
  readonly offset: number
}

/** Without the call that shows each item, which only agents need. */
const shown = ({ kind, count, items }: SectionOfKind): Static<typeof Section> => ({
  kind,
  count,
  items: items.map(({ next: _, ...item }) => ({ ...item, title: shortened(item.title, TITLE_CHARACTERS) })),
})

const sectionOf = async (
  transaction: Transaction,
  kind: ChangeKind,
  window: Window,
  page: Page,
): Promise<Static<typeof Section>> =>
  shown({ kind, ...(await SECTIONS[kind].read(transaction, window, page.limit, page.offset)) })

const firstOfEach = async (read: ReadContext['read'], window: Window) =>
  (await allSections(read, window, FIRST)).filter(({ count }) => count > 0).map(shown)

export const listChanges = readOperation({
  name: 'list_changes',
  title: 'What changed within a time',
  summary:
    'Answers what changed within a time (default the last 7 days), by kind with the first of each; with kind, all of that kind, page by page as of the first.',
  units: 1,
  role: 'viewer',
  audience: 'people',
  input: Type.Object({
    time: Type.Optional(Type.Omit(Time, ['granularity'])),
    kind: Type.Optional(oneOf(CHANGE_KINDS)),
    limit: Type.With(limit, { description: 'Of the kind that is asked for. Default 20.' }),
    cursor,
  }),
  output: Type.Object({
    from: instant,
    to: instant,
    items: Type.Array(Section, { description: 'By kind; a kind of which nothing changed is absent.' }),
  }),
  run: async ({ time, kind, limit: wanted, cursor: given }, { read, services }) => {
    const position: Position = decodeCursor(`changes ${kind ?? ''}`, given, services.now())
    const { from, to } = timeRange(time, position.at, DEFAULT_DAYS)
    const window = { from, to: new Date(Math.min(to.getTime(), position.at.getTime())) }
    const range = { from: window.from.toISOString(), to: window.to.toISOString() }
    if (kind === undefined) return { data: { ...range, items: await firstOfEach(read, window) } }
    const page = { limit: wanted ?? DEFAULT_LIMIT, offset: position.offset }
    const section = await read(transaction => sectionOf(transaction, kind, window, page))
    const { count, items } = section
    return {
      data: { ...range, items: count === 0 ? [] : [section] },
      nextCursor: SECTIONS[kind].grouped ? null : nextCursor(`changes ${kind}`, position, items.length, count),
    }
  },
})
