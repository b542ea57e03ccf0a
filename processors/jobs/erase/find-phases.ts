import { eraseDeadLetters, readStoredDeadLetters } from '../../../model/erasures/dead-letters.ts'
import {
  addCounts,
  countItems,
  findRunning,
  type Sought,
  type SoughtAgain,
  setSought,
} from '../../../model/erasures/erasures.ts'
import { findItems, type Place, readWritten } from '../../../model/erasures/find-signals.ts'
import { findImported } from '../../../model/erasures/imported.ts'
import { findMarkedWords, markOf, markOfWord, type Pseudonym, storeMarks } from '../../../model/erasures/tombstones.ts'
import type { AgeLimits } from '../../../model/retention/retention.ts'
import { normalizeAddress } from '../../../model/signals/normalize.ts'
import { lockWorkspaces } from '../../../model/signals/scope.ts'
import type { SignalId, SourceId } from '../../../schemas/domain/ids.ts'
import { recordOf } from '../../sinks/dead-letters/replay-dead-letters.ts'
import { actorsOf, isSought, saidBy, writtenIn } from './matching-dead-letters.ts'
import { cursorBehind, DONE, deadLetterPlaceIn, type Erasing, type PhaseResult } from './phase.ts'

// Found rows are inserted one page at a time: some thousands take an embedded database seconds on a busy machine.
const ROWS_READ = 1000
const DEAD_LETTERS_READ = 100

type SoughtImport = Extract<Sought, { readonly what: 'import' }>

const marksOf = (
  sought: Exclude<Sought, AgeLimits | SoughtAgain | SoughtImport>,
  pseudonym: Pseudonym,
): readonly string[] => {
  if (sought.what === 'signal') return [markOf('signal', sought.signalId, pseudonym)]
  if (sought.what === 'source') return [markOf('source', sought.sourceId, pseudonym)]
  const addresses = sought.address === null ? [] : [normalizeAddress(sought.address)]
  return [
    ...actorsOf(sought, pseudonym).map(actor => markOf('actor', actor, pseudonym)),
    ...sought.words.flatMap(word => markOfWord('word', word, pseudonym) ?? []),
    ...addresses.flatMap(address => markOfWord('address', address, pseudonym) ?? []),
  ]
}

export const mark = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { sought, workspaceId, before, dependencies, inside } = erasing
  if (sought.what === 'age') return DONE
  if (sought.what === 'again') return nameAgain(erasing, after)
  if (sought.what === 'import') return markImported(erasing, sought, after)
  const marks = marksOf(sought, dependencies.actorKey)
  await inside(async transaction => {
    // Inserts take this lock first, so a later insert sees the marks.
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    await storeMarks(transaction, workspaceId, marks, before)
  })
  return DONE
}

/** Marks each row of an import, since a record on the log does not name its import. */
const markImported = async (
  { id: erasureId, workspaceId, before, dependencies, inside }: Erasing,
  { transferId }: SoughtImport,
  after: string | null,
): Promise<PhaseResult> =>
  inside(async transaction => {
    await lockWorkspaces(transaction, [workspaceId], 'signals')
    const ids = await findImported(transaction, { workspaceId, erasureId }, transferId, after, ROWS_READ)
    const marks = ids.map(id => markOf('signal', id, dependencies.actorKey))
    await storeMarks(transaction, workspaceId, marks, before)
    const total = await countItems(transaction, erasureId)
    return { after: ids.length < ROWS_READ ? null : (ids.at(-1) ?? null), done: 0, total }
  })

export const find =
  (place: Place) =>
  async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
    const { sought } = erasing
    if (sought.what === 'age' && sought.signalsBefore === null) return DONE
    const page = await erasing.inside(transaction => findItems(transaction, erasing, place, after, ROWS_READ))
    const total = await erasing.inside(transaction => countItems(transaction, erasing.id))
    return { after: page.last, done: 0, total }
  }

export const eraseMatchingDeadLetters = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, sought, before, dependencies, inside } = erasing
  if (sought.what === 'age' || sought.what === 'import') return DONE
  const { letters, last } = await inside(transaction =>
    readStoredDeadLetters(transaction, workspaceId, deadLetterPlaceIn(after), DEAD_LETTERS_READ),
  )
  const found: SignalId[] = []
  for (const letter of letters) if (await isSought(letter, sought, before, dependencies)) found.push(letter.signal_id)
  if (found.length > 0) {
    await inside(async transaction => {
      const removed = await eraseDeadLetters(transaction, { workspaceId, erasureId: id }, found)
      await addCounts(transaction, id, { dead_letters: removed })
    })
  }
  return { after: last === null ? null : cursorBehind(last), done: 0 }
}

/** Prefix of the cursor while dead letters are read, after the stored rows. */
const DEAD_LETTERS_CURSOR = 'letters '

/** Compares values with the marks, and collects the matches. */
const findings = (sought: SoughtAgain, pseudonym: Pseudonym) => {
  const marks = new Set(sought.marks)
  const of = {
    actors: new Set(sought.actors),
    sourceIds: new Set<SourceId>(sought.sourceIds),
    signalIds: new Set<SignalId>(sought.signalIds),
    words: new Set(sought.words),
    addresses: new Set(sought.addresses),
  }
  const look = <Value extends string>(kind: 'actor' | 'source' | 'signal', value: Value | null, into: Set<Value>) => {
    if (value !== null && !into.has(value) && marks.has(markOf(kind, value, pseudonym))) into.add(value)
  }
  return {
    actor: (actor: string | null) => look('actor', actor, of.actors),
    source: (id: SourceId | null) => look('source', id, of.sourceIds),
    signal: (id: SignalId | null) => look('signal', id, of.signalIds),
    words(text: string): void {
      for (const found of findMarkedWords('word', text, marks, pseudonym)) of.words.add(found)
    },
    addresses(text: string): void {
      for (const found of findMarkedWords('address', text, marks, pseudonym)) of.addresses.add(found)
    },
    sought: (): SoughtAgain => ({
      ...sought,
      actors: [...of.actors],
      sourceIds: [...of.sourceIds],
      signalIds: [...of.signalIds],
      words: [...of.words],
      addresses: [...of.addresses],
    }),
  }
}

/**
 * Finds the persons, sources and signals behind the marks of earlier erasures, in rows that a backup brought back. A
 * mark is a keyed hash, so every actor, source, signal and run of words is hashed and compared. Answers a pause of 0 ms
 * at its end, which ends the slice: later phases must see the findings.
 */
const nameAgain = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, dependencies, inside } = erasing
  const { sealer, actorKey, signalCodec } = dependencies
  const running = await inside(transaction => findRunning(transaction, id))
  if (running === null) return { after: null, done: 0, pauseMs: 0 }
  const found = findings(JSON.parse(sealer.unseal(running.sealed)), actorKey)
  const store = (sought: SoughtAgain) =>
    inside(transaction => setSought(transaction, id, sealer.seal(JSON.stringify(sought))))
  if (after?.startsWith(DEAD_LETTERS_CURSOR)) {
    const from = deadLetterPlaceIn(after.slice(DEAD_LETTERS_CURSOR.length))
    const { letters, last } = await inside(transaction =>
      readStoredDeadLetters(transaction, workspaceId, from, DEAD_LETTERS_READ),
    )
    for (const letter of letters) {
      found.signal(letter.signal_id)
      const record = recordOf(letter, sealer)
      const signal = await signalCodec.decode(record).catch(() => null)
      found.addresses(signal === null ? Buffer.from(record).toString('utf8') : writtenIn(signal))
      if (signal === null) continue
      found.source(signal.source_id)
      for (const actor of saidBy(signal, actorKey)) found.actor(actor)
    }
    const sought = found.sought()
    await store(last === null ? { ...sought, marks: [] } : sought)
    if (last === null) return { after: null, done: 0, pauseMs: 0 }
    return { after: `${DEAD_LETTERS_CURSOR}${cursorBehind(last)}`, done: 0 }
  }
  const { rows, last } = await inside(transaction => readWritten(transaction, workspaceId, after))
  for (const row of rows) {
    found.actor(row.actor)
    found.source(row.sourceId)
    found.signal(row.id)
    found.words(row.text)
  }
  await store(found.sought())
  return { after: last ?? DEAD_LETTERS_CURSOR, done: 0 }
}
