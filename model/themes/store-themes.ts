import type { Transaction } from '../../infra/postgres/port.ts'
import { toVector } from '../../infra/vectors.ts'
import { newId, type SignalId, type ThemeId, type WorkspaceId } from '../../schemas/domain/ids.ts'
import { nextNumbers } from '../references/next-numbers.ts'
import { identify } from './identity.ts'
import type { Quote } from './names.ts'
import type { Pull } from './pull.ts'

interface NewMember extends Pick<Quote, 'start' | 'length'> {
  readonly signalId: SignalId
  readonly likeness: number
  readonly language: string | null
}

export interface NewTheme {
  /** Id of the theme when people confirmed signals for it; else its members identify it. */
  readonly id?: ThemeId
  readonly name: string
  readonly members: readonly NewMember[]
  /** Without a pull the theme takes no signals before the next computation. */
  readonly pull?: Pull
}

export interface ThemeRun {
  readonly throughNumber: number
  readonly signals: number
  readonly model: string
  /** Mean of all vectors; null when it is unknown. */
  readonly mean: Float64Array | null
  /** Means of the texts of a language, where they differ. */
  readonly means?: ReadonlyMap<string, Float64Array>
  /** Number of people's answers in the computation. */
  readonly answers: number
  /** Hashes of passages that unlike signals share. */
  readonly shared?: readonly number[]
}

const LOCK = `
  insert into theme_runs (
    workspace_id, through_number, signals, model, mean, answers, shared_passages, languages, language_means, found_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now())
  on conflict (workspace_id) do update set through_number = excluded.through_number, signals = excluded.signals,
    model = excluded.model, mean = excluded.mean, placed_number = null, answers = excluded.answers,
    shared_passages = excluded.shared_passages, languages = excluded.languages,
    language_means = excluded.language_means, found_at = excluded.found_at`

const HAS_PARTS = `exists (select from theme_settings as part where part.part_of_id = themes.id)`

// Members that were erased or dismissed meanwhile do not count.
const FORMER = `
  select themes.id, array_agg(signal_id order by signal_id) as signals, theme_settings.theme_id is not null as is_settled,
    ${HAS_PARTS} as has_parts, part_of_id
  from themes join theme_members on theme_members.theme_id = themes.id
    left join theme_settings on theme_settings.theme_id = themes.id
  where themes.workspace_id = $1 and ended_at is null
  group by themes.id, number, theme_settings.theme_id, part_of_id order by number`

const INSERT = `
  insert into themes (id, workspace_id, number, name, split_from_id, found_at, changed_at)
  select id, $1, number, name, split_from_id, now(), now()
  from unnest($2::uuid[], $3::integer[], $4::text[], $5::uuid[]) as found (id, number, name, split_from_id)`

const EMPTY = `delete from theme_members where workspace_id = $1`

// Leaves out signals that were erased during the computation, and signals that were refused for the theme.
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

// `CHANGE` clears the end of a theme that is found again by its confirmed signals.
/** Growth from which a theme gets a new name, because few of its signals named it. */
const NAMED_ANEW_FROM = 1.5

const CHANGE = `
  update themes set changed_at = now(), name = coalesce(found.name, themes.name), ended_at = null, became_id = null,
    direction = found.direction::halfvec(1024), direction_offset = found.direction_offset,
    least_likeness = found.least_likeness
  from unnest($1::uuid[], $2::text[], $3::real[], $4::real[], $5::text[])
    as found (id, direction, direction_offset, least_likeness, name)
  where themes.id = found.id`

// Themes that had become one that ends now lead directly to its successor, so that there are no chains.
const END = `
  update themes set ended_at = coalesce(ended_at, now()), changed_at = now(), became_id = into_id
  from (
    select former.id, became.into_id
    from themes as former left join unnest($2::uuid[], $3::uuid[]) as became (id, into_id) using (id)
    where former.workspace_id = $1 and former.ended_at is null and not former.id = any ($4::uuid[])
  ) as ended
  where (themes.id = ended.id and not ${HAS_PARTS}) or (themes.became_id = ended.id and into_id is not null)`

// A theme that continues again has no successors.
const FORGET_SUCCESSORS = `delete from theme_successors where theme_id = any ($1::uuid[])`

const SUCCESSORS = `
  insert into theme_successors (workspace_id, theme_id, successor_id, signals)
  select $1, theme_id, successor_id, signals
  from unnest($2::uuid[], $3::uuid[], $4::integer[]) as taken (theme_id, successor_id, signals)
  on conflict (theme_id, successor_id) do update set signals = excluded.signals`

interface FormerRow {
  readonly id: ThemeId
  readonly signals: readonly SignalId[]
  readonly is_settled: boolean
  readonly has_parts: boolean
  readonly part_of_id: ThemeId | null
}

/** By signal, the joined theme that it was in and the whole of that. */
const placesInParts = (before: readonly FormerRow[]) =>
  new Map(
    before.flatMap(({ id, part_of_id: whole, signals }) =>
      whole === null ? [] : signals.map(signal => [signal, { part: id, whole }] as const),
    ),
  )

/**
 * Stores computed themes in place of the earlier ones. `identify` matches them. What was in a joined theme stays in it
 * where its whole has it: who takes the join back finds the theme as it was.
 */
export const storeThemes = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  themes: readonly NewTheme[],
  run: ThemeRun,
): Promise<void> => {
  // A second job waits here.
  await transaction.query(LOCK, [
    workspaceId,
    run.throughNumber,
    run.signals,
    run.model,
    run.mean && [...run.mean],
    run.answers,
    run.shared ?? [],
    [...(run.means?.keys() ?? [])],
    [...(run.means?.values() ?? [])].flatMap(mean => [...mean]),
  ])
  const before = await transaction.query<FormerRow>(FORMER, [workspaceId])
  const { continuedIds, splitFrom, became, successors } = identify(
    before,
    themes.map(({ id, members }) => ({ ...(id && { id }), signals: members.map(({ signalId }) => signalId) })),
  )
  const ids = themes.map((_, at) => (continuedIds[at] as ThemeId | null | undefined) ?? newId<ThemeId>())
  const sizes = new Map<string | undefined, number>()
  for (const { id, part_of_id: whole, signals } of before)
    sizes.set(whole ?? id, (sizes.get(whole ?? id) ?? 0) + signals.length)
  const added = [...themes.keys()].filter(at => continuedIds[at] === null)
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
  const inPart = placesInParts(before)
  const members = themes.flatMap((theme, at) =>
    theme.members.map(member => {
      const joined = inPart.get(member.signalId)
      return { ...member, themeId: joined?.whole === ids[at] ? joined?.part : ids[at] }
    }),
  )
  const present = new Set([...ids, ...members.map(({ themeId }) => themeId)])
  await transaction.query(FILL, [
    workspaceId,
    members.map(({ themeId }) => themeId),
    members.map(({ signalId }) => signalId),
    members.map(({ likeness }) => likeness),
    members.map(({ language }) => language),
    members.map(({ start }) => start),
    members.map(({ length }) => length),
  ])
  // What comes is the whole's: a joined theme that stays within it pulls nothing.
  const pulled = [...present].map((id, at) => ({ id, theme: themes[at] }))
  await transaction.query(CHANGE, [
    pulled.map(({ id }) => id),
    pulled.map(({ theme }) => (theme?.pull === undefined ? null : toVector(theme.pull.direction))),
    pulled.map(({ theme }) => theme?.pull?.offset ?? null),
    pulled.map(({ theme }) => theme?.pull?.least ?? null),
    pulled.map(({ id, theme }) =>
      theme !== undefined && theme.members.length >= (sizes.get(id) ?? 0) * NAMED_ANEW_FROM ? theme.name : null,
    ),
  ])
  const taken = [...successors].flatMap(([id, counts]) =>
    present.has(id as ThemeId) ? [] : [...counts].map(([at, count]) => ({ id, into: ids[at], count })),
  )
  await transaction.query(FORGET_SUCCESSORS, [[...present, ...successors.keys()]])
  await transaction.query(SUCCESSORS, [
    workspaceId,
    taken.map(({ id }) => id),
    taken.map(({ into }) => into),
    taken.map(({ count }) => count),
  ])
  const ended = [...became]
  await transaction.query(END, [workspaceId, ended.map(([id]) => id), ended.map(([, at]) => ids[at]), [...present]])
}
