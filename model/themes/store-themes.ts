import type { Transaction } from '../../infra/postgres/port.ts'
import { newId, type SignalId, type ThemeId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { nextNumbers } from '../references/next-numbers.ts'
import { identify } from './identity.ts'
import type { Quote } from './names.ts'

interface NewMember extends Pick<Quote, 'start' | 'length'> {
  readonly signalId: SignalId
  readonly likeness: number
  readonly language: string | null
}

export interface NewTheme {
  /** The theme that it is, where people confirmed signals of it; else its members tell. */
  readonly id?: ThemeId
  readonly name: string
  readonly members: readonly NewMember[]
}

export interface ThemeRun {
  readonly throughNumber: number
  readonly signals: number
  readonly model: string
  /** What all of them have in common; null where it is not known. */
  readonly mean: Float64Array | null
}

const LOCK = `
  insert into theme_runs (workspace_id, through_number, signals, model, mean, found_at) values ($1, $2, $3, $4, $5, now())
  on conflict (workspace_id) do update set through_number = excluded.through_number, signals = excluded.signals,
    model = excluded.model, mean = excluded.mean, found_at = excluded.found_at`

// Signals that were erased meanwhile, or dismissed, say nothing of what the theme was.
const FORMER = `
  select themes.id, array_agg(signal_id order by signal_id) as signals, theme_settings.theme_id is not null as is_settled
  from themes join theme_members on theme_members.theme_id = themes.id
    left join theme_settings on theme_settings.theme_id = themes.id
  where themes.workspace_id = $1 and ended_at is null group by themes.id, number, theme_settings.theme_id order by number`

const INSERT = `
  insert into themes (id, workspace_id, number, name, split_from_id, found_at, changed_at)
  select id, $1, number, name, split_from_id, now(), now()
  from unnest($2::uuid[], $3::integer[], $4::text[], $5::uuid[]) as found (id, number, name, split_from_id)`

const EMPTY = `delete from theme_members where workspace_id = $1`

// What was erased while themes were found stays out, and what was refused of the theme.
const FILL = `
  insert into theme_members (theme_id, signal_id, workspace_id, likeness, language, quote_start, quote_length)
  select theme_id, signal_id, $1, likeness, language, quote_start, quote_length
  from unnest($2::uuid[], $3::uuid[], $4::real[], $5::text[], $6::integer[], $7::integer[])
    as found (theme_id, signal_id, likeness, language, quote_start, quote_length)
    join signals on signals.id = signal_id and signals.workspace_id = $1
  where not exists (
    select from theme_answers
    where theme_answers.theme_id = found.theme_id and theme_answers.signal_id = found.signal_id and not is_member
  )
  order by signal_id
  for key share of signals`

// One that had ended is found again where its confirmed signals are.
const CHANGE = `update themes set changed_at = now(), ended_at = null, became_id = null where id = any ($1::uuid[])`

// What had become one that ends now leads straight to where that one leads: nobody follows a chain.
const END = `
  update themes set ended_at = coalesce(ended_at, now()), changed_at = now(), became_id = into_id
  from (
    select former.id, became.into_id
    from themes as former left join unnest($2::uuid[], $3::uuid[]) as became (id, into_id) using (id)
    where former.workspace_id = $1 and former.ended_at is null and not former.id = any ($4::uuid[])
  ) as ended
  where themes.id = ended.id or (themes.became_id = ended.id and into_id is not null)`

/** Stores the themes that were found in the place of those of before; which is which, `identify` says. */
export const storeThemes = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  themes: readonly NewTheme[],
  run: ThemeRun,
): Promise<void> => {
  // Two jobs would wait for each other here.
  await transaction.query(LOCK, [workspaceId, run.throughNumber, run.signals, run.model, run.mean && [...run.mean]])
  const before = await transaction.query<{ id: ThemeId; signals: SignalId[]; is_settled: boolean }>(FORMER, [
    workspaceId,
  ])
  const { goesOn, splitFrom, became } = identify(
    before,
    themes.map(({ id, members }) => ({ ...(id && { id }), signals: members.map(({ signalId }) => signalId) })),
  )
  const ids = themes.map((_, at) => (goesOn[at] as ThemeId | null | undefined) ?? newId<ThemeId>())
  const added = [...themes.keys()].filter(at => goesOn[at] === null)
  const numbers = await nextNumbers(
    transaction,
    'theme',
    added.map(() => workspaceId),
  )
  await transaction.query(INSERT, [
    workspaceId,
    added.map(at => ids[at]),
    numbers,
    added.map(at => themes[at]?.name),
    added.map(at => splitFrom[at]),
  ])
  await transaction.query(EMPTY, [workspaceId])
  const members = themes.flatMap((theme, at) => theme.members.map(member => ({ ...member, themeId: ids[at] })))
  await transaction.query(FILL, [
    workspaceId,
    members.map(({ themeId }) => themeId),
    members.map(({ signalId }) => signalId),
    members.map(({ likeness }) => likeness),
    members.map(({ language }) => language),
    members.map(({ start }) => start),
    members.map(({ length }) => length),
  ])
  await transaction.query(CHANGE, [ids])
  const ended = [...became]
  await transaction.query(END, [workspaceId, ended.map(([id]) => id), ended.map(([, at]) => ids[at]), ids])
}
