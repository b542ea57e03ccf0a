/** Numbers that the truth knows and no answer has here, each with the reason. */
export const NEVER_ANSWERED: readonly { readonly numbers: RegExp; readonly because: string }[] = [
  {
    numbers: /^(move|update)_map_node\.|^unbind_metric\./,
    because: 'Texts of the map that change have all signals anchored anew; the answer is that of add_map_node.',
  },
  {
    numbers: /^add_map_node\.metrics|^bind_metric\.metrics\[\]\.(from_target|(newest|previous)\.value)$/,
    because: 'The metric is bound afterwards, and has its points after that.',
  },
  {
    numbers: /^(prepare_review|save_review|read_reviews)\..*(time_series|points)\[\]/,
    because: 'It is for charts: read_review alone answers it.',
  },
  {
    numbers: /^list_merge_groups\.items\[\]|^(merge_claims\.signal|triage\.merges\[\])\./,
    because: 'The judge has decided on every pair that is near, so that no proposal waits.',
  },
  {
    numbers:
      /^(change_roadmap|create_solution|hand_off_solution|update_solution)\.solution\.manual_rank$|^rank_solutions\.|^lookup_group\.items\[\]\.manual_rank$/,
    because: 'Solutions without a rank have none in the answer.',
  },
  {
    numbers: /^lookup_signal\.signal\.snooze\.until_signals$/,
    because: 'The signal that sleeps until others say it is listed; those that are looked up do not sleep so.',
  },
  { numbers: /^read_mentions\./, because: 'Nobody else is in the workspace who could mention somebody.' },
]
