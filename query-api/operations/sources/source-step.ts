import { type Static, Type } from 'typebox'
import { isPosted } from '../../../model/sources/kinds/index.ts'
import { NextCall } from '../parts/next-call.ts'
import type { LastDay } from './last-day.ts'
import { meaningOf } from './refusal-meanings.ts'
import type { SourceShape } from './source-shape.ts'

/** What to do about a source, in a sentence and as a call. */
export const SourceStep = Type.Object({
  message: Type.String(),
  next: Type.Object({ ...NextCall.properties, arguments: Type.Record(Type.String(), Type.Unknown()) }),
})
type SourceStep = Static<typeof SourceStep>

export const nextStep = (source: Static<typeof SourceShape> & LastDay): SourceStep => {
  const { id, kind, paused_at: pausedAt, last_seen_at: last, address } = source
  const call = (tool: string, mode: string, given: object, reason: string) => ({
    tool,
    mode,
    arguments: { ...given },
    reason,
  })
  const test = call('service_connect', 'test', { id }, 'Answers a right request to send, and what it is answered.')
  if (pausedAt !== null) {
    const resume = call('service_connect', 'update', { id, paused: false }, 'Resumes it.')
    return { message: `It is paused since ${pausedAt}: its senders are told to come back later.`, next: resume }
  }
  const [most] = source.refusals_last_day ?? []
  if (most !== undefined) {
    const { meaning, remedy } = meaningOf(most.reason)
    const message = `In 24 hours ${most.count} requests were refused as ${most.reason}. ${meaning} ${remedy}`
    return { message, next: isPosted(kind) ? test : activityOf(id) }
  }
  if (last === null && !isPosted(kind)) {
    const message =
      address === null
        ? 'This installation takes no mail: INGEST_MAIL_DOMAIN is not set.'
        : `Nothing came yet: write a mail to ${address}.`
    return { message, next: activityOf(id) }
  }
  if (last === null) {
    return {
      message: 'Nothing is known to have come: set the sender up, or try the address with a request of your own.',
      next: test,
    }
  }
  return { message: `It works: the last request came ${last}.`, next: activityOf(id) }
}

const activityOf = (id: string) => ({
  tool: 'service_support',
  mode: 'source',
  arguments: { id, hours: 168 },
  reason: 'Shows the last week by the hour.',
})
