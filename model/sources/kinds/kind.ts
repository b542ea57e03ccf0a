import type { TSchema } from 'typebox'
import type { SourceForm } from '../../../schemas/domain/source-form.ts'
import type { CodeHost } from '../../../schemas/domain/vocabulary.ts'
import type { ConnectionSettings } from '../../../schemas/http/connection.ts'

/** Every path of the edge's receivers begins with it. */
export const WEBHOOKS = '/api/webhooks/'

/** What its senders prove themselves with; the form of the secret and the signature of an example follow from it. */
export type Proof =
  /** `sha256=` and the hexadecimal HMAC-SHA256 of the raw body, in a header. */
  | { readonly scheme: 'hmac'; readonly header: string }
  /** The secret itself, as the bearer token. */
  | { readonly scheme: 'bearer' }
  /** https://www.standardwebhooks.com */
  | { readonly scheme: 'standard_webhooks' }
export type ProofScheme = Proof['scheme']

/** Requests within a window that begins with the first of them. */
interface Limit {
  readonly requests: number
  readonly seconds: number
}

/** Something that people connect through a kind of source: what it is found by, and how it is set up. */
export interface Connectable {
  /** Null but for a code host. */
  readonly code_host: CodeHost | null
  readonly title: string
  /** What connects this way, and what becomes of what it sends. */
  readonly accepts: string
  /** What people call what connects this way: in lower case, apart by spaces. */
  readonly words: string
  /** What a person does with what creating the source answered, step by step. */
  readonly steps: readonly string[]
}

/** A header that senders send besides their proof. */
interface SentHeader {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

export interface ExampleOf {
  readonly code_host: CodeHost | null
  readonly settings: ConnectionSettings
  /** What the signal says, where one is made. */
  readonly text: string
  /** Names this request. */
  readonly id: string
  readonly at: Date
}

/** A request without its proof and its content type. */
interface ExampleRequest {
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** Ways in that senders post to: each source has a URL, which ends in its id. */
export interface PostedIntake {
  readonly reachedBy: 'post'
  /** What the URL has between `/api/webhooks/` and the id; for null, the place of the code host's name. */
  readonly segment: (codeHost: CodeHost | null) => string
  /** The first is the one that examples have. */
  readonly contentTypes: readonly [string, ...string[]]
  readonly maxBodyBytes: number
  /** For each source. */
  readonly limit: Limit
  readonly proof: Proof
  readonly headers: readonly SentHeader[]
  /** The body's schema, as the OpenAPI description shows it. */
  readonly body: TSchema
  /** Properties of the answer `200`, beside `ok`, and those of them that are always there. */
  readonly answer: { readonly properties: Readonly<Record<string, object>>; readonly required: readonly string[] }
  /** How the OpenAPI description calls sending to it. */
  readonly operation: { readonly id: string; readonly summary: string; readonly description: string }
  /** A first request, as people are shown it and as “Send a test” sends it. */
  readonly example: (given: ExampleOf) => ExampleRequest
  /** What the example is answered, and what it leaves. */
  readonly expectedResponse: string
  /** A request whose body is read, for tests; only where that of the example is not. */
  readonly sample?: ExampleRequest
}

/** The way in for mail: one path for all sources, since the addresses that a mail goes to say whose it is. */
export interface MailedIntake {
  readonly reachedBy: 'mail'
  readonly path: string
  readonly contentTypes: readonly [string, ...string[]]
  readonly maxBodyBytes: number
  /** For each tenant. */
  readonly limit: Limit
}

/** Everything that is said of a kind of source. What the edge does with a body is its receiver, `ingest/receivers/`. */
export interface SourceKindDescription<Intake = PostedIntake | MailedIntake> {
  readonly intake: Intake
  readonly createdBy: 'agent' | 'person'
  /**
   * Why a workspace gets no second source of the kind; null: it has any number. The table has a unique index for these.
   */
  readonly oneOnly: string | null
  /** One for each code host, or the only one. */
  readonly connectables: readonly Connectable[]
  readonly form: Pick<SourceForm, 'label' | 'about' | 'icon' | 'exampleName' | 'fields'> &
    Partial<Pick<SourceForm, 'asksValue'>>
}

/** Tools without a way of their own: an automation or a small program passes on what they say. */
export const RELAYED =
  'zendesk intercom freshdesk helpdesk help desk support ticket slack teams discord chat typeform survey form hubspot salesforce crm jira linear notion airtable zapier make n8n automation review app store forum community gitlab bitbucket script program relay http api json webhook'
