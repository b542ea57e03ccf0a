import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isAssayError } from '../../infra/runtime/errors.ts'
import { newId, type SourceId } from '../../schemas/domain/ids.ts'
import { tools } from '../tools/index.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import { type OperationsKit, startOperations, type Workspace } from './testing.ts'

const SECRET = 'xylophone'

let kit: OperationsKit
let stranger: Workspace
/** The ids of everything in the other workspace. */
const foreign: Record<string, string> = {}
let ownSolution: string
let ownNode: string
let ownMetric: string
let ownSignal: string
let ownProposal: string

before(async () => {
  kit = await startOperations()
  const other = await kit.workspace()
  stranger = await kit.workspace()

  const { data: node } = await other.call('service_map', 'add_node', { name: `${SECRET} node` })
  const signal = await other.signal({ text: `The ${SECRET} hangs.`, nodeId: node.id })
  const claim = await other.claim(`The ${SECRET} hangs`, [signal])
  const input = { title: `Mend the ${SECRET}`, claim_ids: [claim.id], comment: `Mend the ${SECRET}.` }
  const { data } = await other.call('service_decide', 'create_solution', input)
  Object.assign(foreign, {
    node: node.id,
    signal: signal.id,
    duplicate: await other.occurrence(signal.id),
    claim: claim.id,
    solution: data.solution.id,
    decision: data.decision.id,
    proposal: await other.proposal(claim, await other.claim(`Another ${SECRET}`)),
    dead: await other.deadLetter({ step: 'embed', sealed: false, message: SECRET }),
    metric: await metricOf(other, `${SECRET} metric`),
    // Of the map that just changed.
    job: (await other.call('service_support', 'jobs')).data.items[0].id,
  })

  const own = await stranger.call('service_decide', 'create_solution', { title: 'Own', comment: 'Agreed.' })
  ownSolution = own.data.solution.id
  ownNode = (await stranger.call('service_map', 'add_node', { name: 'Own' })).data.id
  ownMetric = await metricOf(stranger, 'Own metric')
  ownSignal = (await stranger.signal({ text: 'Own signal.', classification: 'question' })).id
  ownProposal = await stranger.proposal(await stranger.claim('Own claim'), await stranger.claim('Another own claim'))
})
after(() => kit.stop())

const metricOf = async (workspace: Workspace, name: string): Promise<SourceId> => {
  const id = newId<SourceId>()
  const values = [id, workspace.id, name]
  await kit.database.pool.query(
    `insert into sources (id, workspace_id, kind, name, secret_hash) values ($1, $2, 'metric', $3, '\\x00')`,
    values,
  )
  return id
}

/** Fields that say which object is meant. */
const identifying = (operation: Operation): string[] =>
  Object.keys(operation.input.properties).filter(
    field => /^(id|about)$|_ids?$/.test(field) || (field === 'query' && operation.name === 'lookup_reference'),
  )

/** Values for what an operation needs beside the field under test, so that nothing else can be why it refuses. */
const usual = (): Readonly<Record<string, unknown>> => ({
  name: 'Own node',
  title: 'Own title',
  statement: 'Own statement.',
  comment: 'Own comment.',
  reason: 'Own reason.',
  text: 'Own text.',
  query: SECRET,
  solution_id: ownSolution,
  id: ownNode,
  metric_id: ownMetric,
  direction: 'up_is_good',
  priority_boost: 2,
})

/** The actions of triage read different fields. */
const actions = (): Readonly<Record<string, readonly object[]>> => ({
  signal_id: [
    { action: 'accept' },
    { action: 'dismiss' },
    { action: 'reclassify', classification: 'idea' },
    { action: 'promote', kind: 'problem' },
    { action: 'undo' },
  ],
  claim_id: [{ action: 'promote', signal_id: ownSignal }, { action: 'undo' }],
  proposal_id: [{ action: 'confirm_merge' }, { action: 'refuse_merge' }, { action: 'undo' }],
  proposal_ids: [{ action: 'confirm_merge' }, { action: 'refuse_merge' }],
  survivor_id: [{ action: 'confirm_merge', proposal_id: ownProposal }],
  decision_id: [{ action: 'undo' }],
})

/** The inputs that name one foreign object in one field. */
const inputsOf = (operation: Operation, field: string, id: string): object[] => {
  const list = 'items' in (operation.input.properties[field] ?? {})
  const value = { [field]: list ? [id] : id }
  if (operation.name === 'triage') return (actions()[field] ?? []).map(action => ({ ...action, ...value }))
  const needed = [...(operation.input.required ?? []), 'comment', 'priority_boost']
  const fields = Object.entries(usual()).filter(
    ([name]) => name in operation.input.properties && needed.includes(name) && name !== field,
  )
  return [{ ...Object.fromEntries(fields), ...value }]
}

const modes = tools.flatMap(tool =>
  Object.entries(tool.modes).map(([mode, operation]) => ({ tool: tool.name, mode, operation })),
)

test('every operation that an agent reaches is in the registry, and every one in it that agents may reach is a mode', () => {
  const reachable = [...registry.values()].filter(({ audience }) => audience === 'everyone').map(({ name }) => name)
  assert.deepEqual(new Set(modes.map(({ operation }) => operation.name)), new Set(reachable))
})

for (const { tool, mode, operation } of modes) {
  const fields = identifying(operation)
  if (fields.length > 0) {
    test(`${tool} ${mode} finds nothing of another workspace by its id`, async () => {
      for (const field of fields) {
        for (const [kind, id] of Object.entries(foreign)) {
          for (const input of inputsOf(operation, field, id)) {
            await assert.rejects(stranger.call(tool, mode, input), error => {
              assert.ok(isAssayError(error), String(error))
              assert.equal(error.code, 'not_found', `${field} of a ${kind}: ${error.publicMessage}`)
              assert.ok(!JSON.stringify([error.publicMessage, error.context]).includes(SECRET))
              return true
            })
          }
        }
      }
    })
  }
  if (operation.effect === 'read' && (operation.input.required ?? []).every(field => field === 'query')) {
    test(`${tool} ${mode} shows nothing of another workspace unasked`, async () => {
      const input = operation.input.required?.includes('query') ? { query: `the ${SECRET}` } : {}
      const answered = await stranger.call(tool, mode, input).catch((error: unknown) => {
        assert.ok(isAssayError(error) && error.code === 'not_found', String(error))
        return error.context
      })
      const text = JSON.stringify(answered)
      assert.ok(!text.includes(SECRET))
      assert.ok(Object.values(foreign).every(id => !text.includes(id)))
    })
  }
}

test('what a stranger tried changed nothing', async () => {
  const { rows } = await kit.database.pool.query(
    `select (select string_agg(distinct state, ' ') from merge_proposals) as proposal, (select version from claims where number = 1 limit 1) as claim,
      (select max(version) from signals) as signal, (select count(*)::int from map_nodes) as nodes,
      (select count(*)::int from metric_bindings) as bindings, (select state from dead_letters) as letter,
      (select count(*)::int from jobs where kind = 'replay') as replays`,
  )
  assert.deepEqual(rows, [
    { proposal: 'waiting', claim: 1, signal: 1, nodes: 2, bindings: 0, letter: 'waiting', replays: 0 },
  ])
})
