import { eraseDeadLetters, readStoredDeadLetters } from '../../../model/erasures/erase-signals.ts'
import { addCounts, countItems, type Sought, type SoughtAgain } from '../../../model/erasures/erasures.ts'
import { findItems, type Place } from '../../../model/erasures/find-signals.ts'
import { markOf, markOfWord, type Pseudonym, storeMarks } from '../../../model/erasures/marks.ts'
import type { AgeLimits } from '../../../model/retention/retention.ts'
import { normalizeAddress } from '../../../model/signals/normalize.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { SignalId } from '../../../schemas/domain/ids.ts'
import { isSought } from './matching-dead-letters.ts'
import { nameAgain } from './name-again.ts'
import type { Erasing, PhaseResult } from './phase.ts'

// Each row that is found is inserted, and an embedded database on a busy machine takes seconds for some thousands.
const ROWS_READ = 1000
const LETTERS_READ = 100
const DONE: PhaseResult = { after: null, done: 0 }

const marksOf = (sought: Exclude<Sought, AgeLimits | SoughtAgain>, pseudonym: Pseudonym): readonly string[] => {
  if (sought.what === 'signal') return [markOf('signal', sought.signalId, pseudonym)]
  if (sought.what === 'source') return [markOf('source', sought.sourceId, pseudonym)]
  const addresses = sought.address === null ? [] : [normalizeAddress(sought.address)]
  // An address is one actor, also where nothing of theirs is stored yet, so that nobody could choose them.
  const actors = new Set([...sought.actors, ...addresses.map(pseudonym)])
  return [
    ...Array.from(actors, actor => markOf('actor', actor, pseudonym)),
    ...sought.words.flatMap(word => markOfWord('word', word, pseudonym) ?? []),
    ...addresses.flatMap(address => markOfWord('address', address, pseudonym) ?? []),
  ]
}

export const mark = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { sought, workspaceId, before, dependencies, inside } = erasing
  if (sought.what === 'age') return DONE
  if (sought.what === 'again') return nameAgain(erasing, after)
  const marks = marksOf(sought, dependencies.actorKey)
  await inside(async transaction => {
    // Whoever inserts takes this lock first: what is not found afterwards sees the marks.
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await storeMarks(transaction, workspaceId, marks, before)
  })
  return DONE
}

export const find =
  (place: Place) =>
  async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
    const { sought } = erasing
    if (sought.what === 'age' && sought.signalsBefore === null) return DONE
    const page = await erasing.inside(transaction => findItems(transaction, erasing, place, after, ROWS_READ))
    const total = await erasing.inside(transaction => countItems(transaction, erasing.id))
    return { after: page.last, done: 0, total }
  }

export const letters = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, sought, before, dependencies, inside } = erasing
  if (sought.what === 'age') return DONE
  const [signalId = '', step = ''] = after?.split(' ') ?? []
  const page = await inside(transaction =>
    readStoredDeadLetters(transaction, workspaceId, after === null ? null : [signalId, step], LETTERS_READ),
  )
  const found: SignalId[] = []
  for (const letter of page) if (await isSought(letter, sought, before, dependencies)) found.push(letter.signal_id)
  if (found.length > 0) {
    await inside(async transaction => {
      const removed = await eraseDeadLetters(transaction, { workspaceId, erasureId: id }, found)
      await addCounts(transaction, id, { dead_letters: removed })
    })
  }
  const last = page.at(-1)
  return { after: last === undefined || page.length < LETTERS_READ ? null : `${last.signal_id} ${last.step}`, done: 0 }
}
