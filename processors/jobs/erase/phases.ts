import { AssayError } from '../../../infra/runtime/errors.ts'
import { termsOf } from '../../../infra/word-index/terms.ts'
import { noteSubjects, removeActivityOf } from '../../../model/erasures/activity.ts'
import { clearTemporary, removeTestsOf } from '../../../model/erasures/clear-temporary.ts'
import { eraseLetters, readLetters } from '../../../model/erasures/dead-letters.ts'
import { eraseSignals } from '../../../model/erasures/erase-signals.ts'
import { addCounts, countItems, readItems } from '../../../model/erasures/erasures.ts'
import { findItems, type Place } from '../../../model/erasures/find-signals.ts'
import { findHeirs, hasRepeatsOfOthers, putHeirs } from '../../../model/erasures/heirs.ts'
import { eraseHistory } from '../../../model/erasures/history.ts'
import { markOf, storeMarks } from '../../../model/erasures/marks.ts'
import { hasQuotes, maskQuotes, TABLES_THAT_QUOTE } from '../../../model/erasures/quotes.ts'
import { findSaidByOthers, withoutWords, writeSaid } from '../../../model/erasures/said-by-others.ts'
import { TABLES_WITH_WORDS } from '../../../model/erasures/tables.ts'
import { maskWords, postgresPattern, SAID, scriptPattern } from '../../../model/erasures/words.ts'
import { lockWorkspaces } from '../../../model/signals/lock-workspaces.ts'
import { storeVectors } from '../../../model/signals/store-vectors.ts'
import { storeTerms } from '../../../model/words/stored-terms.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import type { Erasing, Phase, PhaseResult } from './erase.ts'
import { isSought } from './matching-letters.ts'
import { prove } from './prove.ts'
import { waitForLog } from './wait-for-log.ts'

const ROWS_READ = 5000
const SIGNALS_ERASED = 200
const LETTERS_READ = 100
const ROWS_MASKED = 200
const SAID_BY_OTHERS = 50
const DOCUMENTS_READ = 50
const IDS_NOTED = 10_000

const DONE: PhaseResult = { after: null, done: 0 }

const mark = async ({ sought, workspaceId, before, dependencies, inside }: Erasing): Promise<PhaseResult> => {
  const { actorKey } = dependencies
  const marks =
    sought.what === 'person'
      ? sought.actors.map(actor => markOf('actor', actor, actorKey))
      : [markOf(sought.what, sought.what === 'signal' ? sought.signalId : sought.sourceId, actorKey)]
  await inside(async transaction => {
    // Whoever inserts takes this lock first: what is not found afterwards sees the marks.
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await storeMarks(transaction, workspaceId, marks, before)
  })
  return DONE
}

const find =
  (place: Place) =>
  async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
    const page = await erasing.inside(transaction => findItems(transaction, erasing, place, after, ROWS_READ))
    const total = await erasing.inside(transaction => countItems(transaction, erasing.id))
    return { after: page.last, done: 0, total }
  }

const letters = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, sought, before, dependencies, inside } = erasing
  const [signalId = '', step = ''] = after?.split(' ') ?? []
  const page = await inside(transaction =>
    readLetters(transaction, workspaceId, after === null ? null : [signalId, step], LETTERS_READ),
  )
  const found: SignalId[] = []
  for (const letter of page) if (await isSought(letter, sought, before, dependencies)) found.push(letter.signal_id)
  if (found.length > 0) {
    await inside(async transaction => {
      const removed = await eraseLetters(transaction, { workspaceId, erasureId: id }, found)
      await addCounts(transaction, id, { dead_letters: removed })
    })
  }
  const last = page.at(-1)
  return { after: last === undefined || page.length < LETTERS_READ ? null : `${last.signal_id} ${last.step}`, done: 0 }
}

const rows = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, dependencies, inside } = erasing
  const { embedder } = dependencies
  const { ids, heirs } = await inside(async transaction => {
    const ids = await readItems(transaction, id, after, SIGNALS_ERASED)
    return { ids, heirs: await findHeirs(transaction, { workspaceId, erasureId: id, ids }) }
  })
  if (ids.length === 0) return DONE
  const embedded = heirs.length === 0 ? [] : await embedder.embed(heirs.map(({ text }) => text))
  const vectors = new Map(
    heirs.flatMap((heir, index) => (embedded[index] ? [[heir.id, embedded[index]] as const] : [])),
  )
  const erased = { workspaceId, erasureId: id, ids }
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await lockWorkspaces(transaction, [workspaceId], 'claims')
    await putHeirs(transaction, erased, heirs, embedder.model, vectors)
    if (await hasRepeatsOfOthers(transaction, erased))
      throw new AssayError('busy', 'A repeat came to a signal that is being erased.')
    await addCounts(transaction, id, await eraseSignals(transaction, erased))
  })
  return { after: ids.length < SIGNALS_ERASED ? null : (ids.at(-1) ?? null), done: ids.length }
}

const history = async ({ id, workspaceId, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const { last } = await inside(async transaction => {
    const page = await eraseHistory(transaction, { workspaceId, erasureId: id }, after, ROWS_READ)
    if (page.removed > 0) await addCounts(transaction, id, { changed_rows: page.removed })
    return page
  })
  return { after: last, done: 0 }
}

const LOOKED_THROUGH = [...TABLES_WITH_WORDS, ['occurrences', SAID] as const]

const words = async ({ id, workspaceId, sought, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const pattern = sought.what === 'person' ? postgresPattern(sought) : null
  const place = Number(after ?? 0)
  const table = LOOKED_THROUGH[place]
  if (pattern === null || table === undefined) return DONE
  const masked = await inside(async transaction => {
    const count = await maskWords(transaction, workspaceId, pattern, table, ROWS_MASKED)
    if (count > 0) await addCounts(transaction, id, { [table[0]]: count })
    return count
  })
  return { after: String(masked === ROWS_MASKED ? place : place + 1), done: 0 }
}

const saidByOthers = async (
  { id, workspaceId, sought, dependencies, inside }: Erasing,
  after: string | null,
): Promise<PhaseResult> => {
  const pattern = sought.what === 'person' ? postgresPattern(sought) : null
  const inScript = sought.what === 'person' ? scriptPattern(sought) : null
  if (pattern === null || inScript === null) return DONE
  const { embedder } = dependencies
  const said = await inside(transaction => findSaidByOthers(transaction, workspaceId, after, pattern, SAID_BY_OTHERS))
  if (said.length === 0) return DONE
  const clean = said.map(one => withoutWords(one, inScript))
  const rewritten = clean.filter(({ text }, index) => text !== said[index]?.text)
  const vectors = await embedder.embed(rewritten.map(({ text }) => text))
  await inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await writeSaid(transaction, workspaceId, clean)
    await storeVectors(
      transaction,
      rewritten.flatMap(({ id: signalId }, index) => {
        const vector = vectors[index]
        return vector === undefined ? [] : [{ signalId, workspaceId, model: embedder.model, vector }]
      }),
    )
    await storeTerms(
      transaction,
      rewritten.map(({ id: signalId, text }) => ({ workspaceId, signalId, id: signalId, terms: termsOf(text) })),
    )
    await addCounts(transaction, id, { signals_of_others: clean.length })
  })
  return { after: said.length < SAID_BY_OTHERS ? null : String(said.at(-1)?.number), done: 0 }
}

const quotes = async ({ id, workspaceId, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const [at = '0', row = ''] = after?.split(' ') ?? []
  const place = Number(at)
  const table = TABLES_THAT_QUOTE[place]
  if (table === undefined) return DONE
  const last = await inside(async transaction => {
    if (!(await hasQuotes(transaction, id))) return null
    const erasure = { workspaceId, erasureId: id }
    const page = await maskQuotes(transaction, erasure, table, row === '' ? null : row, DOCUMENTS_READ)
    if (page.changed > 0) await addCounts(transaction, id, { [table[0]]: page.changed })
    return page.last
  })
  return { after: last === null ? `${place + 1}` : `${place} ${last}`, done: 0 }
}

const temporary = async ({ id, workspaceId, sought, inside }: Erasing): Promise<PhaseResult> => {
  await inside(async transaction => {
    const counts: Record<string, number> = { ...(await clearTemporary(transaction, workspaceId, new Date())) }
    if (sought.what === 'source') counts.test_signals = await removeTestsOf(transaction, workspaceId, sought.sourceId)
    await addCounts(transaction, id, counts)
  })
  return DONE
}

const note = async ({ id, workspaceId, dependencies, inside }: Erasing, after: string | null): Promise<PhaseResult> => {
  const ids = await inside(transaction => readItems(transaction, id, after, IDS_NOTED))
  await noteSubjects(dependencies.analytics, { workspaceId, erasureId: id }, ids)
  return { after: ids.length < IDS_NOTED ? null : (ids.at(-1) ?? null), done: 0 }
}

/** The counts of ClickHouse are noted apart: what a crash made it count twice would be known nowhere else. */
const activity = async ({ id, workspaceId, dependencies, inside }: Erasing): Promise<PhaseResult> => {
  const removed = await removeActivityOf(dependencies.analytics, { workspaceId, erasureId: id })
  await inside(transaction => addCounts(transaction, id, { activity: removed }))
  return DONE
}

/** In their order. What waits on the log is worked off first in the middle: what it brings is looked for once more. */
export const PHASES: readonly Phase[] = [
  { says: 'Notes what must not come back.', slice: mark },
  { says: 'Looks for signals.', slice: find('signals') },
  { says: 'Looks for repeats.', slice: find('occurrences') },
  { says: 'Reads dead letters.', slice: letters },
  { says: 'Removes signals and what hangs on them.', slice: rows },
  { says: 'Clears the history of changes.', slice: history },
  { says: 'Masks words in other texts.', slice: words },
  { says: 'Masks words in what others said.', slice: saidByOthers },
  { says: 'Masks quotes.', slice: quotes },
  { says: 'Removes files and answers that are kept for a day.', slice: temporary },
  { says: 'Waits until what is on the log has been worked off.', slice: waitForLog },
  { says: 'Reads dead letters once more.', slice: letters },
  { says: 'Tells ClickHouse.', slice: note },
  { says: 'Removes activity.', slice: activity },
  { says: 'Searches every store.', slice: prove },
]
