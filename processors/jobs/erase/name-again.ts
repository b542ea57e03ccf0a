import { readStoredDeadLetters } from '../../../model/erasures/erase-signals.ts'
import { findRunning, type SoughtAgain, setSought } from '../../../model/erasures/erasures.ts'
import { readWritten } from '../../../model/erasures/find-signals.ts'
import { findMarkedWords, markOf, type Pseudonym } from '../../../model/erasures/marks.ts'
import type { SignalId, SourceId } from '../../../schemas/domain/ids.ts'
import { recordOf } from '../../sinks/dead-letters/replay-dead-letters.ts'
import { saidBy, writtenIn } from './matching-dead-letters.ts'
import type { Erasing, PhaseResult } from './phase.ts'

const LETTERS_READ = 100

/** What marks turn out to be of, as it is read. */
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
 * Finds out whom and what the marks of earlier erasures are of, in rows that a backup brought back: a mark is a keyed
 * hash, so every actor, source, signal and run of words is hashed and compared. Ends its slice, as the phases behind it
 * look for what it found.
 */
export const nameAgain = async (erasing: Erasing, after: string | null): Promise<PhaseResult> => {
  const { id, workspaceId, dependencies, inside } = erasing
  const { sealer, actorKey, signalCodec } = dependencies
  return inside(async transaction => {
    const running = await findRunning(transaction, id)
    if (running === null) return { after: null, done: 0, pauseMs: 0 }
    const found = findings(JSON.parse(sealer.unseal(running.sealed)), actorKey)
    const store = (sought: SoughtAgain) => setSought(transaction, id, sealer.seal(JSON.stringify(sought)))
    if (after?.startsWith(LETTERS)) {
      const [signalId, step = ''] = after.slice(LETTERS.length).split(' ')
      const from = signalId === undefined || signalId === '' ? null : ([signalId, step] as const)
      const page = await readStoredDeadLetters(transaction, workspaceId, from, LETTERS_READ)
      for (const letter of page) {
        found.signal(letter.signal_id)
        const record = recordOf(letter, sealer)
        const signal = await signalCodec.decode(record).catch(() => null)
        found.addresses(signal === null ? Buffer.from(record).toString('utf8') : writtenIn(signal))
        if (signal === null) continue
        found.source(signal.source_id)
        for (const actor of saidBy(signal, actorKey)) found.actor(actor)
      }
      const last = page.length < LETTERS_READ ? undefined : page.at(-1)
      const sought = found.sought()
      await store(last === undefined ? { ...sought, marks: [] } : sought)
      if (last === undefined) return { after: null, done: 0, pauseMs: 0 }
      return { after: `${LETTERS}${last.signal_id} ${last.step}`, done: 0 }
    }
    const { rows, last } = await readWritten(transaction, workspaceId, after)
    for (const row of rows) {
      found.actor(row.actor)
      found.source(row.sourceId)
      found.signal(row.id)
      found.words(row.text)
    }
    await store(found.sought())
    return { after: last ?? LETTERS, done: 0 }
  })
}

const LETTERS = 'letters '
