import { type Static, Type } from 'typebox'
import type { ErasureRow } from '../../../model/erasures/erasures.ts'
import { ERASURE_KINDS, JOB_STATES } from '../../../schemas/domain/vocabulary.ts'
import { instant, nullable, oneOf, uuid } from '../parts/fields.ts'

export const ErasureShape = Type.Object({
  id: uuid,
  kind: oneOf(ERASURE_KINDS),
  label: Type.String({ description: 'Of a signal its reference, of a source its name; nothing of a person.' }),
  asked_by: Type.String(),
  asked_at: instant,
  finished_at: nullable(instant),
  erased_signals: Type.Integer({ description: 'Signals, repeats and dead letters that the ledger counts as erased.' }),
  counts: Type.Array(Type.Object({ place: Type.String(), rows: Type.Integer() }), {
    description: 'Rows that went or were rewritten, by table.',
  }),
  proof: nullable(
    Type.Array(
      Type.Object({
        store: oneOf(['postgres', 'clickhouse', 'log']),
        place: Type.String(),
        looked_for: oneOf(['signals', 'sender', 'words', 'records']),
        found: Type.Integer(),
      }),
      { description: 'What a search of every store found afterwards; null until it is done.' },
    ),
  ),
  job: nullable(
    Type.Object({
      state: oneOf(JOB_STATES),
      done: Type.Integer(),
      total: nullable(Type.Integer()),
      message: nullable(Type.String()),
    }),
  ),
})

export const erasureShape = (row: ErasureRow): Static<typeof ErasureShape> => ({
  id: row.id,
  kind: row.what,
  label: row.label,
  asked_by: row.asked_by_name,
  asked_at: row.asked_at.toISOString(),
  finished_at: row.finished_at?.toISOString() ?? null,
  erased_signals: row.erased_signals,
  counts: Object.entries(row.counts).map(([place, rows]) => ({ place, rows })),
  proof: row.proof === null ? null : row.proof.map(line => ({ ...line })),
  job:
    row.job_state === null
      ? null
      : { state: row.job_state, done: row.job_done ?? 0, total: row.job_total, message: row.job_message },
})
