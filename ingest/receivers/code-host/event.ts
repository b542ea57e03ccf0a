import { type CodeHost, MAX_TEXT_CODE_POINTS } from '../../../schemas/domain/vocabulary.ts'
import type {
  AccountPayload,
  CodeHostBodies,
  ProjectedActor,
  RepositoryPayload,
} from '../../../schemas/http/code-host.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import type { Refusal } from '../../answer.ts'

export type EventName = keyof CodeHostBodies

/** A projected event: always an activity, and a signal where `signal` is set. */
export interface CodeHostEvent {
  readonly kind: 'event'
  /** The action, such as `opened`; empty for events without an action. */
  readonly action: string
  readonly actor: ProjectedActor
  readonly occurredAt: number | null
  readonly signal: CodeHostBodies[EventName] | null
}

/** Parses a payload and keeps what the pipeline needs. Times after `now` are ignored. */
export type Projection = (payload: string, codeHost: CodeHost, now: number) => CodeHostEvent | Refusal

/** The first plausible time of the payload; null without one. An implausible time is no reason to refuse an event. */
export const firstInstant = (now: number, ...times: (string | number | null | undefined)[]): number | null => {
  for (const time of times) {
    if (time === null || time === undefined) continue
    const instant = parseInstant(time, now)
    if (instant.ok) return instant.at
  }
  return null
}

export const actorOf = (
  sender: AccountPayload | null | undefined,
  email: string | null,
  short: Shortener,
): ProjectedActor => ({
  login: short.label(sender?.login ?? ''),
  email: email === null ? null : short.label(email),
  bot: sender?.type === 'Bot' || BOT.test(sender?.login ?? ''),
})

/** Accounts of a host's automation: GitHub's apps, the workflows of Gitea and Forgejo. */
const BOT = /\[bot\]$|^(gitea|forgejo)-actions$/

/** The fields of every projected event. */
export const common = (
  codeHost: CodeHost,
  repository: RepositoryPayload,
  url: string | null | undefined,
  short: Shortener,
) => ({
  code_host: codeHost,
  repository: short.label(repository.full_name),
  url: url ? short.label(url) : null,
})

/** Room for the texts of one event, in code points; the rest is for the heading that the normalize step adds. */
const EVENT_CODE_POINTS = MAX_TEXT_CODE_POINTS - 2_000
const LABEL_CODE_POINTS = 500

/** Cuts the texts of one event so that they fit together. */
export interface Shortener {
  /** The text, cut to the room that is left. */
  text(text: string | null | undefined): string
  /** A name, ref or address, cut to a label's length. Takes no room from the texts. */
  label(text: string): string
  room(): number
  shortened(): boolean
}

export const createShortener = (): Shortener => {
  let room = EVENT_CODE_POINTS
  let shortened = false

  const cut = (text: string, limit: number): { text: string; codePoints: number } => {
    let codePoints = 0
    let units = 0
    for (const character of text) {
      if (codePoints === limit) {
        shortened = true
        break
      }
      codePoints++
      units += character.length
    }
    return { text: text.slice(0, units), codePoints }
  }

  return {
    text: text => {
      const kept = cut(text ?? '', room)
      room -= kept.codePoints
      return kept.text
    },
    label: text => cut(text, LABEL_CODE_POINTS).text,
    room: () => room,
    shortened: () => shortened,
  }
}
