/** What people call the tables that an erasure goes through. */
const NAMES: Readonly<Record<string, string>> = {
  signals: 'Signals',
  signals_of_others: 'Signals of others',
  occurrences: 'Repeats',
  claims: 'Claims',
  claim_evidence: 'Evidence',
  comments: 'Comments',
  decisions: 'Decisions',
  decision_objects: 'What Decisions changed',
  solutions: 'Solutions',
  living_documents: 'Living Documents',
  outcomes: 'Outcomes',
  knowledge_notes: 'Notes of agents',
  strategy_elements: 'Strategy',
  product_reviews: 'Product Reviews',
  map_nodes: 'Map',
  groups: 'Groups',
  changed_rows: 'History of changes',
  dead_letters: 'Dead letters',
  activity: 'Activity',
  merge_proposals: 'Proposals',
  merges: 'Merges',
  handoff_proposals: 'Pull requests',
  test_signals: 'Tests of sources',
  transfer_pieces: 'Files of imports and exports',
  idempotent_answers: 'Answers kept for repetition',
}

/** A place of which nothing is known here is shown by its own name. */
export const placeName = (place: string): string => NAMES[place] ?? place.replaceAll('_', ' ')
