import { MORE_SIGNALS } from '../decided.ts'
import { type Asked, type Rule, rule } from '../rules.ts'
import { inState, repeatsOf, signalsOf, type Truth } from '../truth.ts'
import { TARGET } from '../world.ts'

/** What the Living Document of the Solution that an answer is about says, as of a version; null where it has none. */
const documentOf = ({ solutions }: Truth, { input, data }: Asked): readonly string[] =>
  solutions.get(String(data.reference ?? input.solution_id ?? input.id))?.documents ?? []

const linesNotIn = (one = '', other = ''): number =>
  one === '' ? 0 : one.split('\n').filter(line => !other.split('\n').includes(line) || other === '').length

/** What people made: plans, groups, documents, lessons. */
export const WORK_RULES: readonly Rule[] = [
  {
    numbers: /^(list_transfers\.items\[\]|(check|start)_(im|ex)port|take_back_import)\.(repeats|arrival\..*)$/,
    because: 'It is of an import, and nobody imports anything here: follow-imports.test.ts compares it.',
  },
  rule(/^orient_roadmap\.count$|^orient_strategy\.count$/, () => 1),
  rule(/^orient_roadmap\.horizons\[\]\.solutions$/, (_, __, { owners: [one] }) => (one.horizon === 'now' ? 1 : 0)),
  rule(/^orient_strategy\.layers\[\]\.elements$/, (_, __, { owners: [one] }) => (one.layer === 'vision' ? 1 : 0)),
  rule(/claim_count$/, () => 3),
  rule(/solution_count$/, () => 2),
  rule(/^lookup_group\.(group|items\[\])\.solutions$|^change_group\.group\.solutions$/, () => 2),
  rule(
    /_group\..*by_state\[\]\.solutions$/,
    (truth, _, { owners: [one] }) =>
      [...truth.solutions.values()].slice(0, 2).filter(({ state }) => state === one.state).length,
  ),
  rule(
    /^list_board\.columns\[\]\.count$|^analyze_solutions\.groups\[\]\.solutions$/,
    (truth, _, { owners: [column] }) => inState(truth, column.state),
  ),
  rule(/^analyze_solutions\.groups\[\]\.stuck$/, () => 0),
  rule(/^preview_retention\./, () => 0),
  rule(/^list_transfers\.count$/, () => 1),
  rule(
    /^orient_roadmap\.items\[\]\.position$|roadmap\.position$|^change_strategy\.element\.position$|^orient_strategy\.items\[\]\.position$/,
    () => 1,
  ),
  rule(/existing_source_count$/, (_, __, { owners: [kind] }) => kind.existing_sources.length),
  rule(/^(diagnose_workspace|find_source_kind|lookup_reference)\.count$/, (_, { data }) => data.items.length),
  rule(
    /taught\.lessons$/,
    // Who accepts many at once has looked at the class of none.
    truth =>
      signalsOf(truth).filter(one => one.corrected || (one.state === 'accepted' && !truth.decidedFirst.includes(one)))
        .length,
  ),
  rule(/taught\.corrections$/, truth => signalsOf(truth).filter(({ corrected }) => corrected).length),
  rule(/metrics\[\]\.target$|^lookup_context\.metrics\.items\[\]\.target$/, () => TARGET),
  rule(/metrics\[\]\.from_target$/, ({ metricPoints }) => (metricPoints.at(-1)?.value ?? 0) - TARGET),
  rule(/snooze\.until_signals$/, (truth, _, { owners: [, { reference }] }) => {
    const said = signalsOf(truth).find(one => one.reference === reference)
    return said === undefined ? null : 1 + repeatsOf(truth, said).length + MORE_SIGNALS
  }),
  rule(/^move_signal\.examples$|^(merge_claims|triage)\.merges\[\]\.moved_signals$/, () => 1),
  rule(/merges\[\]\.moved_solutions$/, () => 0),
  rule(/^read_mentions\.unread$/, () => 0),

  rule(
    /^lookup_living_document\.count$|^(lookup_living_document\.(newest_)?version)$|^edit_living_document\.version$|^lookup_context\.living_doc\.version$/,
    (truth, asked) => documentOf(truth, asked).length,
  ),
  rule(/^lookup_living_document\.changes\.since_version$/, (_, { input }) => input.since_version),
  rule(
    /^lookup_living_document\.items\[\]\.version$/,
    (truth, asked, { owners: [item] }) => documentOf(truth, asked).length - asked.data.items.indexOf(item),
  ),
  rule(
    /^lookup_living_document\.items\[\]\.characters$/,
    (truth, asked, { owners: [item] }) => documentOf(truth, asked)[item.version - 1]?.length ?? null,
  ),
  rule(/^merge_living_document\.conflicts$/, () => 1),
  rule(/^merge_living_document\.newest\.version$/, (truth, asked) => documentOf(truth, asked).length),
  rule(
    /^((lookup|edit)_living_document|merge_living_document\.newest)\.characters$/,
    (truth, asked) => documentOf(truth, asked).at(-1)?.length ?? null,
  ),
  rule(/^(lookup_living_document\.changes|edit_living_document)\.added_lines$/, (truth, asked) => {
    const [one, other] = documentOf(truth, asked).slice(-2).toReversed()
    return linesNotIn(one, other)
  }),
  rule(/^(lookup_living_document\.changes|edit_living_document)\.removed_lines$/, (truth, asked) => {
    const [one, other] = documentOf(truth, asked).slice(-2).toReversed()
    return linesNotIn(other, one)
  }),
  rule(/^((lookup|edit)_living_document|lookup_context\.living_doc)\.sections\.count$/, () => 1),
]
