import type { Json } from '../numbers.ts'
import { type Asked, type Rule, restOf, rule } from '../rules.ts'
import { inState, inTriage, livingClaims, repeatsOf, type Said, signalsOf, type Truth, waitingDead } from '../truth.ts'

/** The Signals that a list is filtered to. */
const listed = (truth: Truth, { input }: Pick<Asked, 'input'>): readonly Said[] =>
  signalsOf(truth).filter(
    one =>
      (input.state === undefined || one.state === input.state) &&
      (input.state !== 'triage' || !one.snoozed) &&
      (input.classification === undefined || one.classification === input.classification) &&
      (input.signal_origin === undefined || one.origin === input.signal_origin) &&
      (input.channel === undefined || one.channel === input.channel) &&
      (input.account === undefined || one.account === input.account) &&
      (input.order_by !== 'occurrences' || repeatsOf(truth, one).length > 0) &&
      (input.actor_name === undefined || one.actorName === input.actor_name),
  )

/** How much changed since the workspace was made, by the kind of change. */
const CHANGED: Readonly<Record<string, (truth: Truth) => number>> = {
  signals: truth => signalsOf(truth).length,
  claims_appeared: truth => livingClaims(truth).length,
  // A claim that was erased with all of its evidence is dismissed.
  claims_moved: ({ emptiedClaims, followedClaims }) => emptiedClaims + followedClaims,
  merges: ({ merges }) => merges,
  solutions: ({ solutions, moves }) => solutions.size + moves,
  decisions: ({ decisions }) => decisions,
  outcomes: ({ outcomes }) => outcomes.length,
  living_documents: ({ solutions }) => [...solutions.values()].filter(({ documents }) => documents.length > 0).length,
  dead_letters: waitingDead,
  removals: ({ erasures }) => erasures.length,
}

/** How much there is of everything. */
export const COUNT_RULES: readonly Rule[] = [
  rule(/^orient_snapshot\.counts\.sources$|^list_sources\.count$/, truth => truth.sourceNames.size),
  rule(/^orient_snapshot\.counts\.signals$/, truth => signalsOf(truth).length),
  rule(/^orient_snapshot\.counts\.signals_in_triage$|^count_waiting\.signals$/, truth => inTriage(truth).length),
  rule(
    /triage_by_classification\.\*$/,
    (truth, _, { keys: [classification] }) =>
      inTriage(truth).filter(one => one.classification === classification).length,
  ),
  rule(/^orient_snapshot\.counts\.claims$|^analyze_claims\.count$/, truth => livingClaims(truth).length),
  rule(
    /^orient_snapshot\.counts\.open_claims$/,
    truth => livingClaims(truth).filter(({ isDismissed }) => !isDismissed).length - truth.emptiedClaims,
  ),
  rule(
    /^orient_snapshot\.counts\.open_solutions$/,
    truth => truth.solutions.size - inState(truth, 'Done') - inState(truth, 'Dropped'),
  ),
  rule(/^orient_snapshot\.counts\.solutions$|^(analyze_solutions|list_board)\.count$/, truth => truth.solutions.size),
  rule(/^orient_snapshot\.counts\.waiting_dead_letters$|^count_waiting\.dead_letters$/, waitingDead),
  rule(/^inspect_pipeline\.count$/, waitingDead),
  rule(/^inspect_pipeline\.groups\[\]\.dead_letters$/, (truth, { data }, { owners: [group] }) =>
    restOf(
      waitingDead(truth),
      data.groups.filter((one: Json) => one !== group).map((one: Json) => one.dead_letters),
    ),
  ),
  // The judge decides on every pair that is near.
  rule(
    /waiting_proposals$|^count_waiting\.proposals$|^lookup_proposals\.count$|^list_merge_groups\.(count|pairs)$/,
    () => 0,
  ),
  rule(/^lookup_backlog\.count$/, truth => inState(truth, 'Backlog')),
  rule(/^count_waiting\.in_review$/, truth => inState(truth, 'In Review')),
  rule(/^list_signals\.count$/, (truth, asked) => listed(truth, asked).length),
  rule(
    /^list_signals\.sources\[\]\.signals$/,
    (truth, { input: { state } }, { owners: [source] }) =>
      signalsOf(truth).filter(one => one.source === source.source && (state === undefined || one.state === state))
        .length,
  ),
  rule(/^lookup_triage\.count$/, (truth, { input }) => listed(truth, { input: { state: 'triage', ...input } }).length),
  rule(/^list_repeats\.count$/, (truth, { input }) => {
    const original = truth.said.find(({ id }) => id === input.id)
    return original === undefined ? null : repeatsOf(truth, original).length
  }),
  rule(/^list_comments\.count$/, ({ comments }, { input }) => comments.get(input.id) ?? 0),
  // Who writes a name, their own too, knows of it.
  rule(/^list_mentions\.(count|unread)$|^count_waiting\.mentions$/, () => 0),
  rule(/^lookup_decision\.count$/, ({ decisions, decidedFirst }, { input }) =>
    input.id === undefined ? decisions : decidedFirst.filter(({ fate }) => fate === 'signal').length,
  ),
  // Asked for all of them: those of every day too.
  rule(/^list_decisions\.count$/, ({ decisions }) => decisions),
  rule(/^list_decisions\.left_out$/, () => 0),
  rule(/^lookup_outcome\.count$/, ({ outcomes }) => outcomes.length),
  rule(/^lookup_group\.count$/, (_, { input }) => (input.id === undefined ? 1 : 2)),
  rule(
    /^(list|orient)_changes\.items\[\]\.count$/,
    (truth, _, { owners: [item] }) => CHANGED[item.kind]?.(truth) ?? null,
  ),
  rule(/^orient_changes\.count$/, truth => Object.values(CHANGED).reduce((sum, count) => sum + count(truth), 0)),
  rule(/^read_reviews\.count$/, ({ review }) => (review === null ? 0 : 1)),
]
