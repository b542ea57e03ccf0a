import type { TSchema } from 'typebox'
import type { SourceForm } from '../../../schemas/domain/source-form.ts'
import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../../schemas/http/connection.ts'

/** Beginning of every receiver's path at the edge. */
export const WEBHOOKS = '/api/webhooks/'

/** The senders' proof. It determines the form of the secret and the signature of an example. */
export type Proof =
  /** `sha256=` and the hexadecimal HMAC-SHA256 of the raw body, in a header. */
  | { readonly scheme: 'hmac'; readonly header: string }
  /** The secret as the bearer token. */
  | { readonly scheme: 'bearer' }
  /** https://www.standardwebhooks.com */
  | { readonly scheme: 'standard_webhooks' }
export type ProofScheme = Proof['scheme']

/** Requests within a window that starts with the first of them. */
interface Limit {
  readonly requests: number
  readonly seconds: number
}

/** Something that people connect through a kind of source: its search words and its set-up. */
export interface Connectable {
  /** Null except for a code host. */
  readonly code_host: CodeHost | null
  readonly title: string
  /** Accepted senders and the result of their requests. */
  readonly accepts: string
  /** People's names for it, in lower case, separated by spaces. */
  readonly words: string
  /** Steps for a person after the source was created. */
  readonly steps: readonly string[]
}

/** A header of senders beside their proof. */
interface SentHeader {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export interface ExampleOf {
  readonly code_host: CodeHost | null
  readonly settings: ConnectionSettings
  /** Text of the signal, if the example makes one. */
  readonly text: string
  /** Id of this request. */
  readonly id: string
  readonly at: Date
}

/** A request without its proof and content type. */
interface ExampleRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** An intake with a URL for each source, which ends with the source's id. */
export interface PostedIntake {
  readonly reachedBy: 'post'
  /** The URL's part between `/api/webhooks/` and the id; for null, the placeholder of the code host's name. */
  readonly segment: (codeHost: CodeHost | null) => string
  /** Accepted types; examples use the first. */
  readonly contentTypes: readonly [string, ...string[]]
  readonly maxBodyBytes: number
  /** Limit for each source. */
  readonly limit: Limit
  readonly proof: Proof
  readonly headers: readonly SentHeader[]
  /** Schema of the body, as in the OpenAPI description. */
  readonly body: TSchema
  /** Properties of the answer `200` beside `ok`, and those that are always there. */
  readonly answer: { readonly properties: Readonly<Record<string, object>>; readonly required: readonly string[] }
  /** Operation in the OpenAPI description. */
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string }
  /** A first request, as people see it and as “Send a test” sends it. */
  readonly example: (given: ExampleOf) => ExampleRequest
  /** Answer and result of the example. */
  readonly expectedResponse: string
  /** A request with a readable body for tests; absent when the example has one. */
  readonly sample?: ExampleRequest
}

/** The intake of mail: one path for all sources, because a mail's addresses name the source. */
export interface MailedIntake {
  readonly reachedBy: 'mail'
  readonly path: string
  readonly contentTypes: readonly [string, ...string[]]
  readonly maxBodyBytes: number
  /** Limit for each tenant. */
  readonly limit: Limit
}

/** Description of a kind of source. Its receiver in `ingest/receivers/` treats the body. */
export interface SourceKindDescription<Intake = PostedIntake | MailedIntake> {
  readonly intake: Intake
  readonly createdBy: 'agent' | 'person'
  /**
   * Reason why a workspace has at most one source of the kind; null for any number. The table has a unique index for
   * these kinds.
   */
  readonly oneOnly: string | null
  /** One for each code host, or a single one. */
  readonly connectables: readonly Connectable[]
  readonly form: Pick<SourceForm, 'label' | 'about' | 'icon' | 'exampleName' | 'fields'> &
    Partial<Pick<SourceForm, 'asksValue'>>
}

/** Tools without a kind of their own, which an automation or a small program connects. */
export const RELAYED =
  'zendesk intercom freshdesk helpdesk help desk support ticket slack teams discord chat typeform survey form hubspot salesforce crm jira linear notion airtable zapier make n8n automation review app store forum community gitlab bitbucket script program relay http api json webhook'
