import { IS_ARRIVING } from '../transfers/arrivals.ts'
import { answersIn } from './answers.ts'

/** Fewer signals have no themes. */
const LEAST_SIGNALS = 12
/**
 * Themes are computed again when one new signal for each `SHARE` old ones has come, with fewer after an hour, and after
 * answers or their undo.
 */
const SHARE = 20
const LEAST_NEW = 10
const SHARE_AN_HOUR = 1_000

/**
 * Workspaces among `$1` whose themes are due. Cheap: signals' numbers tell how many have come, and the index has the
 * newest. Not while signals of an import are in the pipeline, for an hour at most after the last was sent: its first
 * part would name the themes.
 */
export const WITH_THEMES_TO_FIND = `
  select requested.id
  from unnest($1::uuid[]) as requested (id)
    join lateral (
      select number from signals where workspace_id = requested.id order by number desc limit 1
    ) as newest on true
    left join theme_runs on theme_runs.workspace_id = requested.id
  where $2::text is null and newest.number >= ${LEAST_SIGNALS} and not exists (
    select from transfers join jobs on jobs.id = transfers.job_id
    where transfers.workspace_id = requested.id and ${IS_ARRIVING}
      and (jobs.state = 'running' or jobs.finished_at > now() - interval '1 hour')
  ) and (
    theme_runs.workspace_id is null
    or newest.number - through_number >= greatest(${LEAST_NEW}, signals / ${SHARE})
    or (newest.number - through_number > signals / ${SHARE_AN_HOUR} and found_at < now() - interval '1 hour')
    or exists (select from theme_answers where workspace_id = requested.id and answered_at > found_at)
    or answers <> ${answersIn('requested.id')})`
