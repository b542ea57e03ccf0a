import type { Rule } from '../rules.ts'

/** Exact names of numbers, apart by spaces. */
const named = (names: string): RegExp =>
  new RegExp(
    `^(${names
      .trim()
      .split(/\s+/)
      .map(name => name.replace(/[[\].*]/g, '\\$&'))
      .join('|')})$`,
  )

/** What the truth of this workspace cannot know, each with the reason. */
export const NOT_COMPARED: readonly Rule[] = [
  {
    numbers: /_truncation\.(shown|total)_characters$/,
    because: 'It is of the text beside it: excerpt.test.ts compares the two.',
  },
  {
    numbers: /\.cuts\.(omitted_)?characters$|^source_health\.automatic_mail\.kinds\[\]\.count$/,
    because: 'It is of mail, and nobody sends any here: kept-cuts.test.ts and automatic-mail.test.ts compare it.',
  },
  {
    numbers: named(
      'preview_import.reading.begins preview_import.unread_dates.count preview_import.unread_dates.looked_at',
    ),
    because: 'It is of the file that is read: the tests of reading files compare it.',
  },
  {
    numbers: /^preview_take_back\./,
    because: 'It is of an import, and nobody imports anything here: take-back.test.ts compares it.',
  },
  {
    numbers: /^preview_re_anchor\./,
    because: 'The vectors tell: preview-re-anchor.test.ts compares it.',
  },
  {
    numbers: /(^|\.|_)version$/,
    because: 'The service counts the writes of a row for itself, to find those that collide.',
  },
  {
    numbers: /(duration_ms|elapsed_ms|total_ms|p\d\d_ms|p95_since_receipt_ms|per_second|days_in_state)$/,
    because: 'It is measured by the clock while the test runs.',
  },
  {
    numbers: named(`
      watch_pipeline.processors watch_pipeline.steps[].lanes[].retried watch_pipeline.steps[].lanes[].dead_lettered
      watch_pipeline.steps[].lanes[].waiting.lag watch_pipeline.queues[].lag inspect_pipeline.last_hour[].retried`),
    because: 'It is of the last minute, of all workspaces, or of how often a busy machine had to try again.',
  },
  {
    numbers:
      /(classification_confidence|similarity|node\.score|\.chance|^lookup_(search|proposals)\.items\[\]\.score|pairs\[\]\.score)$/,
    because: 'A model says it: the tests of evidence measure models.',
  },
  {
    numbers: named(`
      inspect_pipeline.embedding.anchors_at inspect_pipeline.embedding.skips_at
      inspect_pipeline.embedding.skips_in_threads_at inspect_pipeline.embedding.on_scale.anchors_at
      inspect_pipeline.embedding.on_scale.skips_at inspect_pipeline.embedding.on_scale.skips_in_threads_at
      inspect_pipeline.embedding.made_pairs inspect_pipeline.embedding.labelled_pairs
      inspect_pipeline.embedding.same_share inspect_pipeline.embedding.copies_share
      read_workspace_rules.taught.learned_from read_workspace_rules.taught.tested
      read_workspace_rules.taught.answered_right read_workspace_rules.taught.weight`),
    because: 'It is a threshold, or what a model learned and how well it answers.',
  },
  {
    numbers: /(^|\.)((proposal_)?bar)\.(set_aside|learned_from)$/,
    because: 'It is of pairs that a model found, and of what it learned from.',
  },
  {
    numbers:
      /(^|\.)(job|check)\.(done|total|failed)$|^(list_jobs\.(items\[\]\.)?|start_(job|review)\.|cancel_job\.)(done|total|failed)$/,
    because: 'It is how far a job is, in units of the job.',
  },
  {
    numbers: /(^|\.)(counts\[\]\.rows|proof\[\]\.found)$|^preview_erasure\.mentions\[\]\.rows$/,
    because: 'It counts rows of tables: erasures.test.ts compares it with the tables.',
  },
  {
    numbers: /(^|\.)(bytes|report\.\w+(\[\]\.\w+)?(\[\])?|contents\.(assay_export|tables\[\]\.rows))$/,
    because: 'It is of a file: round-trip.test.ts compares files with what they hold.',
  },
  {
    numbers: named(
      'erase_person.erased_signals erase_signal.erased_signals erase_source.erased_signals resume_erasure.erased_signals',
    ),
    because: 'The erasure has only begun: list_erasures, which is compared, says what it took.',
  },
  {
    numbers: /decision\.objects$|^(lookup_context\.decisions|lookup_decision|list_decisions)\.items\[\]\.objects$/,
    because: 'It counts the rows that a Decision changed: grounds.test.ts compares them.',
  },
  {
    numbers: named(`
      list_merge_groups.items[].count list_merge_groups.items[].pairs[].other_count lookup_proposals.groups[].count
      list_signals.items[].snooze.signals lookup_signal.signal.snooze.signals triage_signals.signals[].snooze.signals
      merge_claims.also_left remove_map_node.moved_children remove_map_node.unanchored_signals remove_test_signals.removed triage.also_left`),
    because: 'Nothing here is proposed, woken or removed: the tests of these operations count it.',
  },
  {
    numbers: /\.(accounts|revenue)$/,
    because: 'No metadata is sent with a company or its revenue here: claims-by-customers.test.ts counts them.',
  },
  {
    numbers: named('list_signals.noise'),
    because: 'What asks for nothing is judged by a model: list-signals.test.ts counts it.',
  },
  {
    numbers: named('lookup_node.texts.items[].number'),
    because: 'It is a place among the examples of a node.',
  },
  {
    numbers: named('preview_import.reading.mapping[].column preview_import.sample[].line'),
    because: 'It is a place in a file.',
  },
  {
    numbers: named(`
      list_audit_log.count list_jobs.count list_my_changes.count list_my_changes.items[].other_objects
      undo_change.undone.other_objects list_keys.items[].work_units`),
    because: 'It counts the calls that the test itself makes: audited.test.ts and undo count these.',
  },
  {
    numbers: named(`
      lookup_solution.rice.reach lookup_solution.rice.impact lookup_solution.rice.confidence
      lookup_solution.rice.effort lookup_solution.proposed_handoffs[].number
      lookup_solution.handoffs[].pull_request.number lookup_context.handoffs.items[].pull_request.number
      hand_off_solution.confirmed.number`),
    because: 'It is a number that somebody gave, and counts nothing.',
  },
  {
    numbers: named(`
      read_retention.signals_days read_retention.activity_days read_retention.dead_letters_days
      read_retention.jobs_days set_retention.signals_days set_retention.activity_days
      set_retention.dead_letters_days set_retention.jobs_days`),
    because: 'It is a setting, as it was set.',
  },
  {
    numbers: named('reset_sandbox.signals reset_sandbox.claims reset_sandbox.solutions reset_sandbox.decisions'),
    because: 'It is of the sample data, which is no workspace of this test.',
  },
  {
    numbers: named(`
      lookup_search.count list_installation_workspaces.count list_installation_workspaces.items[].members`),
    because: 'It is how long the list beside it is, which rules of its own make.',
  },
]
