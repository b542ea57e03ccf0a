import { REFERENCE_PREFIXES, type Referenced } from '../../schemas/domain/vocabulary.ts'

/**
 * Kinds of objects that an identifier can name. Signals and Decisions have no name; map nodes, metrics and sources have
 * no reference.
 */
export type Identifiable = Referenced | 'node' | 'metric' | 'group' | 'strategy_element' | 'source'

export const isReferenced = (kind: Identifiable): kind is Referenced => Object.hasOwn(REFERENCE_PREFIXES, kind)

/**
 * Each statement answers `id`, `number` and `name` for one bound value; row-level security limits it to one workspace.
 * For a moved object, claims and signals also answer `named_id`, `named_number` (null for a repeat without a row) and
 * `lives_in`, the number of the object that it leads to.
 */
type Statements = Readonly<Record<Identifiable, string | null>>

/** Most matches that are told apart, and most near names that are ranked. */
const FITTING = 10
const NEAR = 200

const claimsWhere = (condition: string, most = FITTING): string => `
  with recursive lineage as (
    select id, merged_into, id as named_id from claims where ${condition}
    union
    select survivor.id, survivor.merged_into, named_id from lineage join claims survivor on survivor.id = lineage.merged_into
  )
  select found.*, moved.id as named_id, moved.number as named_number, case when moved.id is not null then found.number end as lives_in
  from (
    select distinct on (claims.id) claims.id, claims.number, claims.title as name, named_id
    from lineage join claims using (id) where lineage.merged_into is null
    order by claims.id, named_id <> claims.id, named_id
  ) as found (id, number, name, first_named)
    left join claims as moved on moved.id = first_named and first_named <> found.id
  order by found.number
  limit ${most}`

const signalsWhere = (condition: string, named: string): string => `
  select signals.id, signals.number, left(signals.text, 80) as name,
    repeated.id as named_id, own.number as named_number, original.number as lives_in
  from signals
    left join occurrences as repeated on repeated.id = ${named}
    left join signals as own on own.id = repeated.id
    left join signals as original on original.id = repeated.signal_id
  where ${condition}`

const solutionsWhere = (condition: string, most = FITTING): string =>
  `select id, number, title as name from solutions where ${condition} order by number limit ${most}`

const THEME_NAME = 'coalesce(theme_settings.name, themes.name)'

/**
 * A former theme leads to the theme that has most of its members now. A theme that a person joined to another leads to
 * that one.
 */
const themesWhere = (condition: string, most = FITTING): string => `
  select distinct on (themes.number) themes.id, themes.number, ${THEME_NAME} as name, moved.id as named_id,
    moved.number as named_number, case when moved.id is not null then themes.number end as lives_in
  from (
      select id, coalesce(theme_settings.part_of_id, became.part_of_id, became_id, id) as lives_in_id
      from themes left join theme_settings on theme_id = id
        left join theme_settings as became on became.theme_id = became_id
      where ${condition}
    ) as named
    join themes on themes.id = lives_in_id
    left join theme_settings on theme_id = themes.id
    left join themes as moved on moved.id = named.id and named.id <> lives_in_id
  order by themes.number
  limit ${most}`

const decisionsWhere = (condition: string): string =>
  `select id, number, left(statement, 80) as name from decisions where ${condition}`

/** A node's name is its path, because only siblings have different names. */
const nodesWhere = (condition: string, most = FITTING): string =>
  `select id, null::integer as number, array_to_string(map_path(id), ' / ') as name
  from map_nodes where ${condition} order by map_nodes.name, id limit ${most}`

const asPath = (text: string): string => `lower(regexp_replace(${text}, '\\s*/\\s*', '/', 'g'))`

/** Nodes at a path such as `Billing / Invoices`: the end of the path is compared with names first, which is cheap. */
const NODE_PATH = `
  position('/' in $1) > 0 and right(lower($1), length(name)) = lower(name)
  and ${asPath(`array_to_string(map_path(id), '/')`)} = ${asPath('$1')}`

/** A metric is the source of its points. A deleted metric is found by its id, because it may still be bound. */
const metricsWhere = (condition: string, most = FITTING): string =>
  `select id, null::integer as number, name from sources where kind = 'metric' and ${condition} order by name, id limit ${most}`

const sourcesWhere = (condition: string, most = FITTING): string =>
  `select id, null::integer as number, name from sources where deleted_at is null and ${condition} order by name, id limit ${most}`

const groupsWhere = (condition: string, most = FITTING): string =>
  `select id, null::integer as number, name from groups where ${condition} order by name, id limit ${most}`

const elementsWhere = (condition: string, most = FITTING): string =>
  `select id, null::integer as number, title as name from strategy_elements where ${condition} order by title, id limit ${most}`

export const BY_ID = {
  signal: signalsWhere(
    'signals.id = (select coalesce((select signal_id from occurrences where id = $1), $1::uuid))',
    '$1',
  ),
  claim: claimsWhere('id = $1'),
  solution: solutionsWhere('id = $1'),
  theme: themesWhere('id = $1'),
  decision: decisionsWhere('id = $1'),
  node: nodesWhere('id = $1'),
  metric: metricsWhere('id = $1'),
  source: sourcesWhere('id = $1'),
  group: groupsWhere('id = $1'),
  strategy_element: elementsWhere('id = $1'),
} satisfies Statements

export const BY_NUMBER = {
  signal: signalsWhere('signals.number = $1', 'signals.id'),
  claim: claimsWhere('number = $1'),
  solution: solutionsWhere('number = $1'),
  theme: themesWhere('number = $1'),
  decision: decisionsWhere('number = $1'),
  node: null,
  metric: null,
  source: null,
  group: null,
  strategy_element: null,
} satisfies Statements

export const BY_NAME = {
  signal: null,
  claim: claimsWhere('lower(title) = lower($1)'),
  solution: solutionsWhere('lower(title) = lower($1)'),
  theme: themesWhere(`ended_at is null and lower(${THEME_NAME}) = lower($1)`),
  decision: null,
  node: nodesWhere(`lower(name) = lower($1) or (${NODE_PATH})`),
  metric: metricsWhere('deleted_at is null and lower(name) = lower($1)'),
  source: sourcesWhere('lower(name) = lower($1)'),
  group: groupsWhere('lower(name) = lower($1)'),
  strategy_element: elementsWhere('lower(title) = lower($1)'),
} satisfies Statements

/** Any of the words suffices: `websearch_to_tsquery` reads an unquoted `or` between them. */
const sharesWords = (column: string): string =>
  `to_tsvector('simple', ${column}) @@ websearch_to_tsquery('simple', regexp_replace($1, '\\s+', ' or ', 'g'))`

/** Candidates for a name without a match: objects whose names share a word with it. */
export const NEAR_NAME = {
  signal: null,
  claim: claimsWhere(sharesWords('title'), NEAR),
  solution: solutionsWhere(sharesWords('title'), NEAR),
  theme: themesWhere(`ended_at is null and ${sharesWords(THEME_NAME)}`, NEAR),
  decision: null,
  node: nodesWhere(sharesWords('name'), NEAR),
  metric: metricsWhere(`deleted_at is null and ${sharesWords('name')}`, NEAR),
  source: sourcesWhere(sharesWords('name'), NEAR),
  group: groupsWhere(sharesWords('name'), NEAR),
  strategy_element: elementsWhere(sharesWords('title'), NEAR),
} satisfies Statements
