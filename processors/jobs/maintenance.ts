import { PLACED_BY_MEAN, shippedCalibration } from '../../infra/models/calibration.ts'
import type { Classifier, Embedder, Judge } from '../../infra/models/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { LEAST_SIGNALS_TO_CALIBRATE } from '../../model/calibrations/calibrations.ts'
import { startJobUnlessRunning } from '../../model/jobs/start-job.ts'
import { WITH_NEW_LESSONS } from '../../model/learning/lessons.ts'
import { WITH_NODES_TO_MEASURE } from '../../model/map/measure-nodes.ts'
import { WITH_SOMETHING_TOO_OLD } from '../../model/retention/retention.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { RepeatedWork } from '../../schemas/domain/vocabulary.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'
import { pagesOfWorkspaces } from './pages-of-workspaces.ts'

const EVERY_MS = 60_000

/** Work that may be due in a workspace. */
interface Upkeep {
  readonly kind: RepeatedWork | 'calibrate' | 'take_out' | 'erase'
  /**
   * Statement: the workspaces among `$1` where the work is due, by the model `$2`. It runs for every workspace each
   * minute, so it must be cheap.
   */
  readonly due: string
  /** Null when no model is involved. */
  readonly model: string | null
  readonly startedBy: string
  /** The job's input when no model is involved. */
  readonly input?: Readonly<Record<string, unknown>>
  /** True when `due` itself decides when failed work starts again. */
  readonly saysWhen?: true
}

// Every stored signal and node gets vectors, so a vector of another model means that some of this model are missing.
// The index finds one at once.
const WITH_VECTORS_OF_ANOTHER_MODEL = `
  select requested.id
  from unnest($1::uuid[]) as requested (id)
  where exists (select from signal_vectors where workspace_id = requested.id and model < $2 offset 0)
    or exists (select from signal_vectors where workspace_id = requested.id and model > $2 offset 0)
    or exists (select from map_node_vectors where workspace_id = requested.id and model < $2 offset 0)
    or exists (select from map_node_vectors where workspace_id = requested.id and model > $2 offset 0)`

const WITH_ANOTHER_MAP = `
  select workspace_id as id from map_revisions
  where workspace_id = any ($1::uuid[]) and revision <> anchored and $2::text is null`

const WITH_PROPOSALS_TO_JUDGE = `
  select requested.id
  from unnest($1::uuid[]) as requested (id)
  where exists (
    select from merge_proposals
    where workspace_id = requested.id and state = 'waiting' and judged_by is distinct from $2
    offset 0)`

// First when there are enough signals for a fit, then whenever their number has doubled.
const WITH_A_SCALE_TO_FIT = `
  select requested.id
  from unnest($1::uuid[]) as requested (id)
  where exists (
    select from signal_vectors
    where workspace_id = requested.id and model = $2 and place >= greatest(${LEAST_SIGNALS_TO_CALIBRATE}, 2 * coalesce((
      select through_place from embedding_calibrations where workspace_id = requested.id and model = $2), 0))
    offset 0)`

// Taking repeats out starts a job, except when a job is just ending. Repeats that an import brought have no job.
const WITH_REPEATS_TO_SEND = `
  select distinct taken_out_repeats.workspace_id as id from taken_out_repeats join occurrences using (id)
  where taken_out_repeats.workspace_id = any ($1::uuid[]) and in_force and sent_at is null and text is not null and $2::text is null`

// A person restarts work that was cancelled or failed, unless another model can do it.
const FREE_TO_START = `
  with latest as (
    select distinct on (workspace_id) workspace_id, state, coalesce(cursor ->> 'model', input ->> 'model', $3) as model
    from jobs where workspace_id = any ($1::uuid[]) and kind = $2
    order by workspace_id, created_at desc
  )
  select requested.id from unnest($1::uuid[]) as requested (id)
  where not exists (
    select from latest
    where workspace_id = requested.id
      and (state = 'running' or (state in ('cancelled', 'failed') and model is not distinct from $3)))`

// Refreshes the totals of claims and Solutions, so that their bounds stay narrow: after a day they are 0.8 % apart.
const REFRESH_TOTALS = `select refresh_priority_totals(now() - interval '1 day', 2000)`

// A file in a running import stays until its job ends.
const OLD_FILES = `
  with old as (
    select distinct transfer_id from transfer_pieces where created_at < now() - interval '1 day'
      and not exists (
        select from transfers join jobs on jobs.id = transfers.job_id where transfers.id = transfer_id and jobs.state = 'running')
  ), texts as (
    delete from transfer_texts using old where transfer_texts.transfer_id = old.transfer_id
  )
  delete from transfer_pieces using old where transfer_pieces.transfer_id = old.transfer_id`

interface Row {
  readonly id: WorkspaceId
}

export interface MaintenanceOptions {
  readonly database: Database
  readonly embedder: Pick<Embedder, 'model'>
  readonly judge: Pick<Judge, 'model'> | null
  readonly classifier: Pick<Classifier, 'version' | 'read'>
  readonly observer: Observer
  /** Poll interval, ms. */
  readonly intervalMs?: number
}

/**
 * Starts due maintenance work in all workspaces, now and then periodically. A workspace has one job of a kind, however
 * many processors look.
 */
export const startMaintenance = ({
  database,
  embedder,
  judge,
  classifier,
  observer,
  intervalMs = EVERY_MS,
}: MaintenanceOptions): Polling => {
  const kinds = kindsOf(embedder.model, judge?.model ?? null, classifier.read === undefined ? null : classifier.version)
  const work = async (): Promise<boolean> => {
    await database.transaction({ role: 'assay_accounts' }, transaction => transaction.query(OLD_FILES))
    for await (const workspaceIds of pagesOfWorkspaces(database))
      await database.transaction({ role: 'assay_pipeline', workspaceIds }, async transaction => {
        for (const maintenance of kinds) await startDue(transaction, maintenance, workspaceIds)
        await transaction.query(REFRESH_TOTALS)
      })
    return false
  }
  return startPolling({ what: 'Looking for work to do again', work, intervalMs, observer })
}

const kindsOf = (embedder: string, judge: string | null, taught: string | null): readonly Upkeep[] => [
  {
    kind: 're_embed',
    due: WITH_VECTORS_OF_ANOTHER_MODEL,
    model: embedder,
    startedBy: `the embedding model ${embedder}`,
  },
  ...(shippedCalibration(embedder) === null
    ? [
        {
          kind: 'calibrate',
          due: WITH_A_SCALE_TO_FIT,
          model: embedder,
          startedBy: `the embedding model ${embedder}`,
        } as const,
      ]
    : []),
  { kind: 're_anchor', due: WITH_ANOTHER_MAP, model: null, startedBy: 'a change of the map' },
  ...(embedder === PLACED_BY_MEAN
    ? [{ kind: 're_anchor', due: WITH_NODES_TO_MEASURE, model: null, startedBy: 'signals that came' } as const]
    : []),
  {
    kind: 'erase',
    due: WITH_SOMETHING_TOO_OLD,
    model: null,
    startedBy: 'the retention of the workspace',
    input: { retention: true },
    saysWhen: true,
  },
  { kind: 'take_out', due: WITH_REPEATS_TO_SEND, model: null, startedBy: 'repeats that were taken out' },
  ...(judge === null
    ? []
    : [{ kind: 're_judge', due: WITH_PROPOSALS_TO_JUDGE, model: judge, startedBy: `the judge ${judge}` } as const]),
  ...(taught === null
    ? []
    : [{ kind: 'learn', due: WITH_NEW_LESSONS, model: taught, startedBy: 'what people said' } as const]),
]

/** Starts the work in workspaces where it is due and may start. */
export const startDue = async (
  transaction: Transaction,
  { kind, due, model, startedBy, input: given = {}, saysWhen }: Upkeep,
  workspaceIds: readonly WorkspaceId[],
): Promise<void> => {
  const idsOf = async (statement: string, ids: readonly WorkspaceId[], ...values: readonly (string | null)[]) =>
    ids.length === 0 ? [] : (await transaction.query<Row>(statement, [ids, ...values])).map(({ id }) => id)
  const found = await idsOf(due, workspaceIds, model)
  // A job may do the work and end between the two statements, so it is asked for again where no job runs.
  const free = saysWhen ? found : await idsOf(due, await idsOf(FREE_TO_START, found, kind, model), model)
  const input = model === null ? given : { model }
  for (const workspaceId of free)
    await startJobUnlessRunning(transaction, { workspaceId, kind, input, total: null, startedBy })
}
