import type { Database } from '../../infra/postgres/port.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { LIVE_TOPICS, type LiveTopic } from '../../schemas/domain/vocabulary.ts'

/** State of a workspace by topic: two different values mean a change in the topic. */
export type Revision = Readonly<Record<LiveTopic, string>>

// Reads only stored numbers and ends of indexes, so the cost does not grow with the workspace. Nothing is written for
// it, so watching slows no pipeline down. Every decision of people and agents has a number, and changes under an
// existing one refer to it.
const REVISIONS = `
  select requested.id as workspace_id,
    jsonb_build_array(
      (select jsonb_agg(jsonb_build_array(state, classification, signals) order by state, classification)
        from signal_counts where workspace_id = requested.id),
      (select occurrences from occurrence_counts where workspace_id = requested.id),
      (select last_number from reference_counters where workspace_id = requested.id and kind = 'signal'),
      (select count(*) from snoozes where workspace_id = requested.id and until <= $2)
    )::text as signals,
    jsonb_build_array(
      (select last_number from reference_counters where workspace_id = requested.id and kind = 'claim'),
      (select jsonb_agg((select max(updated_at) from claims where workspace_id = requested.id and state = known))
        from unnest(array['emerging', 'established', 'addressed', 'dismissed']) as known)
    )::text as claims,
    jsonb_build_array(
      (select max(proposed_at) from merge_proposals where workspace_id = requested.id and state = 'waiting'),
      (select jsonb_agg((select max(decided_at) from merge_proposals where workspace_id = requested.id and state = settled))
        from unnest(array['confirmed', 'refused']) as settled)
    )::text as proposals,
    jsonb_build_array(
      (select last_number from reference_counters where workspace_id = requested.id and kind = 'decision'),
      (select id from decision_objects where workspace_id = requested.id order by id desc limit 1)
    )::text as decisions,
    (select revision from map_revisions where workspace_id = requested.id)::text as map,
    (select jsonb_build_array(found_at, placed_number) from theme_runs where workspace_id = requested.id)::text as themes,
    (select id from changes
      where workspace_id = requested.id
        and operation in ('write_comment', 'edit_comment', 'delete_comment', 'assign_owner', 'undo_change')
      order by place desc limit 1)::text as discussions,
    (select place from changes where workspace_id = requested.id order by place desc limit 1)::text as changes,
    (select id from audit_log where workspace_id = requested.id order by at desc, id desc limit 1)::text as settings,
    (select jsonb_agg((select max(last_failed_at) from dead_letters where workspace_id = requested.id and state = known))
      from unnest(array['waiting', 'replayed', 'discarded']) as known)::text as dead_letters
  from unnest($1::uuid[]) as requested (id)`

type RevisionRow = { readonly workspace_id: WorkspaceId } & { readonly [Topic in LiveTopic]: string | null }

/** Revision of each workspace, in one statement. */
export const readRevisions = async (
  database: Database,
  workspaceIds: readonly WorkspaceId[],
  now: Date,
): Promise<ReadonlyMap<WorkspaceId, Revision>> => {
  const rows = await database.transaction({ role: 'assay_pipeline', workspaceIds }, transaction =>
    transaction.query<RevisionRow>(REVISIONS, [workspaceIds, now]),
  )
  return new Map(
    rows.map(row => [
      row.workspace_id,
      // Every topic is there, because the type is made from the list.
      Object.fromEntries(LIVE_TOPICS.map(topic => [topic, row[topic] ?? ''])) as Revision,
    ]),
  )
}

/** Topics in which two revisions differ. */
export const changedTopics = (before: Revision, after: Revision): readonly LiveTopic[] =>
  LIVE_TOPICS.filter(topic => before[topic] !== after[topic])
