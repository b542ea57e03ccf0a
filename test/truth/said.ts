import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../infra/runtime/testing.ts'
import { DAY_MS, HOUR_MS } from '../../schemas/domain/durations.ts'
import { likeness, UNREADABLE } from '../contract/models.ts'
import { deliverEvent, exampleOf, sendConnected } from '../contract/senders.ts'
import type { CreatedSource, Person } from '../support/person.ts'
import { post, type SenderAnswer, sendSignal } from '../support/sender.ts'
import type { Json } from './numbers.ts'
import { type Said, signalsOf, type Truth } from './truth.ts'

/** What is said, by its kind, so that the classifier has no doubt. */
const TEXTS = {
  problem: (about: string) => `The ${about} is broken, it fails with an error for everybody.`,
  idea: (about: string) => `It would be great if we could have a ${about} in the calendar.`,
  question: (about: string) => `How do I turn on the ${about}?`,
} as const
const KINDS = ['problem', 'idea', 'question'] as const

/** Names of things that share no word with each other. */
const thingOf = (place: number): string => `w${(place * 7919 + 13).toString(36)}x`

const PEOPLE = 19
const ORIGINS = ['customer', 'internal', 'operational'] as const
const ACCOUNTS = ['Acme', 'Globex', 'Initech', null] as const

type Given = Pick<Said, 'text' | 'fate' | 'classification'> & Partial<Said>

/** Where things are said, and what is known of it. */
export interface Saying {
  readonly truth: Truth
  readonly connection: CreatedSource
  readonly webhook: CreatedSource
  readonly codeHost: CreatedSource
}

/** How many requests are under way at once. */
const SENDERS = 8

const batches = async <Item>(items: readonly Item[], send: (item: Item) => Promise<unknown>): Promise<void> => {
  for (let from = 0; from < items.length; from += SENDERS)
    await Promise.all(items.slice(from, from + SENDERS).map(send))
}

/** What will be true of the next thing that is said: every tenth comes to the webhook, the others to the connection. */
const nextSaid = ({ truth, connection, webhook }: Saying, given: Given): Said => {
  const place = truth.said.length
  const person = (place * 5) % PEOPLE
  const source = place % 10 === 9 ? webhook : connection
  // Some name themselves and have no address.
  const hasAddress = place % 7 !== 3
  const said: Said = {
    id: '',
    reference: null,
    actor: hasAddress ? `person.${person}@example.com` : null,
    actorName: hasAddress ? `Person ${person}` : `Caller ${person % 4}`,
    account: ACCOUNTS[place % ACCOUNTS.length] ?? null,
    source: `desk ${place % 3}`,
    sourceId: source.id,
    channel: source === webhook ? 'webhook' : 'connection',
    origin: ORIGINS[place % 3] ?? 'customer',
    role: 'user',
    occurredAt: Math.floor((Date.now() - 2 * DAY_MS - place * 5 * HOUR_MS) / 1000) * 1000,
    wasRepeat: given.fate === 'repeat',
    original: null,
    state: 'triage',
    snoozed: false,
    corrected: false,
    discarded: false,
    node: null,
    classifiedAs: given.classification,
    ...given,
  }
  truth.said.push(said)
  return said
}

const send = async ({ connection, webhook }: Saying, said: Said): Promise<void> => {
  const body = {
    text: said.text,
    source: said.source,
    actor_name: said.actorName,
    actor_email: said.actor,
    signal_origin: said.origin,
    occurred_at: new Date(said.occurredAt).toISOString(),
    metadata: said.account === null ? {} : { account: said.account },
  }
  const isWebhook = said.channel === 'webhook'
  keepId(said, await (isWebhook ? sendSignal(webhook, body) : sendConnected(connection, body)))
}

const keepId = (said: Said, { status, body }: SenderAnswer): void => {
  if (status !== 200) throw new Error(`A signal was answered ${status}: ${JSON.stringify(body)}`)
  said.id = String(body.snippet_id)
}

/** The whole account is dear: asked again and again it takes what the pipeline needs to get on. */
const LEDGER_PAUSE_MS = 2000
/** Long after all has ended on a machine that does much else. */
const SETTLED_DEADLINE_MS = 400_000

/** Resolves when everything that was received has come to its end, in both stores. */
export const settled = (person: Person, truth: Truth): Promise<unknown> =>
  eventually(
    'everything that was said has ended',
    async () => {
      await sleep(LEDGER_PAUSE_MS)
      const ledger = await person.call<Json>('read_ledger')
      const isStored = (['inserted', 'occurrences', 'dead'] as const).every(
        end => ledger[end].clickhouse === ledger[end].postgres,
      )
      const counted = truth.said.filter(({ fate }) => fate !== 'test').length
      return isStored && ledger.received + ledger.erased >= counted && ledger.in_progress === 0
    },
    SETTLED_DEADLINE_MS,
  )

/** Sends so many signals, each about something that no other is about; every fourth belongs to the node. */
export const saySignals = async (saying: Saying, count: number, node: string): Promise<void> => {
  const all = Array.from({ length: count }, (_, place) => {
    const kind = KINDS[place % KINDS.length] ?? 'problem'
    const isAnchored = place % 4 === 0
    const text = `${TEXTS[kind](thingOf(place))}${isAnchored ? ` ${likeness('exports', 0.85)}` : ''}`
    return nextSaid(saying, { text, fate: 'signal', classification: kind, node: isAnchored ? node : null })
  })
  await batches(all, said => send(saying, said))
}

/** Says every fifth signal again, some twice and some four times, as others do. */
export const sayAgain = async (saying: Saying): Promise<void> => {
  const originals = signalsOf(saying.truth).filter((_, place) => place % 5 === 0)
  // One round after the other: who repeated a signal first takes its place where it is erased.
  for (let times = 0; times < 4; times += 1) {
    const repeated = originals.filter((_, place) => times < 2 || place % 3 === 0)
    const repeats = repeated.map(original => {
      const { text, classification, node } = original
      return nextSaid(saying, { text, fate: 'repeat', original, classification, node })
    })
    await batches(repeats, said => send(saying, said))
  }
}

const FORGED = 4

/** Sends what dies on the way, requests that are refused, and a test. */
export const sayInVain = async (saying: Saying, person: Person, dead: number): Promise<void> => {
  const { truth, connection } = saying
  const dying = Array.from({ length: dead }, (_, place) =>
    nextSaid(saying, { text: `${UNREADABLE}, ${place}.`, fate: 'dead letter', classification: 'unclassified' }),
  )
  await batches(dying, said => send(saying, said))
  for (let place = 0; place < FORGED; place += 1) {
    const forged = `whsec_${Buffer.from(`forged ${place} of many`).toString('base64')}`
    await sendConnected(connection, { text: 'Forged.' }, forged)
  }
  truth.refused.set(connection.id, FORGED)
  const test = await person.call<Json>('sign_test_request', { id: connection.id })
  await post(test.url, test.body, test.headers)
}

const LOGIN = 'octo-engineer'
const PUSHED_DAYS_AGO = 40

/** A push of a commit that is weeks old, and a change of a pull request that is no signal. */
export const push = async (saying: Saying): Promise<void> => {
  const { codeHost, truth } = saying
  const example: Json = exampleOf('push')
  const occurredAt = Math.floor(Date.now() / 1000) * 1000 - PUSHED_DAYS_AGO * DAY_MS
  const text = TEXTS.problem('turbine of the nightly build')
  const commit = { ...example.head_commit, message: text, timestamp: new Date(occurredAt).toISOString() }
  const said = nextSaid(saying, {
    text,
    fate: 'signal',
    // What engineers write of their own work is neither a problem nor an idea of somebody.
    classification: 'unclassified',
    actor: 'engineer@example.com',
    actorName: LOGIN,
    account: null,
    source: `github/${example.repository.full_name}`,
    sourceId: codeHost.id,
    channel: 'code_host',
    origin: 'internal',
    role: 'engineer',
    occurredAt,
  })
  const payload = {
    ...example,
    // Gitea and Forgejo say when a commit was made, and not when it was pushed.
    repository: { ...example.repository, pushed_at: undefined },
    sender: { ...example.sender, login: LOGIN },
    pusher: { name: LOGIN, email: said.actor },
    commits: [commit],
    head_commit: commit,
  }
  keepId(said, await deliverEvent(codeHost, 'push', payload))
  await deliverEvent(codeHost, 'pull_request', { ...exampleOf('pull_request'), action: 'edited' })
  truth.codeHostEvents += 2
}
