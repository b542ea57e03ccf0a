/** With fewer signals there is nothing to find. */
const LEAST_SIGNALS = 12
/** Themes are found anew when one for so many that there are came since, for less after an hour, and after answers. */
const SHARE = 20
const LEAST_NEW = 10
const SHARE_AN_HOUR = 1_000

/**
 * Those of the workspaces `$1` whose themes are to be found anew. Cheap: the numbers of signals say how many came, and
 * the index has the newest.
 */
export const WITH_THEMES_TO_FIND = `
  select requested.id
  from unnest($1::uuid[]) as requested (id)
    join lateral (
      select number from signals where workspace_id = requested.id order by number desc limit 1
    ) as newest on true
    left join theme_runs on theme_runs.workspace_id = requested.id
  where $2::text is null and newest.number >= ${LEAST_SIGNALS} and (
    theme_runs.workspace_id is null
    or newest.number - through_number >= greatest(${LEAST_NEW}, signals / ${SHARE})
    or (newest.number - through_number > signals / ${SHARE_AN_HOUR} and found_at < now() - interval '1 hour')
    or exists (select from theme_answers where workspace_id = requested.id and answered_at > found_at))`
