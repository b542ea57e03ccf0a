import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'

/** The kinds of sources that people create so far. */
export const CREATABLE_KINDS = ['signal', 'code_host'] as const
export type CreatableKind = (typeof CREATABLE_KINDS)[number]

export interface SourceIdentity {
  readonly id: string
  readonly kind: CreatableKind
  readonly code_host: CodeHost | null
}

/** Where a source's sender posts to. */
export const sourceUrl = (baseUrl: string, { id, kind, code_host: codeHost }: SourceIdentity): string =>
  `${baseUrl}/api/webhooks/${kind === 'code_host' ? codeHost : 'custom'}/${id}`
