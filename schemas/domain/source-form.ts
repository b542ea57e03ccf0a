import type { CodeHost, SourceKind } from './vocabulary.ts'

/** The icons of kinds of sources. */
export type SourceIcon = 'webhook' | 'chart' | 'branch' | 'github' | 'mail' | 'plug'

/** Fields that creating a source needs besides its name. */
type SourceField = 'code_host' | 'mapping'

/** How the app shows a kind of source. */
export interface SourceForm {
  readonly label: string
  /** The purpose, in a sentence or two. */
  readonly about: string
  readonly icon: SourceIcon
  /** An example of a source's name. */
  readonly exampleName: string
  readonly fields: readonly SourceField[]
  /** True when a workspace has at most one source of the kind. */
  readonly isOneOnly: boolean
  /** `post`: requests to a URL, proven by a secret. `mail`: mail to an address, which is the secret. */
  readonly reachedBy: 'post' | 'mail'
  /** True when only the secret's hash is stored: the person who sends a test enters the secret. */
  readonly asksSecret: boolean
  /** True when a test sends `{"value": number}` with a chosen number. */
  readonly asksValue: boolean
}

/** The forms of all kinds. A code host has its own label and icon. */
export interface SourceForms {
  readonly kinds: Readonly<Record<SourceKind, SourceForm>>
  readonly codeHosts: Readonly<Record<CodeHost, { readonly label: string; readonly icon: SourceIcon }>>
}

/** A mail with this subject is a test of its address. */
export const TEST_SUBJECT = 'Test of this address'
