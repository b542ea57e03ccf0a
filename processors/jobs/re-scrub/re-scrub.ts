import { type Static, Type } from 'typebox'
import type { Embedder } from '../../../infra/models/port.ts'
import type { Database, Transaction } from '../../../infra/postgres/port.ts'
import { CPU_BUDGET_MS, inTimeBoundParts } from '../../../infra/runtime/cpu-budget.ts'
import { isAssayError } from '../../../infra/runtime/errors.ts'
import { changeMap } from '../../../model/map/nodes.ts'
import { newestNumber } from '../../../model/signals/read-signals.ts'
import type { WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { Replaced } from '../../steps/scrub/redact.ts'
import { type ScrubDependencies, scrubContent } from '../../steps/scrub/scrub.ts'
import { cursorReader, type JobDefinition, type SliceResult } from '../job-kind.ts'
import { rewriteContents } from '../rewrite-contents.ts'
import { readContents } from '../stored-contents.ts'
import { cleanRow, countDerived, DERIVED_TEXTS, readDerived, writeDerived } from './derived-texts.ts'

const CHARACTERS_A_SLICE = 200_000
const SIGNALS_A_SLICE = { signals: 200, characters: CHARACTERS_A_SLICE }
const ROWS_A_SLICE = 500

/** Signals by number, then each table of `DERIVED_TEXTS`. */
const Cursor = Type.Object({
  after_number: Type.Integer(),
  /** Rows beside the signals; null before they were counted. */
  derived: Type.Union([Type.Integer(), Type.Null()]),
  /** Index of the present table; null during the signals. */
  table: Type.Union([Type.Integer(), Type.Null()]),
  after_key: Type.Union([Type.Array(Type.String()), Type.Null()]),
  changed_texts: Type.Integer(),
  changed: Type.Integer(),
  replaced: Type.Record(Type.String(), Type.Integer()),
  /** Reason of the last failure: a text that lost its vector has no new one, or could not be scrubbed. */
  failure: Type.Union([Type.String(), Type.Null()]),
})
type Cursor = Static<typeof Cursor>
const readCursor = cursorReader(Cursor)

const BEGINNING: Cursor = {
  after_number: 0,
  derived: null,
  table: null,
  after_key: null,
  changed_texts: 0,
  changed: 0,
  replaced: {},
  failure: null,
}

export interface ReScrubDependencies extends ScrubDependencies {
  readonly database: Database
  readonly embedder: Embedder
}

/** Applies the present rules of the step `scrub` to everything that is stored of a workspace's signals. */
export const createReScrubJob = (dependencies: ReScrubDependencies): JobDefinition => ({
  kind: 're_scrub',
  slice: ({ workspaceId, cursor: stored }) => {
    const cursor = readCursor(stored) ?? BEGINNING
    return cursor.table === null
      ? scrubSignals(dependencies, workspaceId, cursor)
      : scrubDerived(dependencies, workspaceId, cursor, cursor.table)
  },
})

const inside = <Result>(
  { database }: ReScrubDependencies,
  workspaceId: WorkspaceId,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> => database.transaction({ role: 'assay_pipeline', workspaceIds: [workspaceId] }, work)

/** A page with a signal that was changed meanwhile is read again. */
const scrubSignals = async (
  dependencies: ReScrubDependencies,
  workspaceId: WorkspaceId,
  cursor: Cursor,
): Promise<SliceResult> => {
  const after = cursor.after_number
  const { signals, newest, derived } = await inside(dependencies, workspaceId, async transaction => ({
    signals: await readContents(transaction, { workspaceId, after }, SIGNALS_A_SLICE),
    newest: await newestNumber(transaction, workspaceId),
    derived: cursor.derived ?? (await countAllDerived(transaction, workspaceId)),
  }))
  const total = newest + derived
  const last = signals.at(-1)
  if (last === undefined) return { cursor: { ...cursor, derived, table: 0 }, done: 0, failed: 0, total }

  const scrubbed = await inTimeBoundParts(signals, CPU_BUDGET_MS, signal => {
    const replaced: Replaced = new Map()
    const content = scrubContent(signal.content, replaced, dependencies)
    const isSame = JSON.stringify(content) === JSON.stringify(signal.content)
    return {
      replaced,
      changed: isSame ? [] : [{ ...signal, content }],
      isRewritten: content.text !== signal.content.text,
    }
  })
  const clean = scrubbed.flatMap(result => (isAssayError(result) ? [] : [result]))
  const tooCostly = scrubbed.filter(isAssayError).map(error => error.publicMessage)
  const { written, problems } = await rewriteContents(
    dependencies,
    workspaceId,
    clean.flatMap(({ changed }) => changed),
    clean.flatMap(({ changed, isRewritten }) => (isRewritten ? changed : [])),
  )
  const isWritten = ({ changed }: (typeof clean)[number]) => changed.every(({ id }) => written.has(id))
  const settled = clean.filter(isWritten)
  const counted = {
    ...cursor,
    derived,
    changed: cursor.changed + written.size,
    changed_texts: cursor.changed_texts + settled.filter(({ isRewritten }) => isRewritten).length,
    replaced: settled.reduce((sum, { replaced }) => added(sum, replaced), cursor.replaced),
    failure: problems.at(-1) ?? cursor.failure,
  }
  if (settled.length < clean.length) return { cursor: counted, done: 0, failed: problems.length, total }
  return {
    cursor: { ...counted, after_number: last.number, failure: problems.at(-1) ?? tooCostly.at(-1) ?? cursor.failure },
    done: signals.length,
    total,
    failed: problems.length + tooCostly.length,
  }
}

/**
 * A page with a row that was changed meanwhile is read again from its beginning, because a merge may have moved the
 * row.
 */
const scrubDerived = async (
  dependencies: ReScrubDependencies,
  workspaceId: WorkspaceId,
  cursor: Cursor,
  table: number,
): Promise<SliceResult> => {
  const derived = DERIVED_TEXTS[table]
  if (derived === undefined)
    return inside(dependencies, workspaceId, transaction => finish(transaction, workspaceId, cursor))
  const most = { rows: derived.rows ?? ROWS_A_SLICE, characters: CHARACTERS_A_SLICE }
  const rows = await inside(dependencies, workspaceId, transaction =>
    readDerived(transaction, derived, workspaceId, cursor.after_key, most),
  )
  const last = rows.at(-1)
  if (last === undefined) return { cursor: { ...cursor, table: table + 1, after_key: null }, done: 0, failed: 0 }

  const scrubbed = await inTimeBoundParts(rows, CPU_BUDGET_MS, row => {
    const replaced: Replaced = new Map()
    return { replaced, row: cleanRow(row, derived, replaced) }
  })
  const tooCostly = scrubbed.filter(isAssayError)
  const clean = scrubbed.flatMap(result =>
    isAssayError(result) || result.row === null ? [] : [{ replaced: result.replaced, row: result.row }],
  )
  const cleanRows = clean.map(({ row }) => row)
  const stored = new Set(
    await inside(dependencies, workspaceId, transaction => writeDerived(transaction, derived, workspaceId, cleanRows)),
  )
  const written = clean.filter(({ row }) => stored.has(row))
  const counted = {
    ...cursor,
    changed: cursor.changed + written.length,
    replaced: written.reduce((sum, { replaced }) => added(sum, replaced), cursor.replaced),
  }
  if (written.length < clean.length) return { cursor: counted, done: 0, failed: 0 }
  return {
    cursor: { ...counted, after_key: last.key, failure: tooCostly.at(-1)?.publicMessage ?? cursor.failure },
    done: rows.length,
    failed: tooCostly.length,
  }
}

const countAllDerived = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> => {
  let count = 0
  for (const derived of DERIVED_TEXTS) count += await countDerived(transaction, derived, workspaceId)
  return count
}

/** A changed text has another vector, so signals are anchored again. */
const finish = async (transaction: Transaction, workspaceId: WorkspaceId, cursor: Cursor): Promise<SliceResult> => {
  if (cursor.changed_texts > 0) await changeMap(transaction, workspaceId, 'the end of re_scrub')
  const kinds = Object.entries(cursor.replaced).map(([kind, count]) => `${count} ${kind}`)
  const found =
    kinds.length === 0 ? 'Nothing was replaced.' : `Replaced: ${kinds.join(', ')}. Rows changed: ${cursor.changed}.`
  return { cursor: null, done: 0, failed: 0, message: [found, cursor.failure ?? ''].join(' ').trim() }
}

const added = (before: Cursor['replaced'], found: Replaced): Cursor['replaced'] => {
  const sum = { ...before }
  for (const [kind, count] of found) sum[kind] = (sum[kind] ?? 0) + count
  return sum
}
