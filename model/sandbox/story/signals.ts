import { textHash } from '../../signals/text-hash.ts'
import { CLASSIFIED, REPEATS, type Sender, SIGNALS, type SignalName, STATES } from './signal-data.ts'
import { numberOf, type Rows, type StoryContext } from './story.ts'

/** What the signals of a sender have alike. */
export const SENDERS: Readonly<Record<Sender, { readonly source: string; readonly channel: string } & Origin>> = {
  desk: { source: 'support desk', channel: 'webhook', signal_origin: 'customer', actor_role: 'user' },
  survey: { source: 'survey tool', channel: 'connection', signal_origin: 'customer', actor_role: 'user' },
  mail: { source: 'mail', channel: 'email', signal_origin: 'customer', actor_role: 'user' },
  code: { source: 'github:acme/shop', channel: 'code_host', signal_origin: 'operational', actor_role: 'engineer' },
}

interface Origin {
  readonly signal_origin: string
  readonly actor_role: string
}

/** Every signal with what was told of it, the oldest first. */
export const sampleSignals = () =>
  Object.entries(SIGNALS).map(([key, [actor, days, sender, node, text]]) => {
    // The keys of `SIGNALS` are what `SignalName` lists.
    const name = key as SignalName
    const classification = nameOf(CLASSIFIED, name) ?? 'problem'
    return { name, number: numberOf(SIGNALS, name), actor, days, sender, node, text, classification }
  })

const nameOf = (lists: Readonly<Record<string, readonly SignalName[]>>, name: SignalName): string | undefined =>
  Object.keys(lists).find(each => lists[each]?.includes(name))

export const signalRows = ({ id, ago }: StoryContext): Rows => [
  [
    'signals',
    sampleSignals().map(({ name, number, actor, days, sender, node, text, classification }) => ({
      ...SENDERS[sender],
      id: id(`signal ${name}`),
      source_id: id(`source ${sender}`),
      number,
      text,
      text_hash: `\\x${textHash(text)}`,
      actor_name: actor,
      actor_key: actor.toLowerCase(),
      metadata: sender === 'code' ? {} : { plan: number % 3 === 0 ? 'team' : 'business' },
      occurred_at: ago(days),
      received_at: ago(days),
      inserted_at: ago(days),
      classification,
      classification_confidence: classification === 'unclassified' ? 0.4 : 0.86,
      classification_version: 'sample',
      node_id: node === null ? null : id(`node ${node}`),
      node_score: node === null ? null : 0.84,
      state: nameOf(STATES, name) ?? 'triage',
    })),
  ],
  [
    'occurrences',
    REPEATS.map(([name, actor, days, text]) => ({
      ...SENDERS[SIGNALS[name][2]],
      id: id(`repeat of ${name} by ${actor}`),
      signal_id: id(`signal ${name}`),
      reason: actor === SIGNALS[name][0] ? 'same_text' : 'near_duplicate',
      similarity: actor === SIGNALS[name][0] ? 1 : 0.94,
      text,
      actor_name: actor,
      actor_key: actor.toLowerCase(),
      metadata: {},
      occurred_at: ago(days),
      received_at: ago(days),
    })),
  ],
]
