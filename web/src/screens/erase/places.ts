import { t } from '../../language/messages.ts'

/** What people call the tables that an erasure goes through. */
const NAMES: Readonly<Record<string, string>> = {
  signals: t('Signals'),
  signals_of_others: t('Signals of others'),
  occurrences: t('Repeats'),
  claims: t('Claims'),
  claim_evidence: t('Evidence'),
  comments: t('Comments'),
  decisions: t('Decisions'),
  decision_objects: t('What Decisions changed'),
  solutions: t('Solutions'),
  living_documents: t('Living Documents'),
  outcomes: t('Outcomes'),
  knowledge_notes: t('Notes of agents'),
  strategy_elements: t('Strategy'),
  product_reviews: t('Product Reviews'),
  map_nodes: t('Map'),
  groups: t('Groups'),
  changed_rows: t('History of changes'),
  dead_letters: t('Dead letters'),
  activity: t('Activity'),
  jobs: t('Jobs'),
  transfers: t('Exports'),
  merge_proposals: t('Proposals'),
  merges: t('Merges'),
  handoff_proposals: t('Pull requests'),
  test_signals: t('Tests of sources'),
  transfer_pieces: t('Files of imports and exports'),
  idempotent_answers: t('Answers kept for repetition'),
}

/** A place of which nothing is known here is shown by its own name. */
export const placeName = (place: string): string => NAMES[place] ?? place.replaceAll('_', ' ')
