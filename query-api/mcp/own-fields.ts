/**
 * Names of fields whose texts the service makes, at any place of an answer: words of its vocabularies, references,
 * times, members' names and the names that members gave. A text in any other field stands between marks, unless its
 * schema has `ownText`, an `enum` or a `format`.
 */
export const OWN_FIELDS = new Set(
  `action address all_repeats_call at attached_at author_name blocked_by body by cancelled_by carried_out_by channel
  claim claims counted_at created_at curl decided_at decided_by decision duplicate_of edited_at effects ended_at
  error_class expected_response fault field finding finished_at first_failed_at fitted_at found_by from from_steps
  full_text_call group handed_off_at headers hidden_reason hour in_state_since into key_label kind last_evidence_at
  last_failed_at last_seen_at layer made_at made_by meaning merged merged_at merged_from merged_references
  metrics_label mode model newest_received_at next next_redrive_at node occurred_at oldest_in_progress_at openssl
  operation original other_steps outcome paused_at period period_from period_to pointer prepared_at prepared_by
  previous_secret_valid_until proposed_at python reading_note reasons received_at recorded_at reference remedy
  reversed_at reversed_by reversed_by_name reverses same_as saved_at score_explanation secret section setup signal signal_id since slug
  snoozed_by source_id started_by state step steps time_zone to tool trace_id undoes undone_at undone_by until
  updated_at version via withdrawn_at written_at`.split(/\s+/),
)
