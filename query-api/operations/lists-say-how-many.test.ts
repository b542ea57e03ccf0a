import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { registry } from './registry.ts'

/** What a JSON schema is read as. */
interface Schema {
  readonly type?: unknown
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly anyOf?: readonly Schema[]
  readonly allOf?: readonly Schema[]
  readonly maxItems?: number
}

/** A list of an answer, by the object that it stands in. */
interface List {
  readonly operation: string
  /** As `.items[].claims`. */
  readonly path: string
  readonly name: string
  /** The fields beside it, and those of the answer. */
  readonly beside: Readonly<Record<string, Schema>>
  readonly answer: Readonly<Record<string, Schema>>
  readonly isPaged: boolean
}

const partsOf = ({ anyOf = [], allOf = [] }: Schema): readonly Schema[] => [...anyOf, ...allOf]

/** The fields of an object, those of its parts too. */
const fieldsOf = (schema: Schema): Readonly<Record<string, Schema>> =>
  Object.assign({}, schema.properties, ...partsOf(schema).map(fieldsOf))

const isInteger = (schema: Schema | undefined): boolean =>
  schema !== undefined && (schema.type === 'integer' || partsOf(schema).some(isInteger))

const listsOf = (operation: { name: string; output: Schema; input: Schema }): readonly List[] => {
  const found = new Map<string, List>()
  const answer = fieldsOf(operation.output)
  const walk = (schema: Schema, path: string, beside: List['beside']): void => {
    const name = path.slice(path.lastIndexOf('.') + 1)
    if (schema.type === 'array' && schema.maxItems === undefined) {
      const isPaged = path === '.items' && 'cursor' in fieldsOf(operation.input)
      found.set(path, { operation: operation.name, path, name, beside, answer, isPaged })
    }
    if (schema.items !== undefined) walk(schema.items, `${path}[]`, {})
    for (const part of partsOf(schema)) walk(part, path, beside)
    const fields = fieldsOf(schema)
    for (const [field, inner] of Object.entries(fields)) walk(inner, `${path}.${field}`, fields)
  }
  walk(operation.output, '', {})
  return [...found.values()]
}

const lists = [...registry.values()].flatMap(({ name, input, output }) =>
  listsOf({ name, input: input as Schema, output: output as Schema }),
)

/** A number beside the list that says how many there are, by its name. */
const isCounted = ({ name, beside }: List): boolean => {
  const one = name.endsWith('ies') ? `${name.slice(0, -3)}y` : name.replace(/s$/, '')
  const counts = name === 'items' ? ['count'] : [`${name}_count`, `${one}_count`]
  return counts.some(count => isInteger(beside[count]))
}

/** A list, known by its name and by its operation or a field beside it; one that stands alone by neither. */
type Rule = readonly [list: string, beside: string, said: string]

/** The number that says how many there are, where its name does not say so: beside the list, or in the answer. */
const COUNTED: readonly Rule[] = [
  ['top_claims', 'recommended_next_tools', 'counts.open_claims'],
  ['solutions', 'recommended_next_tools', 'counts.open_solutions'],
  ['recent_signals', 'recommended_next_tools', 'counts.signals'],
  ['transitions', 'by_state', 'changes'],
  ['terms', 'actors', 'actors'],
  ['speakers', 'actors', 'signals'],
  ['points', 'cited', 'cited'],
  ['repeats', 'all_repeats_call', 'occurrences'],
  ['repeats', 'matched', 'occurrences'],
  ['repeats', 'previous_evidence', 'signals'],
  ['pairs', 'more_pairs', 'count'],
  ['more_pairs', 'pairs', 'count'],
  ['proposal_ids', 'survivor', 'count'],
  ['changes', 'decision', 'count'],
  ['objects', 'other_objects', 'other_objects'],
  ['items', 'kinds', 'waiting'],
  ['duplicate_lines', 'duplicates', 'duplicates'],
  ['changed_rows', 'changed', 'changed'],
  ['lines', 'reason', 'count'],
  ['samples', 'rows', 'rows'],
]

/** Lists that `meta.note` names where they are cut, by `createCutLists`; `CUT` is where each is taken. */
const NOTED: readonly (readonly [list: string, beside: string])[] = [
  ['merged_references', 'kept_apart'],
  ['merges', 'kept_apart'],
  ['kept_apart', 'kept_apart'],
  ['answering_solutions', 'kept_apart'],
  ['strategy', 'kept_apart'],
  ['notes', 'kept_apart'],
  ['notes', 'placement'],
  ['notes', 'children'],
  ['children', 'texts'],
  ['metrics', 'subtree_signals'],
  ['items', 'reading_note'],
  ['answered_claims', 'placement'],
  ['decisions', 'placement'],
  ['proposed_handoffs', 'placement'],
  ['handoffs', 'placement'],
  ['accounts', 'placement'],
  ['groups', 'last_hour'],
  ['groups', 'lookup_proposals'],
  ['items', 'automatic_mail'],
]
/** What a list is called in the note, where it is called otherwise. */
const IN_THE_NOTE: Readonly<Record<string, string>> = { 'items of reading_note': 'evidence' }

/** Lists that are answered whole, or hold what nobody would count, with the reason why they have no end to tell. */
const WHOLE: readonly Rule[] = [
  ['items', 'user_name', 'a person is a member of few workspaces'],
  ['items', 'is_administrator', 'an installation has few administrators'],
  ['items', 'your_role', 'a workspace has a quota of members'],
  ['items', '', 'keys, invitations, dependencies and tests: a quota or the code bounds each'],
  ['items', 'decision', 'one for each Solution that the input names'],
  ['about', 'statement', 'what the input names'],
  ['added', 'there_already', 'one for each node that the input names'],
  ['there_already', 'added', 'one for each node that the input names'],
  ['nodes', 'placed', 'the nodes that the input names'],
  ['items', 'unplaced', 'one for each node of the map that a Signal is near to'],
  ['signals', 'unchanged', 'the Signals that the input names'],
  ['merges', 'undone', 'one for each proposal that the input names'],
  ['undone', 'unchanged', 'one for each kind of thing that was undone'],
  ['solutions', 'reversed', 'whatever the one Decision changed'],
  ['elements', 'reversed', 'whatever the one Decision changed'],
  ['not_reversed', 'changed', 'fields of one object'],
  ['mentions', 'is_own', 'members whom one comment names'],
  ['claims', 'classification_confidence', 'all claims of one Signal'],
  ['claims', 'signal_origin', 'all claims of one Solution that one Signal is evidence of'],
  ['merged_from', 'attached_by', 'all of one piece of evidence'],
  ['rejected_candidates', 'attached_by', 'all that were kept when it was decided, ten at most'],
  ['rejected_candidates', 'merged_by', 'all that were kept when it was decided, ten at most'],
  ['rejected_candidates', 'undone_by', 'all that were kept when it was decided, ten at most'],
  ['groups', 'roadmap', 'all groups of one Solution'],
  ['strategy', 'roadmap', 'all elements that one Solution is linked with'],
  ['transitions', 'state', 'the states that one state leads to'],
  ['by_state', 'state', 'one for each state'],
  ['by_state', 'solutions', 'one for each state'],
  ['by_state', 'stuck', 'one for each state'],
  ['stuck', 'by_state', 'how many are stuck stands at each state of by_state'],
  ['groups', 'analyze_claims', 'one for each kind and state'],
  ['groups', 'analyze_solutions', 'one for each state'],
  ['groups', 'job_id', 'one for each step, fault and class of what the input selects, whole: it is what is decided on'],
  ['columns', 'list_board', 'one for each state'],
  ['columns', 'preview_import', 'the columns of a file that was uploaded'],
  ['names', 'count', 'the first five, beside how many there are'],
  ['by_classification', 'time_series', 'one for each classification'],
  ['time_series', 'by_classification', 'all parts of the time'],
  ['layers', 'count', 'one for each layer'],
  ['horizons', 'count', 'one for each horizon'],
  ['signals', 'term', 'the heaviest ten of an actor: weight and term say what all of them weigh'],
  ['points', 'direction', 'the newest of a series that goes on: read_metric_points counts it'],
  ['path', 'name', 'names from the root to the node'],
  ['named', 'reference', 'the first two of what a Decision is about: the look-up of one has all of it'],
  ['examples', 'examples_truncation', 'examples_truncation says what is left out'],
  ['metrics', 'subtree_signals', 'all metrics of a node, of which the look-up of one names what it leaves out'],
  ['section', 'edit', 'the headings that lead to one section'],
  ['items[]', '', 'the headings that lead to one section'],
  ['parts', 'omitted_characters', 'characters and omitted_characters say how much there is'],
  ['last_hour', 'paused', 'one for each step'],
  ['paused', 'last_hour', 'one for each step'],
  ['steps', 'processors', 'one for each step of the pipeline'],
  ['steps', 'receipt', 'all that the activity knows of one Signal'],
  ['steps', 'is_shown', 'the first steps'],
  ['steps', 'created_by', 'what to do, one after the other'],
  ['lanes', 'paused_with', 'the two lanes'],
  ['paused_with', 'lanes', 'steps of one segment'],
  ['queues', 'processors', 'one for each topic'],
  ['dead_letters', 'replays', 'one for each step at which one Signal died'],
  ['from_steps', 'step_attempts', 'steps of the pipeline'],
  ['from_steps', 'error_class', 'steps of the pipeline'],
  ['other_steps', 'from_steps', 'steps of the pipeline'],
  ['step_attempts', 'from_steps', 'all that the activity knows of one Signal'],
  ['reasons', 'verdict', 'one for each check of the ledger'],
  ['differences', 'verdict', 'one for each end of a Signal'],
  ['only_in_postgres', 'end', 'examples: inserted, occurrences and dead say how many each store has'],
  ['only_in_clickhouse', 'end', 'examples: inserted, occurrences and dead say how many each store has'],
  ['reasons', 'recent', 'one for each reason that is named'],
  ['reasons', 'refused', 'one for each reason'],
  ['recent', 'reasons', 'the last 15 requests: the counts of the last day stand beside the source'],
  ['refusals', 'hour', 'one for each reason'],
  ['refusals_last_day', 'last_seen_at', 'one for each reason'],
  ['kinds', 'waiting', 'one for each kind of automatic mail'],
  ['setup', 'url', 'steps, one after the other'],
  ['effects', 'is_applied', 'what one change means, sentence by sentence'],
  ['fields', 'absent', 'the fields of a mapping'],
  ['absent', 'fields', 'the fields of a mapping'],
  ['violations', 'accepted', 'what is wrong with one example, as a caller is told it'],
  ['recommended_next_tools', 'counts', 'the five most pressing of a few that the code knows'],
  ['sources', 'count_is_partial', 'choices for the app, among the newest'],
  ['account', 'revenue', 'choices for the app, among the newest'],
  ['plan', 'revenue', 'choices for the app, among the newest'],
  ['language', 'revenue', 'choices for the app, among the newest'],
  ['tag', 'revenue', 'choices for the app, among the newest'],
  ['common', 'bar', 'those in the texts of the page'],
  ['counts', 'proof', 'one for each table'],
  ['proof', 'counts', 'one for each store that was searched'],
  ['actors', 'repeats_of_others', 'whom to choose from: fifty are told, and to name somebody more closely'],
  ['mentions', 'repeats_of_others', 'one for each table'],
  ['owners', 'members', 'all owners of a workspace'],
  ['to_transfer', 'deleted', 'workspaces of one person'],
  ['deleted', 'to_transfer', 'workspaces of one person'],
  ['metrics', 'time_zone', 'counted by metric_count in every review since it is kept'],
  ['tables', 'assay_export', 'one for each table'],
  ['columns', 'rows', 'the columns of a table'],
  ['orders', 'example', 'ways to read one date'],
  ['sample', 'columns', 'the first records of a file, to look at'],
]

const matches = (list: List, [name, beside]: readonly [string, string, ...string[]]): boolean =>
  list.name === name &&
  (beside === list.operation || beside in list.beside || (beside === '' && Object.keys(list.beside).length <= 1))

/** The integer at a path of the fields beside the list, or of the answer. */
const numberAt = (fields: List['beside'], path: string): boolean => {
  const [name = '', ...rest] = path.split('.')
  const field = fields[name]
  if (field === undefined) return false
  return rest.length === 0 ? isInteger(field) : numberAt(fieldsOf(field), rest.join('.'))
}

const said = (list: List): boolean =>
  list.isPaged || isCounted(list) || [...COUNTED, ...NOTED, ...WHOLE].some(rule => matches(list, rule))

test('every list of every answer goes on by pages, says how many there are, or is whole for a reason', () => {
  assert.ok(lists.length > 200, `${lists.length} lists`)
  assert.deepEqual(
    lists.filter(list => !said(list)).map(({ operation, path }) => `${operation}${path}`),
    [],
  )
})

test('a list that nothing is said of fails', () => {
  const list = { type: 'array', items: { type: 'string' } }
  const output = (fields: object): Schema => ({ properties: { something: { properties: { ...fields } } } }) as Schema
  const unsaid = (fields: object) =>
    listsOf({ name: 'look', input: {}, output: output(fields) }).filter(one => !said(one)).length
  const count = { type: 'integer' }
  assert.equal(unsaid({ lessons: list }), 1)
  assert.equal(unsaid({ lessons: list, lesson_count: { type: 'string' } }), 1)
  assert.equal(unsaid({ lessons: list, lesson_count: count }), 0)
  assert.equal(unsaid({ lessons: { ...list, maxItems: 5 } }), 0)
  assert.equal(unsaid({ items: list, lesson_count: count }), 1)
  assert.equal(unsaid({ items: list, count }), 0)
})

test('every rule is that of a list, and every number that a rule names is answered', () => {
  const stale = [...COUNTED, ...NOTED, ...WHOLE].filter(rule => !lists.some(list => matches(list, rule)))
  assert.deepEqual(stale, [])
  const missing = COUNTED.flatMap(rule =>
    lists
      .filter(list => matches(list, rule) && !numberAt(list.beside, rule[2]) && !numberAt(list.answer, rule[2]))
      .map(({ operation, path }) => `${operation}${path} has no ${rule[2]}`),
  )
  assert.deepEqual(missing, [])
})

test('every list that a note names where it is cut is taken by what writes the note', () => {
  const folder = import.meta.dirname
  const files = globSync('*/*.ts', { cwd: folder }).filter(file => !file.endsWith('.test.ts'))
  const code = files.map(file => readFileSync(join(folder, file), 'utf8')).join('\n')
  const taken = new Set([...code.matchAll(/\b(?:take|listed)\(\s*'([\w.]+)'/g)].map(([, name]) => name))
  for (const [name, beside] of NOTED) {
    const inTheNote = IN_THE_NOTE[`${name} of ${beside}`] ?? name
    assert.ok(taken.has(inTheNote), `${name} beside ${beside}`)
  }
})
