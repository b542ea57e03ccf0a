import type { Transaction } from '../../infra/postgres/port.ts'
import type { DecisionId, SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'

/** What a person said of a theme's signals. */
interface Answers {
  readonly confirmed: readonly SignalId[]
  readonly refused: readonly SignalId[]
}

export interface NewAnswers extends Answers {
  readonly themeId: ThemeId
  /** The Decision that they hang on; null for none. */
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

/** Keeps what a person said; answers how many answers are new or other than before. */
export const saveAnswers = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  { themeId, confirmed, refused, decisionId, at }: NewAnswers,
): Promise<number> => (await transaction.query(SAVE, [workspaceId, themeId, confirmed, refused, decisionId, at])).length

const TAKE_BACK = `delete from theme_answers where workspace_id = $1 and decision_id = $2`

/** Takes back what was said with a Decision. */
export const takeAnswersBack = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  decisionId: string,
): Promise<void> => {
  await transaction.query(TAKE_BACK, [workspaceId, decisionId])
}

/** A theme that signals were confirmed of. */
export interface AnsweredTheme extends Answers {
  readonly id: ThemeId
}

// One that is not one thing pulls nothing. Of confirmed signals that somebody dismissed since nothing is learned.
const ANSWERED = `
  select theme_id as id,
    array_agg(signal_id order by signal_id) filter (where is_member) as confirmed,
    coalesce(array_agg(signal_id order by signal_id) filter (where not is_member), '{}') as refused
  from theme_answers
    join signals on signals.id = signal_id and signals.state <> 'dismissed'
    left join theme_settings using (theme_id)
  where theme_answers.workspace_id = $1 and standing is distinct from 'not_one_thing'
  group by theme_id having bool_or(is_member) order by theme_id`

/** The themes of a workspace that signals were confirmed of. */
export const answeredThemes = (transaction: Transaction, workspaceId: WorkspaceId): Promise<readonly AnsweredTheme[]> =>
  transaction.query<AnsweredTheme>(ANSWERED, [workspaceId])
