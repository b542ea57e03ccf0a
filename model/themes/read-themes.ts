import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, SignalId, SolutionId, ThemeId } from '../../schemas/domain/ids.ts'
import type { Classification, SignalState, SolutionState, ThemeStanding } from '../../schemas/domain/vocabulary.ts'
import { MAX_QUOTE } from './names.ts'

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
  readonly found_at: Date
  readonly changed_at: Date
}

// What a person said counts at once: what was refused since is in it no more, and what was confirmed is. Each row is
// looked up by its key (`offset 0`), since right after an answer nothing is known of how many there are.
const SAID = `
  select theme_id, signal_id, likeness, language, quote_start, quote_length, coalesce(is_member, false) as is_confirmed
  from theme_members left join lateral (
    select is_member from theme_answers
    where theme_answers.theme_id = theme_members.theme_id and theme_answers.signal_id = theme_members.signal_id offset 0
  ) as answer on true
  where is_member is distinct from false
  union all
  select theme_id, signal_id, 0, null, 0, ${MAX_QUOTE}, true
  from theme_answers left join lateral (
    select true as is_found from theme_members
    where theme_members.theme_id = theme_answers.theme_id and theme_members.signal_id = theme_answers.signal_id offset 0
  ) as found on true
  where is_member and is_found is null`

// What somebody dismissed since is in it no more.
const MEMBERS = `
  select theme_id, signal_id, likeness, language, quote_start, quote_length, is_confirmed, number,
    left(text, 4000) as text, state, classification, occurred_at
  from (${SAID}) as member cross join lateral (
    select number, text, state, classification, occurred_at from signals where id = signal_id offset 0
  ) as signal
  where state <> 'dismissed'`

const COUNTED = `select theme_id, count(*)::integer as signals from (${MEMBERS}) as member group by theme_id`

/** Themes that are, by whether they are put aside, with their places in the list. */
const LISTED = `
  select theme_id, signals, standing is not distinct from 'pinned' as is_pinned, themes.number,
    coalesce(standing in ('hidden', 'not_one_thing'), false) as is_aside
  from (${COUNTED}) as counted
    join themes on themes.id = theme_id and ended_at is null
    left join theme_settings using (theme_id)`

const count = (condition: string): string => `count(*) filter (where ${condition})::integer`

/** Themes by what they are read from: `shown` has their ids and how many signals each has. */
const described = (shown: string): string => `
  with shown as materialized (${shown}), member as materialized (
    select member.* from shown join (${MEMBERS}) as member using (theme_id)
  ), claimed as materialized (
    select distinct theme_id, claim_id from member join claim_evidence using (signal_id)
  )
  select themes.id, themes.number, coalesce(theme_settings.name, themes.name) as name,
    coalesce(standing, 'listed') as standing, shown.signals, origin.number as split_from, themes.found_at, themes.changed_at,
    array(select number from themes as former where former.became_id = themes.id order by number limit 20) as formerly,
    figures.*, spoken.languages, said.quotes, claimed_by.*, answered_by.*
  from shown join themes on themes.id = shown.theme_id left join themes as origin on origin.id = themes.split_from_id
    left join theme_settings on theme_settings.theme_id = themes.id
    cross join lateral (
      select ${count('is_confirmed')} as confirmed, ${count(`classification = 'problem'`)} as problem, ${count(`classification = 'idea'`)} as idea,
        ${count(`classification = 'question'`)} as question, ${count(`classification = 'unclassified'`)} as unclassified,
        ${count(`occurred_at > $1::timestamptz - interval '30 days' and occurred_at <= $1`)} as last_30_days,
        ${count(`occurred_at > $1::timestamptz - interval '60 days' and occurred_at <= $1::timestamptz - interval '30 days'`)}
          as previous_30_days
      from member where member.theme_id = themes.id
    ) as figures
    cross join lateral (
      select coalesce(array_agg(language order by spoken desc, language), '{}') as languages
      from (
        select language, count(*) as spoken from member
        where member.theme_id = themes.id and language is not null group by language order by spoken desc, language limit 20
      ) as languages
    ) as spoken
    cross join lateral (
      select coalesce(jsonb_agg(jsonb_build_object('signal_id', signal_id, 'number', number, 'text', text,
        'start', quote_start, 'length', quote_length) order by is_confirmed desc, likeness desc, number), '[]') as quotes
      from (
        select * from member where member.theme_id = themes.id order by is_confirmed desc, likeness desc, number limit 12
      ) as surest
    ) as said
    cross join lateral (
      select count(*)::integer as claims,
        coalesce(jsonb_agg(jsonb_build_object('id', id, 'number', number, 'title', title) order by signals desc, number)
          filter (where place <= 3), '[]') as top_claims
      from (
        select claims.id, claims.number, title, signals, row_number() over (order by signals desc, claims.number) as place
        from (
          select claim_id, count(*) as signals from member join claim_evidence using (signal_id)
          where member.theme_id = themes.id group by claim_id
        ) as behind join claims on claims.id = claim_id and merged_into is null and claims.state <> 'dismissed'
      ) as placed
    ) as claimed_by
    cross join lateral (
      select count(*)::integer as solutions,
        coalesce(jsonb_agg(jsonb_build_object('id', id, 'number', number, 'title', title, 'state', state) order by number)
          filter (where place <= 3), '[]') as top_solutions
      from (
        select solutions.id, solutions.number, title, state, row_number() over (order by solutions.number) as place
        from (
          select distinct solution_id from claimed join solution_claims using (claim_id)
          where claimed.theme_id = themes.id
        ) as answering join solutions on solutions.id = solution_id and solutions.state <> 'Dropped'
      ) as placed
    ) as answered_by
  order by standing is not distinct from 'pinned' desc, shown.signals desc, themes.number`

const PAGE = described(`select theme_id, signals from (${LISTED}) as listed where is_aside = $4
  order by is_pinned desc, signals desc, number limit $2 offset $3`)
const ONE = described(`select id as theme_id, coalesce(signals, 0) as signals
  from themes left join (${COUNTED}) as counted on theme_id = id where id = $2`)

interface SurestRow extends QuoteRow {
  readonly start: number
  readonly length: number
}
type StoredRow = Omit<ThemeRow, 'quotes'> & { readonly quotes: readonly SurestRow[] }

const QUOTES = 3
const WORD = /[\p{L}\p{M}\p{N}]+/gu

/** Of the surest members the first, and those that share least with what is quoted already. */
const differing = (surest: readonly SurestRow[]): readonly QuoteRow[] => {
  const left = surest.map(({ signal_id, number, text, start, length }) => {
    const quote = text.slice(start, start + length)
    return { signal_id, number, text: quote, words: new Set(quote.toLowerCase().match(WORD) ?? []) }
  })
  const quotes = left.splice(0, 1)
  while (quotes.length < QUOTES && left.length > 0) {
    const said = new Set(quotes.flatMap(({ words }) => [...words]))
    const shared = left.map(({ words }) => [...words].filter(word => said.has(word)).length / (words.size || 1))
    quotes.push(...left.splice(shared.indexOf(Math.min(...shared)), 1))
  }
  return quotes.map(({ words: _, ...quote }) => quote)
}

const toTheme = (row: StoredRow): ThemeRow => ({ ...row, quotes: differing(row.quotes) })

const COUNTS = `
  select ${count('not is_aside')} as listed, ${count('is_aside')} as aside from (${LISTED}) as listed`

interface Page {
  readonly limit: number
  readonly offset: number
  /** Trends are up to then. */
  readonly at: Date
  /** Those that people hid, or that are not one thing; else all others. */
  readonly aside: boolean
}

/** A page of the themes that are, the pinned first, then those of most signals, and how many there are. */
export const listThemes = async (
  transaction: Transaction,
  page: Page,
): Promise<{ readonly listed: number; readonly aside: number; readonly themes: readonly ThemeRow[] }> => {
  const [counted] = await transaction.query<{ listed: number; aside: number }>(COUNTS, [])
  const values = [page.at, page.limit, page.offset, page.aside]
  const themes = await transaction.query<StoredRow>(PAGE, values)
  return { listed: 0, aside: 0, ...counted, themes: themes.map(toTheme) }
}

export const readTheme = async (transaction: Transaction, id: string, at: Date): Promise<ThemeRow | undefined> => {
  const [theme] = await transaction.query<StoredRow>(ONE, [at, id])
  return theme === undefined ? undefined : toTheme(theme)
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
}

const MEMBERS_OF = `
  select signal_id, member.number, text, quote_start, quote_length, member.state, classification, language, likeness,
    is_confirmed, occurred_at, (
      select min(claims.number) from claim_evidence
        join claims on claims.id = claim_id and merged_into is null and claims.state <> 'dismissed'
      where claim_evidence.signal_id = member.signal_id
    ) as claim
  from (${MEMBERS}) as member
  where theme_id = $1 order by is_confirmed desc, likeness desc, member.number limit $2 offset $3`

/** The signals of a theme, the confirmed and then the surest first, each by the sentence that tells most of it. */
export const membersOfTheme = async (
  transaction: Transaction,
  id: string,
  page: { readonly limit: number; readonly offset: number },
): Promise<readonly MemberRow[]> => {
  const rows = await transaction.query<StoredMember>(MEMBERS_OF, [id, page.limit, page.offset])
  return rows.map(quoted)
}

/** A signal with the place of the sentence that is shown of it. */
export interface StoredMember extends MemberRow {
  readonly quote_start: number
  readonly quote_length: number
}

export const quoted = ({ quote_start, quote_length, text, ...row }: StoredMember): MemberRow => ({
  ...row,
  text: text.slice(quote_start, quote_start + quote_length),
})
