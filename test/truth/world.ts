import { eventually } from '../../infra/runtime/testing.ts'
import { DAY_MS, HOUR_MS } from '../../schemas/domain/durations.ts'
import { likeness, UNREADABLE } from '../contract/models.ts'
import { sendConnected } from '../contract/senders.ts'
import { type Agent, agentOf } from '../support/agent.ts'
import { type CreatedSource, type Person, signUp } from '../support/person.ts'
import { post } from '../support/sender.ts'
import type { Json } from './numbers.ts'
import type { Said, TrueClaim, Truth } from './truth.ts'

export interface World {
  readonly person: Person
  readonly agent: Agent
  readonly truth: Truth
}

const NODE = 'Exports'

/** What is said, by its kind, so that the classifier has no doubt. */
const TEXTS = {
  problem: (about: string) => `The ${about} is broken, it fails with an error for everybody.`,
  idea: (about: string) => `It would be great if we could have a ${about} in the calendar.`,
  question: (about: string) => `How do I turn on the ${about}?`,
} as const
type Kind = keyof typeof TEXTS
const KINDS: readonly Kind[] = ['problem', 'idea', 'question']

/** Names of things that share no word with each other. */
const thingOf = (place: number): string => `w${(place * 7919 + 13).toString(36)}x`

const PEOPLE = 19
const ORIGINS = ['customer', 'internal', 'operational'] as const

/** Sends a signal and keeps what is true of it. */
const say = async (
  { truth, source }: { readonly truth: Truth; readonly source: CreatedSource & { readonly label: string } },
  given: Pick<Said, 'text' | 'fate' | 'classification'> & Partial<Said>,
): Promise<Said> => {
  const place = truth.said.length
  const person = place % PEOPLE
  const said: Said = {
    id: '',
    actor: `person.${person}@example.com`,
    actorName: `Person ${person}`,
    source: `desk ${place % 3}`,
    channel: 'connection',
    origin: ORIGINS[place % 3] ?? 'customer',
    occurredAt: Math.floor((Date.now() - 2 * DAY_MS - place * 7 * HOUR_MS) / 1000) * 1000,
    original: null,
    state: 'triage',
    node: null,
    ...given,
  }
  const { status, body } = await sendConnected(source, {
    text: said.text,
    source: said.source,
    actor_name: said.actorName,
    actor_email: said.actor,
    signal_origin: said.origin,
    occurred_at: new Date(said.occurredAt).toISOString(),
  })
  if (status !== 200) throw new Error(`A signal was answered ${status}: ${JSON.stringify(body)}`)
  const kept = { ...said, id: String(body.snippet_id) }
  truth.said.push(kept)
  return kept
}

/** Resolves when everything that was received has come to its end in both stores. */
const settled = (person: Person, truth: Truth): Promise<unknown> =>
  eventually(
    'everything that was said has ended',
    async () => {
      const ledger = await person.call<Json>('read_ledger')
      const count = truth.said.filter(({ fate }) => fate !== 'test').length
      return (
        ledger.received === count && ledger.in_progress === 0 && ledger.inserted.clickhouse === ledger.inserted.postgres
      )
    },
    120_000,
  )

/** A workspace that is made as senders, agents and people make one. */
export const makeWorld = async (baseUrl: string, size: number): Promise<World> => {
  const person = await signUp(baseUrl)
  const agent = await agentOf(person)
  const truth: Truth = {
    said: [],
    claims: new Map(),
    solutions: new Map(),
    counts: { sources: 1, nodes: 1, proposals: 0 },
  }
  const source = (await agent.call<CreatedSource>('service_connect', { mode: 'create', name: 'Survey' })).data
  const node = (
    await agent.call<Json>('service_map', { mode: 'add_node', name: NODE, description: likeness('exports') })
  ).data
  const from = { truth, source: { ...source, label: 'Survey' } }

  for (let place = 0; place < size; place += 1) {
    const kind = KINDS[place % KINDS.length] ?? 'problem'
    const anchored = place % 4 === 0
    const text = `${TEXTS[kind](thingOf(place))}${anchored ? ` ${likeness('exports', 0.85)}` : ''}`
    await say(from, { text, fate: 'signal', classification: kind, node: anchored ? node.id : null })
  }
  await settled(person, truth)
  const originals = [...truth.said]
  for (const original of originals.filter((_, place) => place % 5 === 0)) {
    await say(from, { text: original.text, fate: 'repeat', original, classification: original.classification })
    await say(from, { text: original.text, fate: 'repeat', original, classification: original.classification })
  }
  await say(from, { text: `This one is ${UNREADABLE}.`, fate: 'dead letter', classification: 'unclassified' })
  const test = await agent.call<Json>('service_connect', { mode: 'test', id: source.id })
  const headers = JSON.parse(JSON.stringify(test.data.headers).replace('{secret}', source.secret))
  await post(test.data.url, test.data.body, headers)
  await settled(person, truth)
  await learnClaims(person, truth)
  return { person, agent, truth }
}

/** Which claim each problem and idea started: their names are the service's to give. */
const learnClaims = async (person: Person, truth: Truth): Promise<void> => {
  for (const said of truth.said) {
    if (said.fate !== 'signal' || said.classification === 'question') continue
    const reference = await eventually(`the claim of ${said.text}`, async () => {
      const { signal } = await person.call<Json>('lookup_signal', { id: said.id })
      return (signal.claims[0]?.reference as string | undefined) ?? null
    })
    const claim: TrueClaim = { reference, evidence: new Set([said]), mergedInto: null }
    truth.claims.set(reference, claim)
  }
}
