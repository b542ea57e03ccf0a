import { type Referenced, reference } from '../../../schemas/domain/vocabulary.ts'

/** The kinds that the search finds. */
export const SEARCHED = ['signal', 'claim', 'solution', 'node', 'decision', 'living_doc', 'note'] as const
export type Searched = (typeof SEARCHED)[number]

interface MatchName {
  readonly id: string
  readonly number: number | null
}

interface SearchedRows {
  readonly table: string
  /** Columns of a match: its number, if it has one, its title and its text. */
  readonly match: string
  /** Rows that a search shows. */
  readonly shown: string
  /** The call that answers the whole of a match. */
  readonly whole: (match: MatchName) => string
}

/** Where each kind is read. */
export const SEARCHED_ROWS: Readonly<Record<Searched, SearchedRows>> = {
  signal: {
    table: 'signals',
    match: 'number, left(text, 80) as title, text',
    shown: 'true',
    whole: ({ number }) => `service_lookup mode signal, id SIG-${number}`,
  },
  claim: {
    table: 'claims',
    match: 'number, title, statement as text',
    shown: 'merged_into is null',
    whole: ({ number }) => `service_lookup mode claim, id CLM-${number}`,
  },
  solution: {
    table: 'solutions',
    match: 'number, title, summary as text',
    shown: 'true',
    whole: ({ number }) => `service_lookup mode solution, id SOL-${number}`,
  },
  node: {
    table: 'map_nodes',
    match: 'null::integer as number, name as title, description as text',
    shown: 'true',
    whole: ({ id }) => `service_lookup mode node, id ${id}`,
  },
  decision: {
    table: 'decisions',
    match: 'number, left(statement, 80) as title, statement as text',
    shown: 'true',
    whole: ({ number }) => `service_lookup mode decision, id DEC-${number}`,
  },
  // The number is its Solution's.
  living_doc: {
    table: 'living_documents',
    match: `(select number from solutions where solutions.id = solution_id) as number,
      (select title from solutions where solutions.id = solution_id) as title, markdown as text`,
    shown: 'newest',
    whole: ({ number }) => `service_lookup mode living_doc, id SOL-${number}`,
  },
  note: {
    table: 'knowledge_notes',
    match: `null::integer as number, left(text, 80) as title, text`,
    shown: 'true',
    whole: () => 'the same search with types note and depth full',
  },
}

const REFERRED: Readonly<Partial<Record<Searched, Referenced>>> = {
  signal: 'signal',
  claim: 'claim',
  solution: 'solution',
  decision: 'decision',
  living_doc: 'solution',
}

/** SIG-7, CLM-3, of a Living Document its Solution's; null for what has no reference. */
export const referenceOf = (type: Searched, number: number | null): string | null => {
  const referred = REFERRED[type]
  return referred === undefined || number === null ? null : reference(referred, number)
}
