import {
  ACTOR_ROLES,
  CHANNELS,
  CLASSIFICATIONS,
  SIGNAL_ORIGINS,
  SOURCE_KINDS,
  STEPS,
} from '../../../../schemas/domain/vocabulary.ts'
import type { ActivityKind } from '../../../../schemas/events/activity.ts'
import { toPeople } from '../../api/http.ts'
import { t, word } from '../../language/messages.ts'
import { kindOf, wordsOf } from '../sources/kinds.ts'
import type { Field, PathOf, Question } from './vocabulary.ts'

const EVENTS: Readonly<Record<ActivityKind, string>> = {
  'signal.received': t('Signal received'),
  'signal.step': t('Step worked on a signal'),
  'signal.dead_letter': t('Dead letter'),
  'source.refused': t('Request refused'),
  'code_host.event': t('Event of a code host'),
  'metric.received': t('Metric point received'),
  'tool.call': t('Call of an agent'),
  'decision.made': t('Decision made'),
}

/** How far what was received has come. */
const STAGES: Readonly<Record<string, string>> = {
  received: t('Received'),
  accepted: t('Accepted by the source'),
  deduplicated: t('Signals without repeats'),
  in_claim: t('Evidence of a claim'),
  in_solution: t('Answered by a Solution'),
  done: t('Solution is Done'),
}

const HEALTH: Readonly<Record<string, string>> = {
  refusing: t('refuses more than it accepts'),
  silent: t('nothing comes any more'),
  unused: t('nothing came yet'),
  ok: t('works'),
}

/** How a step, or a call of an agent, ended. An error of a call is shown as the agent got it. */
const ENDS: Readonly<Record<string, string>> = {
  next: t('passed on'),
  skip: t('skipped'),
  retry: t('to be tried again'),
  dead: t('failed'),
  ok: t('succeeded'),
}

const SOURCE_KIND_WORDS: Readonly<Record<string, string>> = Object.fromEntries(
  SOURCE_KINDS.map(kind => [kind, kindOf({ kind }).label]),
)

/** The words of the fields whose values are names of the service's own. */
const WORDS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  kind: EVENTS,
  stage: STAGES,
  health: HEALTH,
  outcome: ENDS,
  source_kind: SOURCE_KIND_WORDS,
}

/** What the answer of a question is, for people; the service's own note names the columns as an agent gets them. */
const NOTES: Readonly<Partial<Record<Question, string>>> = {
  funnel: t(
    'How far the signals of this time are now. Received counts refused requests too. Repeats, dead letters and what is on its way end before “Signals without repeats”.',
  ),
  sources: t('How each source did in this time. The reason is the one for which most requests were refused.'),
}

/** What a field can be, where that is known; others are proposed nothing. */
export const VALUES: Readonly<Partial<Record<Field, readonly string[]>>> = {
  kind: Object.keys(EVENTS),
  channel: CHANNELS,
  signal_origin: SIGNAL_ORIGINS,
  actor_role: ACTOR_ROLES,
  classification: CLASSIFICATIONS,
  step: STEPS,
  outcome: ['next', 'skip', 'retry', 'dead', 'ok'],
}

/** Fields whose values are words of a closed vocabulary; others have what somebody wrote. */
const CLOSED: ReadonlySet<string> = new Set(['signal_origin', 'actor_role', 'classification', 'channel', 'step'])

interface Grouped {
  readonly group: Readonly<Record<string, string | undefined>>
  readonly named?: Readonly<Record<string, { readonly reference: string | null; readonly title: string }>>
}

/** What only programs read: an id, or the hash that stands for an address. */
const ID = /^[\da-f]{8}-([\da-f]{4}-){3}[\da-f]{12}$|^[\da-f]{32,}$/i

/**
 * What a row is apart from others by, as people read it: a node by its path, an actor by the name, a claim with its
 * reference, and nothing by its id.
 */
export const groupOf = (name: string, { group, named }: Grouped, pathOf: PathOf): string => {
  const value = group[name] ?? ''
  const known = named?.[name]
  if (known !== undefined && !pathOf.has(value))
    return known.reference === null ? known.title : `${known.reference} ${known.title}`
  if (ID.test(value) && !pathOf.has(value))
    return name === 'actor' ? t('Somebody without a name') : t('No longer there')
  return groupValue(name, value, pathOf)
}

/** A value that rows are apart by, as people read it: a node by its path, a stage in words. */
export const groupValue = (name: string, value: string, pathOf: PathOf): string => {
  if (name === 'node') return pathOf.get(value) ?? value
  if (name === 'refused_for') return wordsOf(value)
  const words = WORDS_OF[name]
  if (words !== undefined) return Object.entries(words).find(([known]) => known === value)?.[1] ?? value
  return CLOSED.has(name) ? word(value) : value
}

/** How it begins, behind the note of a question, that something of it is just being erased. */
const OF_ERASURES = 'Something is being erased: '

/** How to read the figures of a question, with what else the service says of them. */
export const noteOf = (question: Question, note: string): string => {
  const own = NOTES[question]
  const at = note.indexOf(OF_ERASURES)
  const erasing = at < 0 ? '' : note.slice(at)
  return own === undefined ? toPeople(note) : [own, ...(erasing === '' ? [] : [toPeople(erasing)])].join(' ')
}
