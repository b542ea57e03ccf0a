import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'

/** What a code host calls things. */
export interface Dialect {
  /** Headers that name the event, and the delivery; a header that comes earlier in the list counts before the others. */
  readonly eventHeaders: readonly [string, ...string[]]
  readonly deliveryHeaders: readonly [string, ...string[]]
  /** What of a form is signed: the bytes that are sent, or the payload in them, as Gitea and Forgejo do. */
  readonly signedForm: 'body' | 'payload'
}

/** Forgejo says everything in Gitea's words too, and both in GitHub's. */
export const DIALECTS: Readonly<Record<CodeHost, Dialect>> = {
  github: { eventHeaders: ['X-GitHub-Event'], deliveryHeaders: ['X-GitHub-Delivery'], signedForm: 'body' },
  gitea: {
    eventHeaders: ['X-Gitea-Event', 'X-GitHub-Event'],
    deliveryHeaders: ['X-Gitea-Delivery', 'X-GitHub-Delivery'],
    signedForm: 'payload',
  },
  forgejo: {
    eventHeaders: ['X-Forgejo-Event', 'X-Gitea-Event', 'X-GitHub-Event'],
    deliveryHeaders: ['X-Forgejo-Delivery', 'X-Gitea-Delivery', 'X-GitHub-Delivery'],
    signedForm: 'payload',
  },
}

/** The first of the headers that a request has, with its name. */
export const firstHeader = (
  headers: Readonly<Record<string, string>>,
  names: readonly [string, ...string[]],
): { readonly name: string; readonly value: string | undefined } => {
  const name = names.find(candidate => headers[candidate.toLowerCase()]) ?? names[0]
  return { name, value: headers[name.toLowerCase()] }
}
