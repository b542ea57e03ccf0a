import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../infra/runtime/testing.ts'
import type { WorkspaceId } from '../../schemas/domain/ids.ts'
import { type Agent, agentOf } from './agent.ts'
import { type CreatedSource, createSignalSource, type Person } from './person.ts'
import { sendSignal } from './sender.ts'
import { mixedText } from './texts.ts'

/** A workspace's endpoint takes 100 requests a minute, so a load goes to several. */
const LANES = 8
const SENDERS = 3
const TIMEOUT_MS = 90_000

/** A workspace that is sent to, and what it was sent: the ids of all signals that were answered 200. */
export interface Lane {
  readonly workspaceId: WorkspaceId
  readonly source: CreatedSource
  readonly agent: Agent
  readonly accepted: string[]
  /** The texts of these, in the same order. */
  readonly texts: string[]
}

/** Makes the person a workspace to send to. */
export const createLane = async (person: Person, name: string): Promise<Lane> => {
  const { id } = await person.call<{ id: WorkspaceId }>('create_workspace', { name })
  const member = person.inWorkspace(id)
  return {
    workspaceId: id,
    source: await createSignalSource(member),
    agent: await agentOf(member),
    accepted: [],
    texts: [],
  }
}

/** The workspaces that a load goes to. */
export const createLanes = (person: Person): Promise<readonly Lane[]> =>
  Promise.all(Array.from({ length: LANES }, (_, index) => createLane(person, `Load ${index}`)))

export interface Load {
  /** How many requests had each outcome so far: a status, or `no answer` when the connection failed. */
  outcomes(): Readonly<Record<string, number>>
  /** Resolves when so many more signals were answered 200. */
  untilMore(signals: number): Promise<void>
  /** Sends no further signal, and waits until each that was begun is answered 200. */
  finish(): Promise<void>
}

interface LoadOptions {
  /** The addresses of the edges. */
  readonly edges: readonly string[]
  /** How long a sender waits, also before it sends a signal again. */
  readonly betweenSignalsMs: number
}

let sent = 0

/**
 * Senders that behave as the contract asks: each signal has an idempotency key and is sent again until it is answered
 * 200. Among the signals are repeats, and some that die. They go to the edges themselves, so that no answer is a
 * proxy's; attempts take turns at them, so that a signal may be sent again to another edge than before.
 */
export const startLoad = (lanes: readonly Lane[], { edges, betweenSignalsMs }: LoadOptions): Load => {
  const outcomes: Record<string, number> = {}
  let attempts = 0
  let accepted = 0
  let stopping = false

  const deliver = async (number: number): Promise<void> => {
    const lane = lanes[number % lanes.length]
    if (lane === undefined) throw new TypeError('There is no lane to send to.')
    // Only within a workspace texts must differ.
    const ofLane = Math.floor(number / lanes.length)
    const text = mixedText(ofLane)
    for (;;) {
      attempts += 1
      const url = new URL(new URL(lane.source.url).pathname, edges[attempts % edges.length]).href
      const answer = await sendSignal(
        { ...lane.source, url },
        { text, source: 'load' },
        { 'x-idempotency-key': `load-${number}` },
      ).catch(() => null)
      const outcome = answer === null ? 'no answer' : String(answer.status)
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
      await sleep(betweenSignalsMs)
      if (answer?.status !== 200) continue
      accepted += 1
      lane.accepted.push(String(answer.body.snippet_id))
      lane.texts.push(text)
      return
    }
  }
  const sender = async (): Promise<void> => {
    while (!stopping) {
      sent += 1
      await deliver(sent)
    }
  }
  const senders = Array.from({ length: SENDERS }, sender)
  return {
    outcomes: () => outcomes,
    async untilMore(signals) {
      const goal = accepted + signals
      await eventually('more signals are accepted', () => accepted >= goal, TIMEOUT_MS)
    },
    async finish() {
      stopping = true
      await Promise.all(senders)
    },
  }
}
