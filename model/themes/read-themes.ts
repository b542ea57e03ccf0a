import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, SolutionId, ThemeId } from '../../schemas/domain/ids.ts'
import type { Classification, SignalState, SolutionState, ThemeStanding } from '../../schemas/domain/vocabulary.ts'
import { companyIn } from '../signals/facts.ts'
import { MAX_QUOTE } from './names.ts'
import { READ_CHARACTERS } from './passages.ts'
import { ownBeginning, type SharedPassages } from './shared-passages.ts'

interface QuoteRow {
  readonly signal_id: SignalId
  readonly number: number
  readonly text: string
}

export interface ThemeRow {
  readonly id: ThemeId
  readonly number: number
  readonly name: string
  readonly standing: ThemeStanding
  readonly signals: number
  readonly confirmed: number
  readonly problem: number
  readonly idea: number
  readonly question: number
  readonly unclassified: number
  readonly last_30_days: number
  readonly previous_30_days: number
  readonly languages: readonly string[]
  readonly customers: number
  readonly claims: number
  readonly top_claims: readonly { readonly id: ClaimId; readonly number: number; readonly title: string }[]
  readonly solutions: number
  readonly top_solutions: readonly {
    readonly id: SolutionId
    readonly number: number
    readonly title: string
    readonly state: SolutionState
  }[]
  readonly quotes: readonly QuoteRow[]
  readonly split_from: number | null
  readonly formerly: readonly number[]
  /** Numbers of the themes that a person joined to it. */
  readonly parts: readonly number[]
  /** True when the last computation did not find it. */
  readonly has_ended: boolean
  /** For an ended theme, the themes that took its signals, most first. */
  readonly successors: readonly { readonly number: number; readonly name: string; readonly signals: number }[]
  readonly found_at: Date
  readonly changed_at: Date
}

/** A theme and the themes joined to it, as a query. */
export const withParts = (theme: string): string =>
  `select ${theme}::uuid union all select theme_id from theme_settings where part_of_id = ${theme}`

// A theme that ended since the last computation: a person took back that it was split off.
const ENDED = `left join themes as ended on ended.id = theme_members.theme_id and ended_at is not null`

/** Members under the whole theme of each, the best row for each signal; `theme` limits them to one whole. */
const membersOfWholes = (theme: string | null): string => `
  select distinct on (whole_id, signal_id) coalesce(part_of_id, became_id, theme_members.theme_id) as whole_id, theme_members.*
  from theme_members left join theme_settings on theme_settings.theme_id = theme_members.theme_id ${ENDED}
  where ${theme === null ? 'true' : `theme_members.theme_id in (${withParts(theme)}) or became_id = ${theme}`}
  order by whole_id, signal_id, likeness desc`

/** A signal that was in a theme at the last computation. */
export interface PresentMember {
  readonly theme_id: ThemeId
  readonly signal_id: SignalId
  readonly likeness: number
}

const PRESENT = `
  select whole_id as theme_id, signal_id, likeness from (${membersOfWholes(null)}) as member
  where whole_id = any ($1) order by theme_id, signal_id`

/** What themes had in them at the last computation, whatever people said since. */
export const presentMembers = (
  transaction: Transaction,
  themeIds: readonly ThemeId[],
): Promise<readonly PresentMember[]> => transaction.query<PresentMember>(PRESENT, [themeIds])

/** People's answers in the same way, the newest for each signal. */
const answersOfWholes = (theme: string | null): string => `
  select distinct on (whole_id, signal_id) coalesce(part_of_id, theme_answers.theme_id) as whole_id, theme_answers.*
  from theme_answers left join theme_settings on theme_settings.theme_id = theme_answers.theme_id
  where ${theme === null ? 'true' : `theme_answers.theme_id in (${withParts(theme)})`} and (is_member or part_of_id is null)
  order by whole_id, signal_id, answered_at desc, is_member desc, theme_id`

// People's answers count at once: refused signals leave, confirmed ones join. For joined themes the newer answer
// counts; a signal that a part refused may still be in the whole. The offset keeps the ids of the full join apart:
// under row security PostgreSQL takes them for leaky, and would read all signals for each member.
const said = (theme: string | null): string => `
  select whole_id as theme_id, signal_id, coalesce(likeness, 0) as likeness, language,
    quote_start, quote_length, coalesce(is_member, false) as is_confirmed
  from (${membersOfWholes(theme)}) as found
    full join (${answersOfWholes(theme)}) as answer using (whole_id, signal_id)
  where is_member is distinct from false
  offset 0`

// Without signals that were dismissed since.
export const membersIn = (theme: string | null): string => `
  select theme_id, signal_id, likeness, language, quote_start, quote_length, is_confirmed, number,
    left(text, ${READ_CHARACTERS}) as text, state, classification, company, occurred_at
  from (${said(theme)}) as member cross join lateral (
    select number, text, state, classification, ${companyIn('signals')} as company, occurred_at
    from signals where id = signal_id offset 0
  ) as signal
  where state <> 'dismissed'`

const counted = (theme: string | null): string =>
  `select theme_id, count(*)::integer as signals from (${membersIn(theme)}) as member group by theme_id`

/** Present themes with their place in the list and whether they are set aside. */
const LISTED = `
  select theme_id, signals, standing is not distinct from 'pinned' as is_pinned, themes.number,
    coalesce(standing in ('hidden', 'not_one_thing'), false) as is_aside
  from (${counted(null)}) as counted
    join themes on themes.id = theme_id and ended_at is null
    left join theme_settings using (theme_id)`

const count = (condition: string): string => `count(*) filter (where ${condition})::integer`

const SUREST_FIRST = 'is_confirmed desc, likeness desc, number'
const LARGEST_FIRST = 'is_pinned desc, signals desc, number'
/** The likest themes to the theme `$6` first. One without a direction, which nobody has computed yet, is last. */
const LIKEST_FIRST = `(select direction from themes where id = theme_id) <=> (select direction from themes where id = $6), ${LARGEST_FIRST}`

const FIGURES = [
  ...['confirmed', 'problem', 'idea', 'question', 'unclassified', 'last_30_days', 'previous_30_days'],
  ...['customers', 'claims', 'solutions'],
]
/** What is counted of the members, each in one pass over all of them: they are many, and so are the themes. */
const PARTS = ['figures', 'spoken', 'behind', 'said', 'claimed_by', 'answered_by']

/**
 * Full rows of themes. `shown` is a query for their ids and numbers of signals, and their `place`; `theme` limits it to
 * one. `language` is the reader's.
 */
const described = (shown: string, language: string, theme: string | null = null): string => `
  with shown as materialized (${shown}), member as materialized (
    select theme_id, signal_id, likeness, language, quote_start, quote_length, is_confirmed, number, classification,
      occurred_at, company
    from shown join (${membersIn(theme)}) as member using (theme_id)
  ), figures as (
    select theme_id, ${count('is_confirmed')} as confirmed, ${count(`classification = 'problem'`)} as problem,
      ${count(`classification = 'idea'`)} as idea, ${count(`classification = 'question'`)} as question,
      ${count(`classification = 'unclassified'`)} as unclassified,
      ${count(`occurred_at > $1::timestamptz - interval '30 days' and occurred_at <= $1`)} as last_30_days,
      ${count(`occurred_at > $1::timestamptz - interval '60 days' and occurred_at <= $1::timestamptz - interval '30 days'`)}
        as previous_30_days
    from member group by theme_id
  ), spoken as (
    select theme_id, array_agg(language order by place) as languages
    from (
      select theme_id, language, row_number() over (partition by theme_id order by count(*) desc, language) as place
      from member where language is not null group by theme_id, language
    ) as languages
    where place <= 20 group by theme_id
  ), behind as (
    select theme_id, count(distinct company)::integer as customers
    from (
      select theme_id, company from member
      union all
      select theme_id, ${companyIn('occurrences')} from member join occurrences using (signal_id)
    ) as companies
    group by theme_id
  ), said as (
    select theme_id, jsonb_agg(jsonb_build_object('signal_id', signal_id, 'number', surest.number,
      'text', left(text, ${READ_CHARACTERS}), 'start', quote_start, 'length', quote_length, 'is_readable', is_readable)
      order by place) as quotes
    from (
      select *, row_number() over (partition by theme_id order by ${SUREST_FIRST}) as place,
        row_number() over (partition by theme_id, is_readable order by ${SUREST_FIRST}) as place_of_language
      from (select *, coalesce(language = ${language}, false) as is_readable from member) as read
    ) as surest join signals on signals.id = signal_id
    where place <= 12 or (is_readable and place_of_language = 1) group by theme_id
  ), claimed_by as (
    select theme_id, count(*)::integer as claims,
      jsonb_agg(jsonb_build_object('id', id, 'number', number, 'title', title) order by place)
        filter (where place <= 3) as top_claims
    from (
      select theme_id, claims.id, claims.number, title,
        row_number() over (partition by theme_id order by signals desc, claims.number) as place
      from (
        select theme_id, claim_id, count(*) as signals from member join claim_evidence using (signal_id)
        group by theme_id, claim_id
      ) as behind join claims on claims.id = claim_id and merged_into is null and claims.state <> 'dismissed'
    ) as placed
    group by theme_id
  ), answered_by as (
    select theme_id, count(*)::integer as solutions,
      jsonb_agg(jsonb_build_object('id', id, 'number', number, 'title', title, 'state', state) order by place)
        filter (where place <= 3) as top_solutions
    from (
      select theme_id, solutions.id, solutions.number, title, state,
        row_number() over (partition by theme_id order by solutions.number) as place
      from (
        select distinct theme_id, solution_id
        from member join claim_evidence using (signal_id) join solution_claims using (claim_id)
      ) as answering join solutions on solutions.id = solution_id and solutions.state <> 'Dropped'
    ) as placed
    group by theme_id
  )
  select themes.id, themes.number, coalesce(theme_settings.name, themes.name) as name,
    coalesce(standing, 'listed') as standing, shown.signals, origin.number as split_from, themes.found_at, themes.changed_at,
    array(select number from themes as former where former.became_id = themes.id order by number limit 20) as formerly,
    array(
      select number from theme_settings as joined join themes as part on part.id = joined.theme_id
      where joined.part_of_id = themes.id order by number limit 20
    ) as parts,
    themes.ended_at is not null as has_ended,
    (
      select coalesce(jsonb_agg(jsonb_build_object('number', taken.number, 'name', name, 'signals', taken.signals)
        order by taken.signals desc, taken.number), '[]')
      from (
        select now.number, coalesce(named.name, now.name) as name, sum(theme_successors.signals)::integer as signals
        from theme_successors join themes as taker on taker.id = successor_id
          left join theme_settings as joined on joined.theme_id = taker.id
          join themes as now on now.id = coalesce(joined.part_of_id, taker.became_id, taker.id) and now.ended_at is null
          left join theme_settings as named on named.theme_id = now.id
        where theme_successors.theme_id = themes.id and themes.ended_at is not null
        group by now.number, coalesce(named.name, now.name)
      ) as taken
    ) as successors,
    ${FIGURES.map(figure => `coalesce(${figure}, 0) as ${figure}`).join(', ')},
    coalesce(languages, '{}') as languages, coalesce(quotes, '[]') as quotes, coalesce(top_claims, '[]') as top_claims,
    coalesce(top_solutions, '[]') as top_solutions
  from shown join themes on themes.id = shown.theme_id left join themes as origin on origin.id = themes.split_from_id
    left join theme_settings on theme_settings.theme_id = themes.id
    ${PARTS.map(part => `left join ${part} on ${part}.theme_id = themes.id`).join(' ')}
  order by shown.place`

const page = (order: string): string =>
  described(
    `select theme_id, signals, row_number() over (order by ${order}) as place
    from (${LISTED}) as listed where is_aside = $4 order by place limit $2 offset $3`,
    '$5::text',
  )
const PAGE = page(LARGEST_FIRST)
const PAGE_ALIKE = page(LIKEST_FIRST)
const ONE = described(
  `select id as theme_id, coalesce(signals, 0) as signals, 1 as place
  from themes left join (${counted('$2')}) as counted on theme_id = id where id = $2`,
  '$3::text',
  '$2',
)

interface Unquoted {
  readonly text: string
  /** Position of the quote; null for a signal that the last computation found in no theme. */
  readonly start: number | null
  readonly length: number | null
}

/** The quote of a text; without one the text from its first own words on. */
const quoteIn = ({ text, start, length }: Unquoted, shared: SharedPassages): string => {
  const from = start ?? ownBeginning(text, shared)
  return text.slice(from, from + (length ?? MAX_QUOTE))
}

type SurestRow = QuoteRow & Unquoted & { readonly is_readable: boolean }
type StoredRow = Omit<ThemeRow, 'quotes'> & { readonly quotes: readonly SurestRow[] }

const QUOTES = 3
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** The surest member that the reader can read first, then those that share least with the quotes so far. */
const differing = (surest: readonly SurestRow[], shared: SharedPassages): readonly QuoteRow[] => {
  const left = surest.map(({ signal_id, number, is_readable: _, ...row }) => {
    const quote = quoteIn(row, shared)
    return { signal_id, number, text: quote, words: new Set(quote.toLowerCase().match(WORD) ?? []) }
  })
  const first = surest.findIndex(({ is_readable }) => is_readable)
  const quotes = left.splice(Math.max(first, 0), 1)
  while (quotes.length < QUOTES && left.length > 0) {
    const said = new Set(quotes.flatMap(({ words }) => [...words]))
    const shared = left.map(({ words }) => [...words].filter(word => said.has(word)).length / (words.size || 1))
    quotes.push(...left.splice(shared.indexOf(Math.min(...shared)), 1))
  }
  return quotes.map(({ words: _, ...quote }) => quote)
}

const toTheme = (row: StoredRow, shared: SharedPassages): ThemeRow => ({
  ...row,
  quotes: differing(row.quotes, shared),
})

const COUNTS = `
  select ${count('not is_aside')} as listed, ${count('is_aside')} as aside from (${LISTED}) as listed`

interface Quoting {
  /** Passages with which no text without a quote begins. */
  readonly shared: SharedPassages
  /** Language of the reader, such as `de`: the first quote is in it where one is. */
  readonly language?: string | undefined
}

interface Page extends Quoting {
  readonly limit: number
  readonly offset: number
  /** End of the trends. */
  readonly at: Date
  /** True lists themes that people hid or that are not one thing; false all others. */
  readonly aside: boolean
  /** A theme whose likest ones come first, instead of the largest. */
  readonly alike?: string
}

/** A page of present themes, pinned ones first, then by size, or by likeness, with their number. */
export const listThemes = async (
  transaction: Transaction,
  { at, limit, offset, aside, alike, shared, language }: Page,
): Promise<{ readonly listed: number; readonly aside: number; readonly themes: readonly ThemeRow[] }> => {
  const [counts] = await transaction.query<{ listed: number; aside: number }>(COUNTS, [])
  const values = [at, limit, offset, aside, language]
  const themes =
    alike === undefined
      ? await transaction.query<StoredRow>(PAGE, values)
      : await transaction.query<StoredRow>(PAGE_ALIKE, [...values, alike])
  return { listed: 0, aside: 0, ...counts, themes: themes.map(theme => toTheme(theme, shared)) }
}

export const readTheme = async (
  transaction: Transaction,
  id: string,
  { at, shared, language }: Pick<Page, 'at' | 'shared' | 'language'>,
): Promise<ThemeRow | undefined> => {
  const [theme] = await transaction.query<StoredRow>(ONE, [at, id, language])
  return theme === undefined ? undefined : toTheme(theme, shared)
}

export interface MemberRow {
  readonly signal_id: SignalId
  readonly number: number
  readonly text: string
  readonly state: SignalState
  readonly classification: Classification
  readonly language: string | null
  readonly likeness: number
  readonly is_confirmed: boolean
  readonly claim: number | null
  readonly occurred_at: Date
  /** For a candidate, the number of the theme that it is in; null without one that is listed. */
  readonly in_theme?: number | null
}

const MEMBERS_OF = `
  select signal_id, member.number, text, quote_start, quote_length, member.state, classification, language, likeness,
    is_confirmed, occurred_at, (
      select min(claims.number) from claim_evidence
        join claims on claims.id = claim_id and merged_into is null and claims.state <> 'dismissed'
      where claim_evidence.signal_id = member.signal_id
    ) as claim
  from (${membersIn('$1')}) as member
  where theme_id = $1 order by is_confirmed desc, likeness desc, member.number limit $2 offset $3`

/** Members of a theme, confirmed ones first, then surest, each with its most telling sentence. */
export const membersOfTheme = async (
  transaction: Transaction,
  id: string,
  { limit, offset, shared }: Pick<Page, 'limit' | 'offset' | 'shared'>,
): Promise<readonly MemberRow[]> => {
  const rows = await transaction.query<StoredMember>(MEMBERS_OF, [id, limit, offset])
  return rows.map(row => quoted(row, shared))
}

/** A member with the position of its quote, as in `Unquoted`. */
export interface StoredMember extends MemberRow {
  readonly quote_start: number | null
  readonly quote_length: number | null
}

export const quoted = (
  { quote_start: start, quote_length: length, text, ...row }: StoredMember,
  shared: SharedPassages,
): MemberRow => ({ ...row, text: quoteIn({ text, start, length }, shared) })
