import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId, SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** A person's answers about a theme's signals. */
interface Answers {
  readonly confirmed: readonly SignalId[]
  readonly refused: readonly SignalId[]
}

export interface NewAnswers extends Answers {
  readonly themeId: ThemeId
  /** The Decision of the answers; null without one. */
  readonly decisionId: DecisionId | null
  readonly at: Date
}

const SAVE = `
  insert into theme_answers (theme_id, signal_id, workspace_id, is_member, decision_id, answered_at)
  select $2, answered.id, $1, answered.id = any ($3), $5, $6 from unnest($3::uuid[] || $4::uuid[]) as answered (id)
  order by answered.id
  on conflict (theme_id, signal_id) do update
    set is_member = excluded.is_member, decision_id = excluded.decision_id, answered_at = excluded.answered_at
    where theme_answers.is_member <> excluded.is_member
  returning signal_id`

/** Stores a person's answers. Answers the number of new or changed ones. */
export const saveAnswers = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { themeId, confirmed, refused, decisionId, at }: NewAnswers,
): Promise<number> => (await transaction.query(SAVE, [workspaceId, themeId, confirmed, refused, decisionId, at])).length

const TAKE_BACK = `delete from theme_answers where workspace_id = $1 and decision_id = $2`

/** Removes the answers of a Decision. */
export const takeAnswersBack = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  decisionId: string,
): Promise<void> => {
  await transaction.query(TAKE_BACK, [workspaceId, decisionId])
}

/** A theme with confirmed signals. */
export interface AnsweredTheme extends Answers {
  readonly id: ThemeId
}

// A theme that is not one thing pulls no signals. Confirmed signals that somebody dismissed since do not count. For
// joined themes the newer answer counts.
const ANSWERED = `
  select whole_id as id,
    array_agg(signal_id order by signal_id) filter (where is_member) as confirmed,
    coalesce(array_agg(signal_id order by signal_id) filter (where not is_member), '{}') as refused
  from (
    select distinct on (whole_id, signal_id) coalesce(part_of_id, theme_answers.theme_id) as whole_id, signal_id, is_member
    from theme_answers left join theme_settings on theme_settings.theme_id = theme_answers.theme_id
    where theme_answers.workspace_id = $1 and (is_member or part_of_id is null)
    order by whole_id, signal_id, answered_at desc, is_member desc, theme_answers.theme_id
  ) as answer
    join signals on signals.id = signal_id and signals.state <> 'dismissed'
    left join theme_settings on theme_settings.theme_id = whole_id
  where standing is distinct from 'not_one_thing'
  group by whole_id having bool_or(is_member) order by whole_id`

/** Themes of a workspace with confirmed signals. */
export const answeredThemes = (transaction: Transaction, workspaceId: WorkspaceId): Promise<readonly AnsweredTheme[]> =>
  transaction.query<AnsweredTheme>(ANSWERED, [workspaceId])

/** Number of people's answers about themes of a workspace, joined themes included. `workspace` is an SQL expression. */
export const answersIn = (workspace: string): string => `(
  (select count(*) from theme_answers where workspace_id = ${workspace})
  + (select count(*) from theme_settings where workspace_id = ${workspace} and part_of_id is not null))`

export const countAnswers = async (transaction: Transaction, workspaceId: WorkspaceId): Promise<number> =>
  (await transaction.query<{ answers: number }>(COUNT, [workspaceId]))[0]?.answers ?? 0

const COUNT = `select ${answersIn('$1::uuid')}::integer as answers`
