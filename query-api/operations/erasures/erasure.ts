import {
  type ErasureRow,
  insertErasure,
  LOOKED_FOR,
  listErasures,
  PROOF_STORES,
  type Sought,
  type SoughtAgain,
} from '../../../model/erasures/erasures.ts'
import { runningJob } from '../../../model/jobs/jobs.ts'
import { actorsShown } from '../../../model/signals/actors.ts'
import { nameOfWorkspace } from '../../../model/workspaces/workspaces.ts'
import { newId } from '../../../schemas/domain/ids.ts'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { ERASURE_KINDS, JOB_STATES } from '../../../schemas/domain/vocabulary.ts'
import { AssayError, type Static, type Transaction, Type, type WriteContext } from '../define.ts'
import { beginJob } from '../jobs/job.ts'
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
        store: oneOf(PROOF_STORES),
        place: Type.String(),
        looked_for: oneOf(LOOKED_FOR),
        found: Type.Union([Type.Integer(), Type.Null()], {
          description: 'Null: not searched yet. Files of embedded stores are searched some minutes after the rows.',
        }),
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

/** The person to look for, by at least one of these. */
export const person = Type.Object({
  address: nullable(
    Type.String({
      minLength: 3,
      maxLength: 320,
      pattern: '\\S',
      description: 'Their e-mail address, in any spelling.',
    }),
  ),
  name: nullable(
    Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', description: 'Their name, as senders write it.' }),
  ),
})

export const actors = Type.Array(Type.String({ minLength: 1, maxLength: 2000 }), {
  maxItems: 50,
  description: 'Of preview_erasure: those that are the person.',
})

/**
 * The actors that `preview_erasure` showed. Throws `invalid_input` for an actor without signals here: erasing nobody
 * would look like a complete erasure.
 */
export const requireActors = async (transaction: Transaction, shown: readonly string[]): Promise<readonly string[]> => {
  const found = await actorsShown(transaction, shown)
  const missing = shown.findIndex(one => found.get(one)?.length === 0)
  if (missing === -1) return [...found.values()].flat()
  throw new AssayError(
    'invalid_input',
    'One of the actors has said nothing here. Look at the preview again: it shows who did.',
    {
      violations: [{ pointer: `/actors/${missing}`, message: 'must be an actor that preview_erasure shows' }],
    },
  )
}

export const confirmation = Type.String({
  maxLength: MAX_CHARACTERS.identifier,
  description: 'The workspace’s name: what is erased is gone for good, so whoever asks for it writes it out.',
})

/** Throws `invalid_input` unless the workspace's name was written out. */
export const requireConfirmation = async (
  transaction: Transaction,
  { caller }: WriteContext,
  written: string,
): Promise<void> => {
  const name = await nameOfWorkspace(transaction, caller.workspaceId)
  if (name !== null && written.trim() === name.trim()) return
  throw new AssayError('invalid_input', 'This is not the name of the workspace. Nothing was erased.', {
    violations: [{ pointer: '/confirm', message: 'must be the name of the workspace' }],
  })
}

/** An import or export at the same time would contain the erased texts. */
const BESIDE = ['import', 'check_import', 'export'] as const

/** Starts an erasure. Rejects with `conflict` while another erasure, an import or an export runs in the workspace. */
export const beginErasure = async (
  transaction: Transaction,
  context: WriteContext,
  sought: Exclude<Sought, SoughtAgain>,
  label: string,
) => {
  const { caller, services } = context
  for (const kind of BESIDE) {
    const running = await runningJob(transaction, kind)
    if (running === undefined) continue
    throw new AssayError('conflict', 'An import or export is under way here: wait for its end. Nothing was erased.', {
      context: { id: running.id },
    })
  }
  const id = newId()
  const jobId = await beginJob(transaction, context, { kind: 'erase', input: { erasure_id: id }, total: null })
  if (jobId === null) {
    throw new AssayError('conflict', 'Something is being erased here already: wait for its end. Nothing was started.')
  }
  const sealed = services.seal(JSON.stringify(sought))
  const by = { id: caller.userId, name: caller.userName }
  const { workspaceId } = caller
  await insertErasure(transaction, { id, workspaceId, jobId, what: sought.what, label, sealed, by })
  const [row] = await listErasures(transaction, workspaceId, { id, limit: 1, offset: 0 })
  if (row === undefined) throw new Error('What was inserted can be read.')
  return erasureShape(row)
}
