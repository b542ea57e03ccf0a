import { shippedCalibration } from '../../infra/models/calibration.ts'
import type { Classifier, Embedder, Judge } from '../../infra/models/port.ts'
import type { Database, Transaction } from '../../infra/postgres/port.ts'
import { LEAST_SIGNALS_TO_CALIBRATE } from '../../model/calibrations/calibrations.ts'
import { startJobUnlessRunning } from '../../model/jobs/start-job.ts'
import { WITH_NEW_LESSONS } from '../../model/learning/lessons.ts'
import { WITH_SOMETHING_TOO_OLD } from '../../model/retention/retention.ts'
import { WITH_THEMES_TO_FIND } from '../../model/themes/due.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import type { RepeatedWork } from '../../schemas/domain/vocabulary.ts'
import { type Polling, startPolling } from '../framework/poll.ts'
import type { Observer } from '../framework/step.ts'

const EVERY_MS = 60_000
const WORKSPACES_A_LOOK = 200

/** Work that may be due. */
interface Upkeep {
  readonly kind: RepeatedWork | 'calibrate' | 'take_out' | 'erase'
  /**
   * Those of the workspaces `$1` that need it, by the model `$2`. Cheap: it is asked of every workspace each minute.
   */
  readonly due: string
  /** Null where no model is concerned. */
  readonly model: string | null
  readonly startedBy: string
  /** What the job is given where no model is concerned. */
  readonly input?: Readonly<Record<string, unknown>>
  /** Whether `due` itself says when work that failed is begun again. */
  readonly saysWhen?: true
}

// Every signal and node gets vectors when it is stored, so whatever lacks those of this model has some of another. The
// index finds one at once.
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

// Once there is enough to fit on, and again whenever there is twice as much.
const WITH_A_SCALE_TO_FIT = `
  select requested.id
  from unnest($1::uuid[]) as requested (id)
  where exists (
    select from signal_vectors
    where workspace_id = requested.id and model = $2 and place >= greatest(${LEAST_SIGNALS_TO_CALIBRATE}, 2 * coalesce((
      select through_place from embedding_calibrations where workspace_id = requested.id and model = $2), 0))
    offset 0)`

// Whoever took them out started a job, unless one was just ending; what an import brought has none.
const WITH_REPEATS_TO_SEND = `
  select distinct taken_out_repeats.workspace_id as id from taken_out_repeats join occurrences using (id)
  where taken_out_repeats.workspace_id = any ($1::uuid[]) and in_force and sent_at is null and text is not null and $2::text is null`

// Work that a person cancelled, or that failed, is theirs to start again, until there is another model to do it with.
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

// Not while an export is being imported: what is there of it may go again.
const WORKSPACES = `
  select id from workspaces where ($1::uuid is null or id > $1) and import_job_id is null order by id limit ${WORKSPACES_A_LOOK}`

// What claims and Solutions stand at, so that its bounds stay narrow: after a day they are 0.8 % apart.
const REFRESH_TOTALS = `select refresh_priority_totals(now() - interval '1 day', 2000)`

// A file that is being imported goes with its job.
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
  /** How often to look, in milliseconds. */
  readonly intervalMs?: number
}

/**
 * Starts, now and then periodically, what has to be done again in any workspace: one job of a kind at a time, whoever
 * else looks.
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
    for (let after: WorkspaceId | null = null; ; ) {
      const page: Row[] = await database.transaction({ role: 'assay_accounts' }, transaction =>
        transaction.query<Row>(WORKSPACES, [after]),
      )
      const workspaceIds = page.map(({ id }) => id)
      after = workspaceIds.at(-1) ?? null
      if (after === null) return false
      await database.transaction({ role: 'assay_pipeline', workspaceIds }, async transaction => {
        for (const maintenance of kinds) await startDue(transaction, maintenance, workspaceIds)
        await transaction.query(REFRESH_TOTALS)
      })
    }
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
  {
    kind: 'erase',
    due: WITH_SOMETHING_TOO_OLD,
    model: null,
    startedBy: 'the retention of the workspace',
    input: { retention: true },
    saysWhen: true,
  },
  { kind: 'find_themes', due: WITH_THEMES_TO_FIND, model: null, startedBy: 'signals that came' },
  { kind: 'take_out', due: WITH_REPEATS_TO_SEND, model: null, startedBy: 'repeats that were taken out' },
  ...(judge === null
    ? []
    : [{ kind: 're_judge', due: WITH_PROPOSALS_TO_JUDGE, model: judge, startedBy: `the judge ${judge}` } as const]),
  ...(taught === null
    ? []
    : [{ kind: 'learn', due: WITH_NEW_LESSONS, model: taught, startedBy: 'what people said' } as const]),
]

const startDue = async (
  transaction: Transaction,
  { kind, due, model, startedBy, input: given = {}, saysWhen }: Upkeep,
  workspaceIds: readonly WorkspaceId[],
): Promise<void> => {
  const found = (await transaction.query<Row>(due, [workspaceIds, model])).map(({ id }) => id)
  if (found.length === 0) return
  const free = saysWhen
    ? found
    : (await transaction.query<Row>(FREE_TO_START, [found, kind, model])).map(({ id }) => id)
  const input = model === null ? given : { model }
  for (const workspaceId of free)
    await startJobUnlessRunning(transaction, { workspaceId, kind, input, total: null, startedBy })
}
