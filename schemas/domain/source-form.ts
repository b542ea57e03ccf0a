import type { CodeHost, SourceKind } from './vocabulary.ts'

/** Pictures that a kind of source can have in the app. */
export type SourceIcon = 'webhook' | 'chart' | 'branch' | 'github' | 'mail' | 'plug'

/** What creating a source of some kind takes besides a name. */
type SourceField = 'code_host' | 'mapping'

/** What the app shows of a kind of source. */
export interface SourceForm {
  readonly label: string
  /** What it is for, in a sentence or two. */
  readonly about: string
  readonly icon: SourceIcon
  /** A name that somebody might give such a source. */
  readonly exampleName: string
  readonly fields: readonly SourceField[]
  /** True: a workspace has one at most. */
  readonly isOneOnly: boolean
  /** `post`: by requests to a URL, proven by a secret. `mail`: by mail to an address, which is the secret. */
  readonly reachedBy: 'post' | 'mail'
  /** True: only the secret's hash is stored, so that whoever sends a test fills it in. */
  readonly asksSecret: boolean
  /** True: a test sends `{"value": number}`, with a number that the person chooses. */
  readonly asksValue: boolean
}

/** What the app shows of all of them. A code host goes by its own name. */
export interface SourceForms {
  readonly kinds: Readonly<Record<SourceKind, SourceForm>>
  readonly codeHosts: Readonly<Record<CodeHost, { readonly label: string; readonly icon: SourceIcon }>>
}

/** A mail that has it for its subject is a test of the address that it goes to. */
export const TEST_SUBJECT = 'Test of this address'
