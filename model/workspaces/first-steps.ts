import type { Transaction } from '../../infra/postgres/port.ts'
import type { FirstStep } from '../../schemas/domain/vocabulary.ts'

type FirstStepsRow = Readonly<Record<FirstStep, boolean>> & {
  /** Whether it has a signal, and is no sandbox. */
  readonly is_begun: boolean
  readonly was_dismissed: boolean
}

/** So many signals by way of sources come from one that is connected; fewer may be somebody trying. */
const CAME_BY_THEMSELVES = 5

// Each step by what it leaves, so that it is done whoever did it and however; none of it counts further than it must.
const READ = `
  select
    exists (select from signals) and not exists (select from workspaces where id = $1 and sandbox) as is_begun,
    exists (select from sources where deleted_at is null and kind not in ('signal', 'metric'))
      or (select count(*) from (select from signals where source_id is not null limit ${CAME_BY_THEMSELVES}) as few)
        >= ${CAME_BY_THEMSELVES} as connect_source,
    exists (select from signals where state <> 'triage') as decide_signal,
    exists (select from solution_claims) as make_solution,
    exists (select from mcp_keys where workspace_id = $1 and last_used_at is not null) as connect_agent,
    exists (select from members where workspace_id = $1 and user_id <> $2)
      or exists (select from invitations where workspace_id = $1) as invite_member,
    exists (select from dismissed_first_steps where user_id = $2) as was_dismissed`

/** Which of the first steps of a workspace are done, and whether the member has put their list away. */
export const readFirstSteps = async (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
): Promise<FirstStepsRow | undefined> => (await transaction.query<FirstStepsRow>(READ, [workspaceId, userId]))[0]

const DISMISS = `
  insert into dismissed_first_steps (workspace_id, user_id) values ($1, $2) on conflict do nothing`
const SHOW = `delete from dismissed_first_steps where workspace_id = $1 and user_id = $2`

/** Puts the list away for a member, or shows it again. */
export const dismissFirstSteps = async (
  transaction: Transaction,
  workspaceId: string,
  userId: string,
  dismissed: boolean,
): Promise<void> => {
  await transaction.query(dismissed ? DISMISS : SHOW, [workspaceId, userId])
}
