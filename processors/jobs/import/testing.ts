import type { OutgoingRecord } from '../../../infra/log/port.ts'
import type { TestDatabase } from '../../../infra/postgres/testing.ts'
import { createSealer, INSTALLATION_KEY_BYTES } from '../../../infra/runtime/secrets.ts'
import { sealPiece, storePiece } from '../../../model/transfers/pieces.ts'
import { insertTransfer } from '../../../model/transfers/transfers.ts'
import { type JobId, newId, type TransferId, type WorkspaceId } from '../../../schemas/domain/ids.ts'
import type { SignalRecord } from '../../../schemas/events/signal.ts'
import type { CsvReading, ImportReport } from '../../../schemas/transfers/reading.ts'
import { signalCodec } from '../../framework/testing.ts'
import { createBuiltInClassifier } from '../../steps/classify/built-in/classifier.ts'
import { embedder, freshNeighbours, freshWords } from '../../steps/testing.ts'
import { createTopology } from '../../topology.ts'
import { createCheckImportJob } from '../check-import/check-import.ts'
import { runJob } from '../testing.ts'
import { createImportJob } from './import.ts'

const sealer = createSealer(new Uint8Array(INSTALLATION_KEY_BYTES).fill(7))
const actorKey = (value: string) => `key of ${value}`

/** Columns: row number, text, writer. */
const NUMBERED: CsvReading = {
  delimiter: ',',
  header: true,
  mapping: [
    { field: 'row_id', column: 0 },
    { field: 'text', column: 1 },
    { field: 'actor_name', column: 2 },
  ],
  keep_other_columns: true,
}

/** Connects a file with a new job. */
export const knowing = (kind: 'import' | 'check_import') => `
  with job as (
    insert into jobs (id, workspace_id, kind, state, started_by, finished_at)
    values ($1, $2, '${kind}', 'done', 'Owner', now()) returning id
  )
  update transfers set ${kind === 'import' ? 'job_id' : 'check_job_id'} = job.id from job where transfers.id = $3`

interface Upload {
  readonly format?: 'csv' | 'json_lines'
  readonly reading?: CsvReading
}

/** Imports files into a workspace, through the whole pipeline where a test calls `deliver`. */
export const importKit = (db: () => TestDatabase) => {
  const sent: OutgoingRecord[] = []
  const dependencies = () => ({ database: db().database, sealer, signalCodec, embedder, actorKey })
  const upload = async (
    workspaceId: WorkspaceId,
    text: string,
    { format = 'csv', reading = NUMBERED }: Upload = {},
  ) => {
    const id = newId<TransferId>()
    const bytes = Buffer.from(text)
    await db().database.transaction({ role: 'assay_app', workspaceId }, async transaction => {
      const file = {
        id,
        workspace_id: workspaceId,
        direction: 'import',
        name: 'feedback',
        started_by: 'Owner',
      } as const
      await insertTransfer(transaction, { ...file, format })
      await storePiece(transaction, workspaceId, id, await sealPiece(sealer, 0, bytes))
      const read = format === 'csv' ? reading : {}
      await transaction.query('update transfers set complete = true, bytes = $2, reading = $3 where id = $1', [
        id,
        bytes.length,
        read,
      ])
    })
    return { id, input: { transfer_id: id, tenant_id: newId() } }
  }
  /** Runs sent records through all steps of the pipeline. */
  const deliver = async (): Promise<void> => {
    const { steps } = createTopology({
      ...dependencies(),
      neighbours: freshNeighbours(),
      words: freshWords(),
      judge: null,
      classifier: createBuiltInClassifier(),
    })
    const values = sent.splice(0).map(({ value }) => value as Uint8Array)
    let batch: SignalRecord[] = await Promise.all(values.map(value => signalCodec.decode(value)))
    // The chain guarantees the fields that each step needs.
    for (const step of steps) {
      const results = batch.length === 0 ? [] : await step.run(batch as never)
      batch = batch.flatMap((signal, place) => {
        const result = results[place]
        return result?.kind === 'next' ? [{ ...signal, ...result.adds }] : []
      })
    }
  }
  /** Checks and imports a file. Answers the check's report and the import. */
  const bring = async (workspaceId: WorkspaceId, text: string, given: Upload = {}) => {
    const { id, input } = await upload(workspaceId, text, given)
    const jobId = newId<JobId>()
    await db().pool.query(knowing('check_import'), [jobId, workspaceId, id])
    await runJob(createCheckImportJob(dependencies()), workspaceId, { jobId })
    const { rows } = await db().pool.query('select report from transfers where id = $1', [id])
    const log = {
      append: async (records: readonly OutgoingRecord[]) => {
        sent.push(...records)
      },
    }
    const job = createImportJob({ ...dependencies(), log })
    await runJob(job, workspaceId, { input })
    await db().pool.query(knowing('import'), [newId(), workspaceId, id])
    const report: ImportReport = rows[0].report
    return { id, input, job, report }
  }
  return { upload, bring, deliver, sent, dependencies }
}
