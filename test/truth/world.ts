import { DAY_MS } from '../../schemas/domain/durations.ts'
import { likeness } from '../contract/models.ts'
import { type Agent, agentOf } from '../support/agent.ts'
import { type CreatedSource, type Person, signUp } from '../support/person.ts'
import { post } from '../support/sender.ts'
import { buildSolutions, decideInTriage, eraseSome, mergeClaims, pairOf } from './decided.ts'
import type { Json } from './numbers.ts'
import type { Asked } from './rules.ts'
import { push, sayAgain, sayInVain, saySignals, settled } from './said.ts'
import { type Said, signalsOf, type TrueClaim, type Truth } from './truth.ts'
import { correct, finishOne, keepAll } from './worked.ts'

export interface World {
  readonly person: Person
  readonly agent: Agent
  readonly truth: Truth
}

export const NODE = 'Exports'
const NODE_BELOW = 'Spreadsheets'
/** The points of the metric, the oldest first: how many days ago, and the value. */
const POINTS = [
  [150, 7],
  [20, 9],
  [5, 12],
] as const

/** What the metric should reach. */
export const TARGET = 10

const emptyTruth = (): Truth => ({
  said: [],
  claims: new Map(),
  solutions: new Map(),
  refused: new Map(),
  sourceNames: new Map(),
  nodes: new Map(),
  merges: 0,
  keptApart: new Set(),
  emptiedClaims: 0,
  followedClaims: 0,
  erasures: [],
  decidedFirst: [],
  comments: new Map(),
  decisions: 0,
  moves: 0,
  outcomes: [],
  madeAt: Date.now(),
  review: null,
  codeHostEvents: 0,
  metricPoints: [],
})

/**
 * A workspace that is made as senders, agents and people make one, of so many signals. `check` takes what each write
 * answered, once the truth is changed as the write changes the workspace.
 */
export const makeWorld = async (baseUrl: string, size: number, check: (asked: Asked) => void): Promise<World> => {
  const person = await signUp(baseUrl)
  const agent = await agentOf(person)
  const truth = emptyTruth()
  const create = (kind: string, more: object = {}) =>
    person.call<CreatedSource>('create_source', { kind, name: `A ${kind}`, ...more })
  const connection = (await agent.call<CreatedSource>('service_connect', { mode: 'create', name: 'Survey' })).data
  const [webhook, metric, codeHost] = [
    await create('signal'),
    await create('metric'),
    await create('code_host', { code_host: 'github' }),
  ] as const
  for (const [name, { id }] of Object.entries({
    Survey: connection,
    'A signal': webhook,
    'A metric': metric,
    'A code_host': codeHost,
  }))
    truth.sourceNames.set(name, id)
  const act = async (operation: string, input: object, change: (data: Json, id: string) => void = () => {}) => {
    const { data, meta } = await callWithMeta(person, operation, input)
    change(data, meta.change_id)
    if ('comment' in input || 'reason' in input) keepDecision(operation, input, truth)
    check({ operation, input, via: 'app', data, truth, at: Date.now() })
    return data
  }
  const node = await act('add_map_node', { name: NODE, description: likeness('exports') }, () => {
    truth.nodes.set(NODE, null)
  })
  await act('add_map_node', { name: NODE_BELOW, parent_id: node.id }, () => {
    truth.nodes.set(NODE_BELOW, NODE)
  })
  await act('bind_metric', { id: node.id, metric_id: metric.id, direction: 'up_is_good', target: TARGET })
  for (const [daysAgo, value] of POINTS) {
    const day = new Date(Date.now() - daysAgo * DAY_MS).toISOString().slice(0, 10)
    await post(metric.url, JSON.stringify({ value, date: day }), { authorization: `Bearer ${metric.secret}` })
    truth.metricPoints.push({ day, value })
  }

  const saying = { truth, connection, webhook, codeHost }
  await saySignals(saying, size, NODE)
  await settled(person, truth)
  await sayAgain(saying)
  await sayInVain(saying, person, 5)
  await push(saying)
  await settled(person, truth)
  await learnNames(person, truth)
  requireClaims(truth)
  await learnKeptApart(person, truth)

  await decideInTriage(act, truth)
  await mergeClaims(act, truth)
  await buildSolutions(act, truth)
  await correct(act, truth)
  await finishOne(act, truth)
  const workspaces = await person.call<Json>('list_workspaces')
  await eraseSome(act, truth, {
    workspace: workspaces.items[0].name,
    erasure: async id => (await person.call<Json>('list_erasures')).items.find((one: Json) => one.id === id),
    actorsOf: async address => {
      const found = await person.call<Json>('preview_erasure', { person: { address, name: null } })
      return found.actors.map((one: Json) => one.actor)
    },
  })
  await settled(person, truth)
  await learnNames(person, truth)
  await keepAll(act, truth)
  return { person, agent, truth }
}

/** A comment or a reason is a Decision, about every Solution that the call names or makes. */
const keepDecision = (operation: string, input: object, truth: Truth): void => {
  truth.decisions += 1
  const named = new Set(Object.values(input).flat())
  const solutions = [...truth.solutions.values()]
  for (const solution of solutions)
    if (named.has(solution.reference) || (operation === 'create_solution' && solution === solutions.at(-1)))
      solution.decisions += 1
}

const callWithMeta = async ({ baseUrl, cookie }: Person, operation: string, input: object): Promise<Json> => {
  const answer = await fetch(`${baseUrl}/api/app/${operation}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: baseUrl, cookie },
    body: JSON.stringify(input),
  })
  if (!answer.ok) throw new Error(`${operation} answered ${answer.status}: ${await answer.text()}`)
  return answer.json()
}

/** Throws where a problem or an idea started no claim of its own. */
const requireClaims = (truth: Truth): void => {
  const starting = signalsOf(truth).filter(({ classification }) => ['problem', 'idea'].includes(classification))
  const evidence = new Set([...truth.claims.values()].flatMap(claim => [...claim.evidence]))
  const without = starting.filter(said => !evidence.has(said))
  if (without.length === 0 && truth.claims.size === starting.length) return
  throw new Error(`${truth.claims.size} claims of ${starting.length}, none of: ${without.map(({ text }) => text)}`)
}

const claimOf = (reference: string, said: Said): TrueClaim => ({
  reference,
  kind: said.classification === 'idea' ? 'idea' : 'problem',
  evidence: new Set([said]),
  mergedInto: null,
  isDismissed: false,
})

/** Every item of a list, page by page. */
const allOf = async (person: Person, operation: string, input: object = {}): Promise<readonly Json[]> => {
  const items: Json[] = []
  for (let cursor: string | null | undefined; cursor !== null; ) {
    const { data, meta } = await callWithMeta(person, operation, { ...input, ...(cursor !== undefined && { cursor }) })
    items.push(...data.items)
    cursor = meta.next_cursor
  }
  return items
}

/** What the judge decided is a model's to say. */
const learnKeptApart = async (person: Person, truth: Truth): Promise<void> => {
  for (const { from, into } of await allOf(person, 'list_merge_log', { kind: 'refused', limit: 100 }))
    truth.keptApart.add(pairOf(from.reference, into.reference))
}

/** The names of Signals and of the claims that problems and ideas started: they are the service's to give. */
const learnNames = async (person: Person, truth: Truth): Promise<void> => {
  const byId = new Map(truth.said.map(said => [said.id, said]))
  for (const { id, reference, claims } of await allOf(person, 'list_signals', { limit: 200 })) {
    const said = byId.get(id)
    if (said === undefined) throw new Error(`${reference} was never said.`)
    said.reference = reference
    for (const claim of claims)
      if (!truth.claims.has(claim.reference)) truth.claims.set(claim.reference, claimOf(claim.reference, said))
  }
}
