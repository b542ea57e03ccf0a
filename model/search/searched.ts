/** The kinds that the search finds. */
export const SEARCHED = ['signal', 'claim', 'solution', 'node', 'decision', 'living_doc', 'note'] as const
export type Searched = (typeof SEARCHED)[number]

interface SearchedRows {
  readonly table: string
  /** Columns of a match: its number, if it has one, its title and its text. */
  readonly match: string
  /** Rows that a search shows. */
  readonly shown: string
}

/** Where each kind is read. */
export const SEARCHED_ROWS: Readonly<Record<Searched, SearchedRows>> = {
  signal: {
    table: 'signals',
    match: 'number, left(text, 80) as title, text',
    shown: 'true',
  },
  claim: {
    table: 'claims',
    match: 'number, title, statement as text',
    shown: 'merged_into is null',
  },
  solution: {
    table: 'solutions',
    match: 'number, title, summary as text',
    shown: 'true',
  },
  node: {
    table: 'map_nodes',
    match: 'null::integer as number, name as title, description as text',
    shown: 'true',
  },
  decision: {
    table: 'decisions',
    match: 'number, left(statement, 80) as title, statement as text',
    shown: 'true',
  },
  // The number is its Solution's.
  living_doc: {
    table: 'living_documents',
    match: `(select number from solutions where solutions.id = solution_id) as number,
      (select title from solutions where solutions.id = solution_id) as title, markdown as text`,
    shown: 'newest',
  },
  note: {
    table: 'knowledge_notes',
    match: `null::integer as number, left(text, 80) as title, text`,
    shown: 'true',
  },
}
