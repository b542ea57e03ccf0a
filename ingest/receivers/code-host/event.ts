import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'
import type { CodeHostBodies, ProjectedActor } from '../../../schemas/http/code-host.ts'
import type { AccountPayload, RepositoryPayload } from '../../../schemas/http/code-host-payloads.ts'
import { parseInstant } from '../../../schemas/http/time.ts'
import type { Refusal } from '../../refusal.ts'
import type { Shortener } from './shorten.ts'

export type EventName = keyof CodeHostBodies

/** An event as its projection leaves it: always an activity, and a signal where `signal` is there. */
export interface CodeHostEvent {
  readonly kind: 'event'
  /** What was done, such as `opened`; empty for events that have no action. */
  readonly action: string
  readonly actor: ProjectedActor
  readonly occurredAt: number | null
  readonly signal: CodeHostBodies[EventName] | null
}

/** Reads a payload's JSON and keeps what the pipeline needs. `now` bounds the times that are believed. */
export type Projection = (payload: string, codeHost: CodeHost, now: number) => CodeHostEvent | Refusal

/** A time of the payload, the first that is there and plausible. A host's odd time is no reason to refuse its event. */
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

/** The accounts that act for a host's own automation: apps of GitHub, the workflows of Gitea and Forgejo. */
const BOT = /\[bot\]$|^(gitea|forgejo)-actions$/

/** The fields that every projected event has. */
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
