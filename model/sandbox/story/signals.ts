import type { ActorRole, Channel, SignalOrigin } from '../../../schemas/domain/vocabulary.ts'
import { textHash } from '../../signals/text-hash.ts'
import type { Sender } from './said-signal.ts'
import { CLASSIFIED, DECIDED_AFTER_DAYS, DISMISSED, REPEATS, SIGNALS, type SignalName, WAITING } from './signal-data.ts'
import type { Rows, StoryContext } from './story.ts'

/** What the signals of a sender have alike. */
export const SENDERS: Readonly<Record<Sender, { readonly source: string; readonly channel: Channel } & Origin>> = {
  desk: { source: 'support desk', channel: 'webhook', signal_origin: 'customer', actor_role: 'user' },
  survey: { source: 'survey tool', channel: 'connection', signal_origin: 'customer', actor_role: 'user' },
  mail: { source: 'mail', channel: 'email', signal_origin: 'customer', actor_role: 'user' },
  code: { source: 'github:acme/shop', channel: 'code_host', signal_origin: 'operational', actor_role: 'engineer' },
}

interface Origin {
  readonly signal_origin: SignalOrigin
  readonly actor_role: ActorRole
}

/** Every signal with what is known of it, the oldest first: SIG-1 and so on. */
export const sampleSignals = () =>
  Object.entries(SIGNALS)
    .toSorted(([, [, one]], [, [, other]]) => other - one)
    .map(([key, [actor, days, sender, node, text]], index) => {
      // The keys of `SIGNALS` are what `SignalName` lists.
      const name = key as SignalName
      const classification = CLASSES.find(each => CLASSIFIED[each]?.includes(name)) ?? 'problem'
      return { name, number: index + 1, actor, days, sender, node, text, classification }
    })

const CLASSES = Object.keys(CLASSIFIED)

const stateOf = (name: SignalName, days: number): string => {
  if (DISMISSED.includes(name)) return 'dismissed'
  return days < DECIDED_AFTER_DAYS || WAITING.includes(name) ? 'triage' : 'accepted'
}

/** A text that says more leaves less doubt. */
const confidenceOf = (text: string, classification: string): number =>
  classification === 'unclassified' ? 0.4 : Math.min(0.96, 0.6 + text.length / 200)

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
      classification_confidence: confidenceOf(text, classification),
      classification_version: 'sample',
      node_id: node === null ? null : id(`node ${node}`),
      node_score: node === null ? null : 0.84,
      state: stateOf(name, days),
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
