import type { Transaction } from '../../infra/postgres/port.ts'
import { toVector } from '../../infra/vectors.ts'
import type { SignalId, ThemeId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { SAYS_NOTHING } from '../signals/says-nothing.ts'
import { LEAST_LETTERS } from './find-themes.ts'
import { MAX_QUOTE } from './names.ts'
import { READ_CHARACTERS } from './passages.ts'
import { ownBeginning } from './shared-passages.ts'

/** Signals of one transaction. */
const PLACED_A_STATEMENT = 200
/** A signal may be stored after higher numbers, so this many numbers below the last one are looked at again. */
const STORED_LATE = 100

/** Workspaces among `$1` with signals that came after their themes were computed with the model `$2`. */
export const WITH_SIGNALS_TO_PLACE = `
  select theme_runs.workspace_id as id
  from theme_runs join lateral (
    select number from signals where workspace_id = theme_runs.workspace_id order by number desc limit 1
  ) as newest on newest.number > coalesce(placed_number, through_number)
  where theme_runs.workspace_id = any ($1::uuid[]) and model = $2 and mean is not null`

// Waits while themes are being stored, and blocks their storing.
const RUN = `
  select coalesce(placed_number, through_number) as placed_number, mean, languages, language_means,
    shared_passages
  from theme_runs
  where workspace_id = $1 and model = $2 and mean is not null for update`

const NEW = `
  select id, number, left(text, ${READ_CHARACTERS}) as text from signals
  where workspace_id = $1 and number > $2 order by number limit ${PLACED_A_STATEMENT + STORED_LATE}`

// The theme that a signal fits best; none when the signal is in a theme already. A vector is compared without the mean
// of its language: `$3` are the signals, `$4` the places of their means in `$5`.
const FITTING = `
  with common as materialized (
    select place, mean::vector(1024) as mean from unnest($5::text[]) with ordinality as given (mean, place)
  )
  select signals.id as signal_id, number, language, theme_id, likeness
  from unnest($3::uuid[], $4::integer[], $6::text[]) as given (id, place, language)
    join common using (place)
    join signals on signals.id = given.id and signals.workspace_id = $1
    left join lateral (
      select theme.id as theme_id, likeness
      from (
        select (embedding - mean)::halfvec(1024) as own, embedding <-> mean as length
        from signal_vectors where signal_vectors.signal_id = signals.id and model = $2 offset 0
      ) as meant cross join lateral (
        select id, number, least_likeness, -(direction <#> own) / nullif(length, 0) - direction_offset as likeness
        from themes where workspace_id = $1 and ended_at is null offset 0
      ) as theme
      where likeness >= least_likeness and not exists (
        select from theme_answers
        where theme_answers.theme_id = theme.id and theme_answers.signal_id = signals.id and not is_member
      )
      order by likeness - least_likeness desc, theme.number limit 1
    ) as fitting on state <> 'dismissed' and length(text) >= ${LEAST_LETTERS} and not ${SAYS_NOTHING}
      and not exists (select from theme_members where theme_members.signal_id = signals.id)
  order by number`

// Signals that were erased meanwhile are left out.
const FILL = `
  insert into theme_members (theme_id, signal_id, workspace_id, likeness, language, quote_start, quote_length)
  select theme_id, signal_id, $1, likeness, language, quote_start, ${MAX_QUOTE}
  from unnest($2::uuid[], $3::uuid[], $4::real[], $5::text[], $6::integer[])
      as placed (theme_id, signal_id, likeness, language, quote_start)
    join signals on signals.id = signal_id and signals.workspace_id = $1
  order by signal_id
  for key share of signals
  on conflict (theme_id, signal_id) do nothing`

const NOTE = `update theme_runs set placed_number = $2 where workspace_id = $1`

interface RunRow {
  readonly placed_number: number
  readonly mean: readonly number[]
  readonly languages: readonly string[]
  /** The languages' means, one after the other. */
  readonly language_means: readonly number[]
  readonly shared_passages: readonly number[]
}

interface FittingRow {
  readonly signal_id: SignalId
  readonly number: number
  readonly language: string | null
  readonly theme_id: ThemeId | null
  readonly likeness: number | null
}

/**
 * Assigns new signals to the themes that they fit, each to at most one. Others wait for the next computation. Answers
 * true when there may be more.
 */
export const placeSignals = async (
  transaction: Transaction,
  workspaceId: WorkspaceId,
  model: string,
  languageOf: (text: string) => string | null,
): Promise<boolean> => {
  const [run] = await transaction.query<RunRow>(RUN, [workspaceId, model])
  if (run === undefined) return false
  const from = run.placed_number - STORED_LATE
  const texts = await transaction.query<{ id: SignalId; number: number; text: string }>(NEW, [workspaceId, from])
  const { languages, mean } = run
  const means = [mean, ...languages.map((_, at) => run.language_means.slice(at * mean.length, (at + 1) * mean.length))]
  const spoken = texts.map(({ text }) => languageOf(text))
  const signals = await transaction.query<FittingRow>(FITTING, [
    workspaceId,
    model,
    texts.map(({ id }) => id),
    // PostgreSQL counts from 1; the mean of all comes first.
    spoken.map(language => languages.indexOf(language ?? '') + 2),
    means.map(toVector),
    spoken,
  ])
  const placed = signals.filter(({ theme_id }) => theme_id !== null)
  const textOf = new Map(texts.map(({ id, text }) => [id, text]))
  const shared = new Set(run.shared_passages)
  if (placed.length > 0)
    await transaction.query(FILL, [
      workspaceId,
      placed.map(({ theme_id }) => theme_id),
      placed.map(({ signal_id }) => signal_id),
      placed.map(({ likeness }) => likeness),
      placed.map(({ language }) => language),
      placed.map(({ signal_id }) => ownBeginning(textOf.get(signal_id) ?? '', shared)),
    ])
  const through = Math.max(run.placed_number, texts.at(-1)?.number ?? 0)
  if (through > run.placed_number) await transaction.query(NOTE, [workspaceId, through])
  return texts.length >= PLACED_A_STATEMENT + STORED_LATE && through > run.placed_number
}
