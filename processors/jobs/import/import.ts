import { Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { Codec } from '../../../infra/log/codec.ts'
import type { Log } from '../../../infra/log/port.ts'
import { AssayError } from '../../../infra/runtime/errors.ts'
import { formatTraceparent, newTrace } from '../../../infra/runtime/traces.ts'
import { receivedRecord } from '../../../model/signals/received-signals.ts'
import { FILE_START } from '../../../model/transfers/records/read-records.ts'
import {
  type ImportedRecord,
  nextSignals,
  readingOf,
  storedBytes,
} from '../../../model/transfers/signals/imported-signals.ts'
import { withDomain } from '../../../model/transfers/signals/kept-domain.ts'
import { findRows, noteRows } from '../../../model/transfers/signals/known-rows.ts'
import type { Transfer } from '../../../model/transfers/transfers.ts'
import type { SignalId, TenantId } from '../../../schemas/domain/ids.ts'
import { receivedSignal, type SignalRecord } from '../../../schemas/events/signal.ts'
import type { SignalBody } from '../../../schemas/http/signal.ts'
import { type InWorkspace, inWorkspace } from '../in-workspace.ts'
import { cursorReader, type JobDefinition, type JobSlice, type SliceResult } from '../job-kind.ts'
import {
  estimatedTotal,
  FilePositionFields,
  fileDeleted,
  pieceStore,
  type TransferDependencies,
  transferOf,
} from '../transfer-file.ts'
import { type EditDependencies, editRows } from './edit-rows.ts'
import { importWorkspace } from './import-workspace.ts'
import type { ImportWorkspaceDependencies } from './write-rows.ts'

const A_SLICE = { records: 500, bytes: 1024 * 1024 }

interface ImportSignalsDependencies extends TransferDependencies, EditDependencies {
  readonly log: Pick<Log, 'append'>
  readonly signalCodec: Pick<Codec<SignalRecord>, 'encode'>
}

/** Progress of an import of signals. */
interface ImportPosition {
  readonly byte: number
  readonly line: number
  /** Number of records read. */
  readonly records: number
}

/**
 * Sends the next records of a file to the head of the bulk lane; the edge uses the live lane. Records that an earlier
 * import sent are edited where they have changed. A signal's id is derived from the columns that identify its row, and
 * its receipt is the file's. A repeated slice therefore sends the same signals, which every step takes for a
 * redelivery.
 */
const importSignals = async (
  dependencies: ImportSignalsDependencies,
  inside: InWorkspace,
  slice: JobSlice,
  transfer: Transfer,
  from: ImportPosition,
): Promise<SliceResult> => {
  const receivedAt = transfer.created_at.getTime()
  const file = { ...transfer, reading: readingOf(transfer) }
  const { records, next } = await nextSignals(
    storedBytes(pieceStore(dependencies, inside), transfer.id),
    file,
    from,
    A_SLICE,
    receivedAt,
  )
  const isEnd = next.byte >= transfer.bytes
  if (!isEnd && next.byte === from.byte) throw fileDeleted()
  const identityOf = (id: SignalId) => ({
    signal_id: id,
    tenant_id: tenantOf(slice),
    workspace_id: slice.workspaceId,
    source_id: null,
    channel: 'capture' as const,
    received_at: receivedAt,
  })
  const rows = await inside(transaction => findRows(transaction, transfer, records, dependencies.actorKey))
  const fresh = rows.filter(({ is }) => is === 'new')
  if (fresh.length > 0) {
    const outgoing = fresh.map(({ id, body }) => recordOf(dependencies, identityOf(id), body))
    await dependencies.log.append(await Promise.all(outgoing))
  }
  const changed = rows.filter(({ is }) => is === 'changed')
  const edited = await editRows(dependencies, transfer, changed, receivedAt)
  const noted = rows.filter(({ is, id }) => is === 'new' || is === 'known' || edited.has(id))
  await inside(transaction => noteRows(transaction, transfer, noted))

  const read = records.filter(({ reading }) => reading.kind !== 'blank').length
  const refused = records.filter(isRefused)
  const last = refused.at(-1)
  return {
    cursor: isEnd ? null : { ...next, records: from.records + read },
    done: read,
    failed: refused.length,
    total: isEnd ? from.records + read : estimatedTotal(transfer, next, from.records + read),
    ...(last && { message: `${transfer.format === 'json' ? 'Element' : 'Line'} ${last.line}: ${last.reading.reason}` }),
  }
}

const Input = Compile(Type.Object({ tenant_id: Type.String({ format: 'uuid' }) }))

const tenantOf = ({ input }: JobSlice): TenantId => {
  if (!Input.Check(input)) throw new AssayError('invalid_input', 'The job does not say whose the signals are.')
  // `start_import` writes the caller's tenant.
  return input.tenant_id as TenantId
}

const recordOf = (
  { signalCodec }: ImportSignalsDependencies,
  identity: Parameters<typeof receivedSignal>[0],
  body: SignalBody,
) =>
  receivedRecord(
    signalCodec,
    receivedSignal(identity, { format: 'signal', body: JSON.stringify(withDomain(body)) }),
    formatTraceparent(newTrace()),
    () => 'bulk',
  )

type Refused = ImportedRecord & { readonly reading: { readonly kind: 'refused' } }
const isRefused = (record: ImportedRecord): record is Refused => record.reading.kind === 'refused'

const readCursor = cursorReader(Type.Object({ ...FilePositionFields, records: Type.Integer() }))

/** Imports an uploaded file: signals through the pipeline, an export of a workspace into the tables. */
export const createImportJob = (
  dependencies: ImportSignalsDependencies & ImportWorkspaceDependencies,
): JobDefinition => ({
  kind: 'import',
  slice: async slice => {
    const inside = inWorkspace(dependencies, slice.workspaceId)
    const transfer = await transferOf(inside, slice)
    return transfer.format === 'workspace'
      ? importWorkspace(dependencies, inside, slice, transfer)
      : importSignals(dependencies, inside, slice, transfer, readCursor(slice.cursor) ?? { ...FILE_START, records: 0 })
  },
})
