import { eventually } from '../../infra/runtime/testing.ts'
import { type Agent, connectAgent } from '../support/agent.ts'
import type { Installation } from '../support/installation.ts'
import { type CreatedKey, type CreatedSource, createKey, type Person, signUp } from '../support/person.ts'
import { post, type SenderAnswer, sendSignal } from '../support/sender.ts'
import { likeness } from './models.ts'

/** A Signal as it is looked up. */
export interface SeenSignal {
  readonly id: string
  readonly reference: string
  readonly text: string
  readonly state: string
  readonly classification: string
  readonly source: string
  readonly source_url: string | null
  readonly channel: string
  readonly event: string | null
  readonly actor_name: string | null
  readonly actor_role: string
  readonly signal_origin: string
  readonly occurred_at: string
  readonly occurrences: number
  readonly metadata: Readonly<Record<string, unknown>>
  readonly node: { readonly id: string; readonly name: string } | null
  readonly claims: readonly { readonly id: string; readonly reference: string }[]
}

/** What `service_support` tells of a signal's way. */
export interface Trace {
  readonly status: 'inserted' | 'duplicate' | 'in_pipeline' | 'dead'
  readonly duplicate: { readonly original: string; readonly similarity: number } | null
  readonly dead_letter: { readonly step: string; readonly state: string } | null
  readonly steps: readonly { readonly step: string; readonly outcome: string; readonly version: string }[]
}

/** A strange program's view of one workspace: what a person gave it, and what it can reach from outside. */
export interface World {
  readonly baseUrl: string
  readonly person: Person
  readonly key: CreatedKey
  readonly agent: Agent
  readonly sources: Readonly<Record<'signal' | 'metric' | 'codeHost' | 'connection' | 'email', CreatedSource>>
  /** Sends a signal that has to be taken; answers its snippet_id. */
  send(signal: { readonly text: string } & Readonly<Record<string, unknown>>): Promise<string>
  /** Posts a point of the metric. */
  measure(point: object): Promise<SenderAnswer>
  /** The Signal of a snippet_id, or of its original, once it is through the pipeline as far as `has` asks. */
  signal(id: string, has?: (signal: SeenSignal) => boolean): Promise<SeenSignal>
  /** The way of a signal, once it is as far as `has` asks. */
  trace(id: string, has: (trace: Trace) => boolean): Promise<Trace>
}

/** The node of the map that `likeness('exports')` is anchored to. */
export const EXPORTS = 'Exports'

export const enterWorld = async ({ baseUrl }: Installation): Promise<World> => {
  const person = await signUp(baseUrl)
  const key = await createKey(person)
  const agent = await connectAgent(baseUrl, key.key)
  const create = (kind: string, more: object = {}) =>
    person.call<CreatedSource>('create_source', { kind, name: `A ${kind}`, ...more })
  const [signal, metric, codeHost, connection, email] = await Promise.all([
    create('signal'),
    create('metric'),
    create('code_host', { code_host: 'github' }),
    agent.call<CreatedSource>('service_connect', { mode: 'create', name: 'Survey' }).then(({ data }) => data),
    create('email'),
  ])
  await agent.call('service_map', { mode: 'add_node', name: EXPORTS, description: likeness('exports') })
  await agent.call('service_map', { mode: 'bind_metric', id: EXPORTS, metric_id: metric.id, direction: 'up_is_good' })
  return {
    baseUrl,
    person,
    key,
    agent,
    sources: { signal, metric, codeHost, connection, email },
    send: async body => {
      const answer = await sendSignal(signal, body)
      if (answer.status !== 200) throw new Error(`The signal was answered ${JSON.stringify(answer)}`)
      return String(answer.body.snippet_id)
    },
    measure: point => post(metric.url, JSON.stringify(point), { authorization: `Bearer ${metric.secret}` }),
    signal: (id, has = () => true) =>
      eventually(`the signal ${id} is in Triage`, async () => {
        // As people see it: to agents the words of strangers may be marked.
        const { signal: seen } = await person.call<{ signal: SeenSignal | null }>('lookup_signal', {
          id,
          depth: 'full',
        })
        return seen !== null && has(seen) ? seen : null
      }),
    trace: (id, has) =>
      eventually(`the way of the signal ${id} is known`, async () => {
        const { data } = await agent.call<Trace>('service_support', { mode: 'signal', id })
        return has(data) ? data : null
      }),
  }
}

/** What the sentences of a section begin with: the world, and what is sent before any test looks. */
export interface Beginning {
  readonly world: () => World
  /**
   * Work that is done for all sections at once, before the first test: what takes the pipeline seconds is on its way
   * while others look. Answers what it came to.
   */
  early<T>(work: (world: World) => Promise<T>): () => T
}
