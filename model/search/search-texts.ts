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

/** Runs a transaction of the workspace. It ends before the next one starts. */
export type Read = <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>

/**
 * A workspace's texts in memory for one call. They stay with the call, even when another workspace takes their room.
 */
export interface HeldTexts extends Pick<WorkspaceTexts, 'search' | 'having' | 'remove'> {
  /** True when everything that was stored at the time of the call is in memory. */
  readonly isWhole: boolean
  /** True when older texts are left out for lack of room. */
  readonly isCut: boolean
  /** True while older texts are read, at the first reading or a new one. */
  readonly isReadingOlder: boolean
  /** True while the latest texts are read, as after an import. */
  readonly isReadingNewer: boolean
  readonly texts: number
  /** Texts that are not found by all of their words. */
  readonly cut: number
  /** Estimated number of stored texts; null when counting took too long. */
  readonly stored: number | null
}

/**
 * The words of the workspaces that were searched last, in memory. They hold only what the database has committed, so
 * any process can answer for any workspace, and a new process reads what it needs.
 *
 * A workspace is in one of these states:
 * - first reading: the texts of each pass in `FIRST` are read from the newest back. After an error the next call
 *   continues. The reading ends with all texts, or, when there is no room, with the newest (`isCut`).
 * - read: each call of `refresh` reads the changes since `from`. It reads all changes of transactions that were open at
 *   the last reading again, because these may commit late.
 * - forgotten: there was no room, its index failed, most of its words were removed, or it outgrew the room. The next
 *   call starts a first reading.
 */
export interface SearchTexts {
  /**
   * Reads what was written up to now; the first time the whole workspace, newest first. Waits at most `waitMs` for each
   * of both; the rest is read in the background. Each page has a transaction of its own.
   */
  refresh(read: Read, workspaceId: WorkspaceId, waitMs: number): Promise<HeldTexts>
}

interface Reading {
  readonly texts: WorkspaceTexts
  /** The present pass of `FIRST`, from the newest back, and its position. */
  pass: number
  back: ChangePlace
  /** True when the reading ended for lack of room. */
  isCut: boolean
  /** The running first reading; null without one. */
  first: Promise<void> | null
  /**
   * Number of stored texts, counted at the first call that misses older ones, with the number in memory at that time.
   */
  counted: Promise<{ readonly stored: number; readonly held: number }> | null
  /** The transaction from which changes are read; null before the first page. */
  from: string | null
  place: ChangePlace | null
  oldest: string | null
  /** The running or last reading of changes. */
  turn: Promise<void>
}

/** Texts of a page: adding a page blocks the thread for some hundredths of a second. */
const PAGE = 500

/** Texts of people and the model are few beside the signals, and are read first. */
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

/** Growth beyond the room from which a workspace is read again, as far back as there is room. */
const OUTGROWN = 1.5

interface SearchTextsOptions {
  readonly maxBytes: number
  readonly log: Pick<Logger, 'error'>
  readonly createTexts?: () => WorkspaceTexts
}

/**
 * Keeps about `maxBytes` at most. The workspaces that were not searched for the longest time are dropped first. When
 * one workspace alone is too large, its newest texts are kept.
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
   * Runs work on a workspace's index. When the work throws, the index is dropped, so that the next call reads it again,
   * and the caller gets `unavailable`, which reads repeat by themselves.
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
  /**
   * Reads stored texts from where the last such reading ended, until all are in memory or the workspace was dropped.
   */
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
        // The database reads the next page while this one is added.
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
  /** Simultaneous calls share the reading. After an error the next call continues it. */
  const firstReading = (read: Read, workspaceId: WorkspaceId, reading: Reading): Promise<void> => {
    reading.first ??= readFirst(read, workspaceId, reading).finally(() => {
      reading.first = null
    })
    return reading.first
  }
  /** Reads changes from where the last reading ended, complete or not. */
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
    // During the first reading, a page may be older than a change that is in memory.
    if (isRead(reading)) reading.texts.passBy(reading.from)
    // A transaction that committed during a failed reading may be before the place of its continuation.
    if (isGoneOnWith) await readOn(read, workspaceId, reading)
  }
  /**
   * Estimates the number of stored texts. Not counted at each call: older texts of a workspace that is too large are
   * missing for ever, and texts that came since are new.
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
      // The next reading continues where this one failed.
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
