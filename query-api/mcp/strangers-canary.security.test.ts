import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createBodyBudget } from '../http/body-budget.ts'
import type { Operation } from '../operations/define.ts'
import { registry } from '../operations/registry.ts'
import { type OperationsKit, startOperations, type Workspace } from '../operations/testing.ts'
import { CHANGES, type Changes, FOR_GOOD, prepareChanges } from '../operations/testing-changes.ts'
import { signalCodec } from '../operations/testing-pipeline.ts'
import { type OwnIds, sampleInput } from '../operations/testing-reach.ts'
import { RARE } from '../operations/testing-seed.ts'
import { createAgentCall } from './strangers-marks.ts'
import { createSurface } from './surface.ts'
import { createToolCall } from './tool-call.ts'

/**
 * A word of its own is planted in every stored column that strangers fill. It is looked for, outside of marks, in
 * every answer of every operation that agents reach: at every depth, of every object, for every change.
 */
const CANARY = 'kestrel'

const CUTS = ['cut_signature', 'cut_quoted', 'cut_footer']
/** Columns whose text comes from senders, their programs, or a model that put their words together. */
const OF_STRANGERS: Readonly<Record<string, readonly string[]>> = {
  actor_weights: ['actor_name', 'source'],
  claim_evidence: ['reason'],
  claims: ['statement', 'title'],
  dead_letters: ['message'],
  handoff_proposals: ['branch', 'repository', 'title', 'url'],
  handoffs: ['repository'],
  jobs: ['message'],
  merge_proposals: ['decided_reason', 'reason'],
  merges: ['reason'],
  occurrences: ['actor_name', 'event', 'metadata', 'source', 'source_url', 'text', ...CUTS],
  product_reviews: ['text'],
  signals: ['actor_name', 'event', 'metadata', 'source', 'source_url', 'text', ...CUTS],
  test_signals: ['text'],
  themes: ['name'],
}

/**
 * The other columns that may hold any text: words of members, and what the service itself writes, seals or derives. A
 * Decision's `change` and a Review's `figures` have the titles of claims as they were read, what an import edited
 * (`was`) is put back and shown as the signal's alone, and a dead letter's `record` is planted by itself.
 */
const OF_OTHERS = `actor_weights.actor audit_log.action audit_log.by_name audit_log.client_address audit_log.detail
  audit_log.key_label audit_log.subject audit_log.subject_id changed_rows.after changed_rows.before changed_rows.key
  changed_rows.table_name changes.action changes.key_label changes.made_by_name changes.operation claim_evidence.actor
  claim_evidence.lost_candidates comments.author_name comments.key_label comments.text dead_letters.error_class
  dead_letters.step dead_letters.topic dead_letters.trace_id decision_objects.change decisions.key_label
  decisions.made_by_name decisions.statement embedding_calibrations.knots embedding_calibrations.model
  erasure_marks.mark erasures.asked_by_name erasures.counts erasures.label erasures.proof groups.name
  handoffs.author_name handoffs.key_label handoffs.url idempotent_answers.answer idempotent_answers.idempotency_key
  idempotent_answers.operation imported_edits.after imported_edits.before imported_edits.was
  invitations.invited_by_name invitations.label jobs.cancelled_by jobs.cursor jobs.input
  jobs.started_by knowledge_notes.author_name knowledge_notes.key_label knowledge_notes.text
  learned_classifiers.beside living_documents.author_name living_documents.key_label living_documents.markdown
  map_node_vectors.model map_nodes.description map_nodes.name map_revisions.model mcp_keys.label mcp_keys.last_four
  merge_proposals.decided_by merge_proposals.found_by merge_proposals.judged_by merges.actor merges.lost_candidates
  merges.undone_by metric_bindings.name node_lessons.moved_by occurrences.actor_email occurrences.actor_key
  occurrences.actor_role occurrences.channel occurrences.signal_origin outbox.activity outcomes.author_name
  outcomes.expectation outcomes.key_label outcomes.observation product_reviews.figures product_reviews.prepared_by
  product_reviews.title retention.set_by_name search_entries.kind search_entries.model signal_counts.classification
  signal_counts.state signal_vectors.model signals.actor_email signals.actor_key signals.classification_version
  snoozes.snoozed_by solutions.summary solutions.title sources.name sources.settings state_changes.from_state
  state_changes.to_state strategy_elements.summary strategy_elements.title test_signals.channel theme_members.language theme_runs.model
  theme_settings.name transfers.encoding transfers.name
  transfers.reading transfers.report transfers.started_by`.split(/\s+/)

/** Shown to people alone, or never: merges show their reason in merge_log, and weights what their signals say. */
const NEVER_SHOWN = ['actor_weights.actor_name', 'actor_weights.source', 'handoffs.repository', 'test_signals.text']

const planted = Object.entries(OF_STRANGERS).flatMap(([table, columns]) => columns.map(column => `${table}.${column}`))
/** No other column's word begins with it. */
const wordOf = (column: string): string => `${CANARY} ${column.replaceAll(/\W|_/g, ' ')}!`

let kit: OperationsKit
let workspace: Workspace
let made: Changes
let own: OwnIds
const seen = new Set<string>()

before(async () => {
  kit = await startOperations()
  workspace = await kit.workspace()
  made = await prepareChanges(kit, workspace)
  for (const statement of RARE) await kit.database.pool.query(statement.replaceAll('$1', `'${workspace.id}'`))
  own = await ownIds()
  await plant()
})
after(() => kit.stop())

/** One id of each table that has any. */
const ownIds = async (): Promise<OwnIds> => {
  const { rows } = await kit.database.pool.query<{ readonly table_name: string }>(
    `select table_name from information_schema.columns c where table_schema = 'public' and column_name = 'id' and data_type = 'uuid'
       and exists (select from information_schema.columns w where w.table_name = c.table_name and w.column_name = 'workspace_id')`,
  )
  const found = { ...made.ids, ...made.prepared } as Record<string, string>
  for (const { table_name } of rows) {
    const select = `select id from ${table_name} where workspace_id = $1 order by id limit 1`
    const [row] = (await kit.database.pool.query(select, [workspace.id])).rows
    if (row) found[table_name] = row.id
  }
  const letters = 'select signal_id as id from dead_letters where workspace_id = $1'
  return { ...found, dead_letters: (await kit.database.pool.query(letters, [workspace.id])).rows[0].id }
}

const plant = async (): Promise<void> => {
  for (const [table, columns] of Object.entries(OF_STRANGERS)) {
    for (const column of columns) {
      const word = wordOf(`${table}.${column}`)
      const value =
        column === 'metadata' ? { [word]: [word] } : column.endsWith('url') ? `https://x.test/${word}` : word
      // A check lets a handoff have one only where it confirms a proposal.
      const only = table === 'handoffs' ? ` and ${column} is not null` : ''
      await kit.database.pool.query(`update ${table} set ${column} = $2 where workspace_id = $1${only}`, [
        workspace.id,
        value,
      ])
    }
  }
  const record = 'select record from dead_letters where workspace_id = $1 and not sealed'
  const [letter] = (await kit.database.pool.query(record, [workspace.id])).rows
  const signal = await signalCodec.decode(letter.record)
  const word = `${CANARY} record`
  const cuts = { cut_signature: word, cut_quoted: word, cut_footer: word }
  const content = {
    ...CONTENT,
    ...cuts,
    text: word,
    source: word,
    actor_name: word,
    event: word,
    metadata: `{"a":"${word}"}`,
  }
  const scrubbed = { version: '2', replaced: {} }
  await kit.database.pool.query('update dead_letters set record = $2 where workspace_id = $1 and not sealed', [
    workspace.id,
    await signalCodec.encode({ ...signal, received: null, content, scrubbed }),
  ])
}

const CONTENT = {
  text_hash: 'a'.repeat(64),
  source_url: null,
  actor_email: null,
  actor_key: null,
  signal_origin: 'customer',
  actor_role: 'user',
  occurred_at: null,
  cut_omitted: null,
} as const

test('every stored column that may hold any text is said to be of strangers or not', async () => {
  const { rows } = await kit.database.pool.query<{ readonly name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
     join information_schema.tables t using (table_schema, table_name)
     where c.table_schema = 'public' and t.table_type = 'BASE TABLE' and c.data_type in ('text', 'json', 'jsonb')
       and exists (select from information_schema.columns w where w.table_name = c.table_name and w.column_name = 'workspace_id')
       and not exists (
         select from pg_constraint k join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any (k.conkey)
         where k.conrelid = c.table_name::regclass and a.attname = c.column_name and k.contype = 'c'
           and pg_get_constraintdef(k.oid) ~ ' = ANY')
     order by 1`,
  )
  assert.deepEqual(
    rows.map(({ name }) => name).filter(name => !planted.includes(name)),
    OF_OTHERS.toSorted(),
  )
})

type Answer = Awaited<ReturnType<ReturnType<typeof createToolCall>>>

/** An answer as an agent gets it. */
const answerOf = async (operation: Operation, input: object): Promise<Answer> => {
  const toolCall = createToolCall(
    createSurface([], registry.values()),
    createAgentCall((called, request) => workspace.run(called, request.input), createBodyBudget()),
  )
  const params = { name: operation.name, arguments: input }
  return toolCall({ caller: workspace.caller, params, idempotencyKey: null, bodyBytes: 0 }).catch(error => ({
    isError: true,
    content: [{ type: 'text', text: String(error) }],
  }))
}

/** Each text of an answer, keys too, with where it stands. */
const textsOf = (value: unknown, at = ''): (readonly [at: string, text: string])[] => {
  if (typeof value === 'string') return [[at, value]]
  if (Array.isArray(value)) return value.flatMap(item => textsOf(item, at))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, inner]) => [[`${at} key`, name], ...textsOf(inner, `${at}.${name}`)])
}

/** Where the canary stands between no marks. Notes which column’s word was seen. */
const bareIn = ({ structuredContent, content }: Answer): string[] =>
  textsOf(structuredContent ?? content).flatMap(([at, text]) => {
    for (const column of planted) if (text.includes(wordOf(column))) seen.add(column)
    const isBare = text.replace(/‹[^‹›]*›/g, '').includes(CANARY)
    return isBare && at !== CSV ? [`${at}: ${text}`] : []
  })

/** A file to save, in which marks would be part of the cells. */
const CSV = '.data.csv'

const DEPTHS = [{}, { depth: 'summary' }, { depth: 'standard' }, { depth: 'full' }]
const fieldsOf = (operation: Operation): Readonly<Record<string, { readonly enum?: readonly string[] }>> =>
  operation.input.properties as ReturnType<typeof fieldsOf>

/** What an operation can be asked: of each object that there is, with each word of `action` and the like. */
const questionsOf = (operation: Operation): object[] => {
  const fields = fieldsOf(operation)
  const usual = { ...sampleInput(operation, own), ...('query' in fields ? { query: CANARY } : {}) }
  const identifying = Object.keys(fields).filter(field => /^(id|about)$|_id$/.test(field))
  const words = Object.entries(fields).flatMap(([field, schema]) =>
    field === 'depth' ? [] : (schema.enum ?? []).map(word => ({ [field]: word })),
  )
  const objects = identifying.flatMap(field => [...new Set(Object.values(own))].map(id => ({ [field]: id })))
  return [{}, ...words, ...objects].map(more => ({ ...usual, ...more }))
}

const ofAgents = [...registry.values()].filter(({ audience }) => audience === 'everyone')

for (const operation of ofAgents.filter(({ effect }) => effect === 'read')) {
  test(`${operation.name} answers what strangers wrote between marks alone, of every object at every depth`, async () => {
    const depths = 'depth' in operation.input.properties ? DEPTHS : [{}]
    let answers = 0
    for (const question of questionsOf(operation)) {
      for (const depth of depths) {
        const answer = await answerOf(operation, { ...question, ...depth })
        if (answer.isError !== true) answers += 1
        assert.deepEqual(bareIn(answer), [], JSON.stringify({ ...question, ...depth }))
      }
    }
    assert.ok(answers > 0, 'every question was refused')
  })
}

test('every column that strangers fill was seen between marks', () => {
  const shown = planted.filter(column => !NEVER_SHOWN.includes(column))
  assert.deepEqual(
    shown.filter(column => !seen.has(column)),
    [],
  )
})

for (const operation of ofAgents.filter(({ effect }) => effect !== 'read')) {
  test(`${operation.name} writes and answers what strangers wrote between marks alone`, async () => {
    const changes = CHANGES.filter(([name]) => name === operation.name)
    const forGood = FOR_GOOD[operation.name]
    assert.ok(changes.length > 0 || forGood !== undefined, 'no change of it is known')
    let answers = 0
    for (const input of [
      ...changes.map(
        ([, input]) =>
          () =>
            input(made),
      ),
      ...(forGood ? [() => forGood(kit, workspace)] : []),
    ]) {
      const answer = await answerOf(operation, await input())
      if (answer.isError !== true) answers += 1
      assert.deepEqual(bareIn(answer), [])
      await plant()
      const { meta } = (answer.structuredContent ?? {}) as { readonly meta?: { readonly change_id?: string } }
      const undo = registry.get('undo_change')
      if (meta?.change_id && undo) assert.deepEqual(bareIn(await answerOf(undo, { change_id: meta.change_id })), [])
    }
    assert.ok(answers > 0, 'every change was refused')
    for (const question of questionsOf(operation).slice(1)) {
      assert.deepEqual(
        bareIn(await answerOf(operation, { comment: 'Agreed.', ...question })),
        [],
        JSON.stringify(question),
      )
    }
  })
}
