import { setImmediate as breathe } from 'node:timers/promises'
import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import type { Logger } from '../../infra/runtime/logger.ts'
import { endsWithin } from '../../infra/runtime/promises.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import {
  before,
  type ChangePlace,
  countTexts,
  type IndexedKind,
  NEWEST,
  readChangedTexts,
  readTextsBefore,
} from './changed-texts.ts'
import { createWorkspaceTexts, KINDS, type WorkspaceTexts } from './workspace-texts.ts'

/** A transaction of the workspace, which ends before the next one is asked for. */
export type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>

/**
 * What is held of a workspace when it is asked for. It stays with the caller: another workspace that takes its room
 * takes nothing from a call that goes on.
 */
export interface HeldTexts extends Pick<WorkspaceTexts, 'search' | 'having' | 'remove'> {
  /** All that was stored by then is held: nothing of what follows. */
  readonly isWhole: boolean
  /** Older ones are left out, for there is no room for them. */
  readonly isCut: boolean
  /** Older ones are still being read: it is read for the first time, or anew. */
  readonly isReadingOlder: boolean
  /** What was written last is still being read, as after an import. */
  readonly isReadingNewer: boolean
  readonly texts: number
  /** How many of them are not found by all of their words. */
  readonly cut: number
  /** About how many are stored; null where counting took too long. */
  readonly stored: number | null
}

/**
 * The words of the workspaces that were searched last, in memory. It holds what the database has committed and nothing
 * else, so any process answers for any workspace, and one that starts anew reads what it needs.
 */
export interface SearchTexts {
  /**
   * Takes in what was written until now; the first time that is all of the workspace, the newest first. For either it
   * waits so long: the rest is read in the background. In pages, each in a transaction of its own.
   */
  refresh(read: Read, workspaceId: WorkspaceId, waitMs: number): Promise<HeldTexts>
}

interface Reading {
  readonly texts: WorkspaceTexts
  /** Which of the `FIRST` kinds are read, from the newest back, and from where on. */
  pass: number
  back: ChangePlace
  /** It ended where there was no room for more. */
  isCut: boolean
  /** The first reading, while it goes on. */
  first: Promise<void> | null
  /** How many are stored, as counted for the first who is told that older ones are missing, and were held then. */
  counted: Promise<{ readonly stored: number; readonly held: number }> | null
  /** The transaction that changes are read from; null before the first page. */
  from: string | null
  place: ChangePlace | null
  oldest: string | null
  /** The reading of changes that goes on, or was the last. */
  turn: Promise<void>
}

/** Few enough that taking a page in blocks the thread for some hundredths of a second only. */
const PAGE = 500

/** What people and the model wrote is little beside the signals, and goes first. */
const FIRST: readonly (readonly IndexedKind[])[] = [
  KINDS.filter(kind => kind !== 'signal' && kind !== 'repeat'),
  ['signal', 'repeat'],
]
const isRead = ({ pass }: Reading): boolean => pass === FIRST.length

const nothing = (texts: WorkspaceTexts): Reading => ({
  texts,
  pass: 0,
  back: NEWEST,
  isCut: false,
  first: null,
  counted: null,
  from: null,
  place: null,
  oldest: null,
  turn: Promise.resolve(),
})

/** A workspace that has grown to so much of the room is read again, as far back as there is room. */
const OUTGROWN = 1.5

interface SearchTextsOptions {
  readonly maxBytes: number
  readonly log: Pick<Logger, 'error'>
  readonly createTexts?: () => WorkspaceTexts
}

/**
 * Keeps at most about so much memory; the workspaces that were not searched for the longest time go first. Of one that
 * is too large by itself it keeps the newest.
 */
export const createSearchTexts = ({
  maxBytes,
  log,
  createTexts = createWorkspaceTexts,
}: SearchTextsOptions): SearchTexts => {
  /** In the order of their last use. */
  const readings = new Map<WorkspaceId, Reading>()

  const readingOf = (workspaceId: WorkspaceId): Reading => {
    const known = readings.get(workspaceId)
    const isOutgrown = known !== undefined && isRead(known) && known.texts.bytes() > OUTGROWN * maxBytes
    const reading = known === undefined || known.texts.isWorn() || isOutgrown ? nothing(createTexts()) : known
    readings.delete(workspaceId)
    readings.set(workspaceId, reading)
    return reading
  }
  const forgetOldest = (): void => {
    let bytes = 0
    for (const { texts } of readings.values()) bytes += texts.bytes()
    for (const [workspaceId, { texts }] of readings) {
      if (bytes <= maxBytes || readings.size === 1) return
      readings.delete(workspaceId)
      bytes -= texts.bytes()
    }
  }
  /**
   * Runs work on a workspace's index. Where it throws, the index is forgotten, so that the next call reads it anew from
   * the database, and the caller gets `unavailable`, which reads repeat by themselves.
   */
  const onIndex = <Result>(workspaceId: WorkspaceId, reading: Reading, work: () => Result): Result => {
    try {
      return work()
    } catch (error) {
      if (readings.get(workspaceId) === reading) readings.delete(workspaceId)
      log.error({ kind: error instanceof Error ? error.name : typeof error, workspaceId }, 'an index of words failed')
      const message = 'The index of words failed and is built anew. Ask again in a few seconds.'
      throw new AssayError('unavailable', message, { cause: error })
    }
  }
  /** Reads what there is, from where the last such reading ended, until it is all held or was forgotten. */
  const readFirst = async (read: Read, workspaceId: WorkspaceId, reading: Reading): Promise<void> => {
    for (let kinds = FIRST[reading.pass]; kinds !== undefined; kinds = FIRST[reading.pass]) {
      const ofKinds = kinds
      const pageBefore = (place: ChangePlace) =>
        read(transaction => readTextsBefore(transaction, workspaceId, ofKinds, place, PAGE))
      for (let page = pageBefore(reading.back), isLast = false; !isLast; await breathe()) {
        const { texts, oldest } = await page
        if (readings.get(workspaceId) !== reading) return
        reading.from ??= oldest
        const next = texts.at(-1) ?? reading.back
        isLast = texts.length < PAGE
        // The database reads the next page while the words of this one are taken.
        if (!isLast) page = pageBefore(next)
        page.catch(() => {})
        const { from } = reading
        onIndex(workspaceId, reading, () => {
          for (const text of texts) reading.texts.takeFirst(text, from)
        })
        reading.back = next
        forgetOldest()
        if (!isLast && reading.texts.bytes() > maxBytes) {
          reading.isCut = true
          reading.counted = null
          reading.pass = FIRST.length
          return
        }
      }
      reading.pass += 1
      reading.back = NEWEST
    }
  }
  /** Those who ask meanwhile share it. It is gone on with where it failed. */
  const firstReading = (read: Read, workspaceId: WorkspaceId, reading: Reading): Promise<void> => {
    reading.first ??= readFirst(read, workspaceId, reading).finally(() => {
      reading.first = null
    })
    return reading.first
  }
  /** Reads the changes on from where the last reading ended, be it at the end or in the middle. */
  const readOn = async (read: Read, workspaceId: WorkspaceId, reading: Reading): Promise<void> => {
    if (reading.from === null) return
    const isGoneOnWith = reading.place !== null
    for (let isBehind = true; isBehind; ) {
      const place = reading.place ?? before(reading.from)
      const { texts, oldest } = await read(transaction => readChangedTexts(transaction, workspaceId, place, PAGE))
      reading.oldest ??= oldest
      onIndex(workspaceId, reading, () => {
        for (const text of texts) reading.texts.takeChanged(text)
      })
      reading.place = texts.at(-1) ?? place
      isBehind = texts.length >= PAGE
      if (isBehind) await breathe()
    }
    reading.from = reading.oldest ?? reading.from
    reading.place = null
    reading.oldest = null
    // A page of the first reading may be older than a change that was taken in.
    if (isRead(reading)) reading.texts.passBy(reading.from)
    // What committed while a reading had failed may stand before the place where it was gone on with.
    if (isGoneOnWith) await readOn(read, workspaceId, reading)
  }
  /**
   * About how many are stored. They are not counted for each call while older ones are missing: of a workspace that is
   * too large this goes on for ever, and what was held since is new.
   */
  const countStored = async (read: Read, workspaceId: WorkspaceId, reading: Reading, isReadOn: boolean) => {
    const { index } = reading.texts
    const count = async () => {
      const held = index.texts
      return { stored: await read(transaction => countTexts(transaction, workspaceId)), held }
    }
    if (!isReadOn) return (await count()).stored
    reading.counted ??= count().catch(error => {
      reading.counted = null
      throw error
    })
    const { stored, held } = await reading.counted
    return reading.isCut ? stored + index.texts - held : stored
  }

  return {
    refresh: async (read, workspaceId, waitMs) => {
      const reading = readingOf(workspaceId)
      if (!isRead(reading)) await endsWithin(firstReading(read, workspaceId, reading), waitMs)
      const turn = reading.turn.then(() => readOn(read, workspaceId, reading))
      // The next one goes on where this one failed.
      reading.turn = turn.catch(() => {})
      const isReadOn = await endsWithin(turn, waitMs)
      forgetOldest()
      const isReadingOlder = !isRead(reading)
      const isWhole = isReadOn && !isReadingOlder && !reading.isCut
      const { texts, isCut } = reading
      const stored = isWhole ? Promise.resolve(0) : countStored(read, workspaceId, reading, isReadOn)
      const isCounted = await endsWithin(stored, waitMs)
      return {
        search: (...query) => onIndex(workspaceId, reading, () => texts.search(...query)),
        having: (...query) => onIndex(workspaceId, reading, () => texts.having(...query)),
        remove: ids => onIndex(workspaceId, reading, () => texts.remove(ids)),
        isWhole,
        isCut,
        isReadingOlder,
        isReadingNewer: !isReadOn,
        texts: texts.index.texts,
        cut: texts.cut(),
        stored: isCounted ? Math.max(texts.index.texts, await stored) : null,
      }
    },
  }
}
