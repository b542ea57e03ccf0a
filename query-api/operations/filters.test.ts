import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type AssayError, isAssayError } from '../../infra/runtime/errors.ts'
import { newId } from '../../schemas/domain/ids.ts'
import { assertGrowth, FLOOR_MS } from '../../test/cost/measure.testing.ts'
import type { Operation } from './define.ts'
import { registry } from './registry.ts'
import type { Workspace } from './testing.ts'
import { type ActivityKit, startOperationsWithActivity } from './testing-activity.ts'
import { idFieldsOf, type OwnIds, sampleInput } from './testing-reach.ts'
import { firstOf, seedEverything } from './testing-seed.ts'

const WORD = 'harmonica'
/** No schema, no vocabulary and no row has it. */
const NOTHING = 'qzx nothing'

/**
 * Texts that name nothing: what is looked for by its words, or becomes a title; times and cursors are refused by their
 * own tests.
 */
const NO_NAMES = new Set([
  'query',
  'text',
  'title',
  'cursor',
  'since',
  'token',
  'markdown',
  'reason',
  'reader_language',
])

interface Schema {
  readonly type?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: object
}
// TypeBox's schemas are JSON Schema objects; their own types do not say so.
const fieldsOf = (operation: Operation): readonly [string, Schema][] =>
  Object.entries(operation.input.properties as unknown as Record<string, Schema>)

/** A filter of an operation, and the input that has a value in it. */
interface Place {
  readonly operation: Operation
  readonly name: string
  /** What an error must name where there is a closed vocabulary. */
  readonly allowed: readonly string[]
  readonly put: (value: string) => object
}

/** The condition of a list of filters: `filters` of the search and of the activity. */
const inFilters = (operation: Operation, name: string, condition: Schema): Place[] =>
  (condition.properties?.field?.enum ?? []).map(field => ({
    operation,
    name: `${name}.${field}`,
    allowed: [],
    put: value => ({ [name]: [{ field, op: 'in', values: [value] }] }),
  }))

const placesIn = (operation: Operation, [name, schema]: [string, Schema]): Place[] => {
  const words = schema.enum ?? schema.items?.enum
  if (words !== undefined) {
    const put = (value: string) => ({ [name]: schema.items === undefined ? value : [value] })
    return [{ operation, name, allowed: words, put }]
  }
  if (schema.items?.properties?.field !== undefined) return inFilters(operation, name, schema.items)
  if (schema.patternProperties !== undefined && name === 'metadata') {
    return [{ operation, name, allowed: [], put: value => ({ [name]: { subject: value } }) }]
  }
  return schema.type === 'string' && !NO_NAMES.has(name)
    ? [{ operation, name, allowed: [], put: value => ({ [name]: value }) }]
    : []
}

/** Reads select by their inputs; of writes, those that say which dead letters they mean. */
const selects = ({ effect, name }: Operation): boolean => effect === 'read' || name.endsWith('dead_letters')

const places: readonly Place[] = [...registry.values()]
  .filter(selects)
  .flatMap(operation => fieldsOf(operation).flatMap(field => placesIn(operation, field)))

let kit: ActivityKit
let workspace: Workspace
let own: OwnIds
let source: { readonly id: string; readonly name: string }

/** What an object of the seed is called: the answers must not depend on it. */
let called: Readonly<Record<string, readonly string[]>>

before(async () => {
  kit = await startOperationsWithActivity()
  workspace = await kit.workspace()
  await seedEverything(kit, workspace, WORD)
  own = await firstOf(kit, workspace)
  source = (await workspace.inApp('create_source', { kind: 'connection', name: 'Desk of harmonicas' })).data
  const { pool } = kit.database
  await pool.query('update signals set source_id = $2, received_at = $3, occurred_at = $3 where workspace_id = $1', [
    workspace.id,
    source.id,
    new Date(kit.now.getTime() - 60_000),
  ])
  await pool.query(
    `update signals set metadata = metadata || '{"locale": "de"}', event = 'Ticket.opened' where workspace_id = $1`,
    [workspace.id],
  )
  await pool.query(
    'insert into group_solutions (workspace_id, group_id, solution_id) select workspace_id, $2, id from solutions where workspace_id = $1',
    [workspace.id, own.groups],
  )
  await kit.record(
    workspace.id,
    { kind: 'signal.received', source_id: source.id, source: 'a label' },
    { step: 'insert', outcome: 'next', subject_id: own.signals ?? '' },
    { kind: 'tool.call', actor: workspace.caller.userId, channel: 'key' },
  )
  const one = [own.claims ?? '', 'CLM-1', `the ${WORD} HANGS`]
  const node = [own.map_nodes ?? '', `${WORD} node`, `${WORD.toUpperCase()} node`]
  const group = [own.groups ?? '', `${WORD} group`]
  const label = [WORD, WORD.toUpperCase()]
  called = {
    'list_signals.node_id': node,
    'list_signals.claim_id': one,
    'lookup_proposals.claim_id': one,
    'list_merge_groups.claim_id': one,
    'list_merge_log.claim_id': one,
    'list_signals.source': [source.id, 'desk OF harmonicas'],
    'list_signals.actor_name': label,
    'list_signals.event': ['ticket.opened', 'Ticket.OPENED'],
    'list_signals.language': ['de', 'DE'],
    'list_signals.metadata': label,
    'lookup_backlog.group_id': group,
    'list_board.group_id': group,
    'lookup_decision.about': [own.solutions ?? '', 'SOL-1', `mend the ${WORD}`],
    'lookup_search.filters.node': node,
    'lookup_search.filters.claim': one,
    'lookup_search.filters.group': group,
    'lookup_search.filters.source': [source.id, 'Desk of harmonicas'],
    'lookup_search.filters.actor': label,
    'analyze_activity.filters.node': node,
    'analyze_activity.filters.claim': one,
    'analyze_activity.filters.source': [source.id, 'desk of HARMONICAS'],
    'analyze_activity.filters.actor': [workspace.caller.userId, workspace.caller.userName],
  }
})
after(() => kit.stop())

const required = (operation: Operation): object => ({
  ...sampleInput(operation, own),
  ...(operation.name === 'lookup_search' ? { query: `${WORD} hangs` } : {}),
  ...(operation.name === 'list_signals' ? { limit: 20 } : {}),
  ...(operation.name === 'list_merge_log' ? { kind: 'merged' } : {}),
})

const refusal = async (operation: Operation, input: object): Promise<AssayError> => {
  try {
    const { data } = await workspace.run(operation, { ...required(operation), ...input })
    return assert.fail(`${operation.name} ${JSON.stringify(input)} answers ${JSON.stringify(data).slice(0, 200)}`)
  } catch (error) {
    if (isAssayError(error)) return error
    throw error
  }
}

/** Ids that an operation is about have a refusal of their own: which call lists what there is. */
const NEXT =
  /It takes |nearest that there are: |There is no |[Cc]all again|[Ff]ind it|lists? |shows |No (event|Signal|job|import)|Keys that/

describe('A filter never lies', () => {
  it('refuses a value that names nothing, with those that are allowed or the nearest', async () => {
    assert.ok(places.length > 70, String(places.length))
    for (const { operation, name, allowed, put } of places) {
      const error = await refusal(operation, put(NOTHING))
      const where = `${operation.name}.${name}: ${error.publicMessage}`
      assert.ok(['invalid_input', 'not_found'].includes(error.code), where)
      for (const word of allowed) assert.ok(error.publicMessage.includes(word), `${where} leaves ${word} out`)
      const isId = idFieldsOf(operation).some(field => field.name === name)
      if (allowed.length === 0 && !isId) assert.match(error.publicMessage, NEXT, where)
      if (isId) assert.ok(['invalid_input', 'not_found'].includes((await refusal(operation, put(newId()))).code), where)
    }
  })

  it('answers alike by id, reference and name', async () => {
    for (const { operation, name, put } of places) {
      const values = called[`${operation.name}.${name}`]
      if (values === undefined) continue
      const answers = []
      for (const value of values) {
        const { data } = await workspace.run(operation, { ...required(operation), ...put(value) })
        answers.push(JSON.stringify(data))
        const { count, items } = data as { count?: number; items: { metrics?: { count: number } }[] }
        assert.ok(
          (items[0]?.metrics?.count ?? count ?? items.length) > 0,
          `${operation.name}.${name} finds nothing by ${value}`,
        )
      }
      assert.equal(
        new Set(answers).size,
        1,
        `${operation.name}.${name} differs by how it is called: ${answers.join('\n')}`,
      )
    }
  })

  it('has a name to try for every filter that takes one', () => {
    const named = places.filter(
      ({ name, allowed }) => allowed.length === 0 && /node|claim|group|source|actor(_name)?$|event|about/.test(name),
    )
    const untried = named.map(({ operation, name }) => `${operation.name}.${name}`).filter(place => !(place in called))
    assert.deepEqual(untried, [])
  })
})

/**
 * What senders may write for a filter to stumble over: names alike but for their ends, as long as they may be, each
 * another's own.
 */
const fillWithNames = async (size: number): Promise<Workspace> => {
  const filled = await kit.workspace()
  const alike = `'${'the same beginning '.repeat(9)}' || place`
  await kit.database.pool.query(
    `insert into signals (id, workspace_id, number, channel, text, text_hash, source, actor_name, metadata, signal_origin, actor_role,
       occurred_at, received_at, classification, classification_confidence, classification_version)
     select gen_random_uuid(), $1, place, 'webhook', ${alike}, sha256((${alike})::bytea), ${alike}, ${alike},
       jsonb_build_object('subject', ${alike}, 'account', ${alike}, 'key ' || place, place),
       'customer', 'user', $3, $3, 'problem', 1, 'test'
     from generate_series(1, $2::integer) as place`,
    [filled.id, size, new Date(kit.now.getTime() - 60_000)],
  )
  const records = Array.from({ length: size }, (_, place) => {
    const name = `${'the same beginning '.repeat(9)}${place}`
    return { source: name, actor: name, reason: name, tool: name, outcome: name, mode: name }
  })
  await kit.record(filled.id, ...records)
  return filled
}

describe('A filter by a value that senders made costs', () => {
  it('by how much there is to look at, and no more than that', async () => {
    const LIMIT = 1200
    const workspaces = new Map<number, Workspace>()
    for (const size of [LIMIT / 4, LIMIT / 2, LIMIT]) workspaces.set(size, await fillWithNames(size))
    const value = `${'the same beginning '.repeat(9)}x`
    const costOf = async ({ operation, put }: Place, size: number): Promise<number> => {
      const input = { ...required(operation), ...put(value) }
      const began = process.cpuUsage()
      await workspaces
        .get(size)
        ?.run(operation, input)
        .catch(() => null)
      const { user, system } = process.cpuUsage(began)
      return (user + system) / 1000
    }
    const free = places.filter(({ allowed }) => allowed.length === 0)
    assert.ok(free.length > 40, String(free.length))
    for (const place of free) {
      await costOf(place, LIMIT)
      if ((await costOf(place, LIMIT)) < FLOOR_MS) continue
      await assertGrowth(`${place.operation.name}.${place.name}`, LIMIT, size => costOf(place, size))
    }
  })
})
