import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'
import type { CodeHost } from '../domain/vocabulary.ts'

/**
 * The code-host receiver's projection of an event: the JSON in `received.body` of the formats `push`, `pull_request`,
 * `release` and `deployment`. An event's texts stay under `MAX_TEXT_CODE_POINTS` together, with room for a heading;
 * `shortened` says that some were cut.
 */
interface ProjectedEvent {
  readonly code_host: CodeHost
  /** The repository's full name, such as `octo-org/octo-repo`. */
  readonly repository: string
  /** The page of the comparison, pull request, release or deployed tree; null when the host gave none. */
  readonly url: string | null
  readonly actor: ProjectedActor
  /** Milliseconds since the epoch; null when the event has no time. */
  readonly occurred_at: number | null
  readonly shortened: boolean
}

export interface ProjectedActor {
  readonly login: string
  readonly email: string | null
  /** A bot's signals have the role `system`, a person's `engineer`. */
  readonly bot: boolean
}

export interface ProjectedCommit {
  readonly id: string
  readonly message: string
}

/** A push. `commits` is never empty: a push without messages, such as a deleted branch, is no signal. */
export interface ProjectedPush extends ProjectedEvent {
  /** The full ref, such as `refs/heads/main`. */
  readonly ref: string
  /** Oldest first. */
  readonly commits: readonly ProjectedCommit[]
  /** Number of commits that the host listed; more than `commits` has when some were left out. */
  readonly commit_count: number
}

export interface ProjectedPullRequest extends ProjectedEvent {
  readonly action: 'opened' | 'reopened' | 'merged'
  readonly number: number
  readonly title: string
  readonly body: string
  /** The source branch, such as `sol-12-export`, and the target branch. */
  readonly branch: string
  readonly base: string
}

export interface ProjectedRelease extends ProjectedEvent {
  readonly tag: string
  /** The release's title, or its tag without a title. */
  readonly name: string
  readonly body: string
  readonly prerelease: boolean
}

export interface ProjectedDeployment extends ProjectedEvent {
  readonly environment: string
  readonly ref: string
  readonly sha: string
  readonly task: string
  readonly description: string
}

export interface CodeHostBodies {
  readonly push: ProjectedPush
  readonly pull_request: ProjectedPullRequest
  readonly release: ProjectedRelease
  readonly deployment: ProjectedDeployment
}

/** The parts of code hosts' payloads that projections read; other fields are ignored. */

const orNull = <T extends TSchema>(type: T) => Type.Optional(Type.Union([type, Type.Null()]))
const Time = orNull(Type.Unsafe<string | number>({ type: ['string', 'number'] }))

const Repository = Type.Object({ full_name: Type.String(), html_url: orNull(Type.String()), pushed_at: Time })
const Account = Type.Object({ login: Type.String(), type: orNull(Type.String()), email: orNull(Type.String()) })
const Commit = Type.Object({ id: Type.String(), message: Type.String(), timestamp: Time })
const Branch = Type.Object({ ref: Type.String() })

const common = { action: orNull(Type.String()), repository: Repository, sender: orNull(Account) }

const Push = Type.Object({
  ...common,
  ref: Type.String(),
  /** GitHub's field. */
  compare: orNull(Type.String()),
  /** Gitea's and Forgejo's field. */
  compare_url: orNull(Type.String()),
  commits: orNull(Type.Array(Commit)),
  /** From Gitea and Forgejo, which list only a push's newest commits. */
  total_commits: orNull(Type.Number()),
  head_commit: orNull(Commit),
  pusher: orNull(Type.Object({ email: orNull(Type.String()) })),
})

const PullRequest = Type.Object({
  ...common,
  action: Type.String(),
  pull_request: Type.Object({
    number: Type.Number(),
    title: Type.String(),
    body: orNull(Type.String()),
    html_url: orNull(Type.String()),
    merged: orNull(Type.Boolean()),
    head: Branch,
    base: Branch,
    created_at: Time,
    updated_at: Time,
    merged_at: Time,
  }),
})

const Release = Type.Object({
  ...common,
  action: Type.String(),
  release: Type.Object({
    tag_name: Type.String(),
    name: orNull(Type.String()),
    body: orNull(Type.String()),
    html_url: orNull(Type.String()),
    prerelease: orNull(Type.Boolean()),
    created_at: Time,
    published_at: Time,
  }),
})

const Deployment = Type.Object({
  ...common,
  deployment: Type.Object({
    environment: Type.String(),
    ref: Type.String(),
    sha: Type.String(),
    task: orNull(Type.String()),
    description: orNull(Type.String()),
    created_at: Time,
  }),
})

export type RepositoryPayload = Static<typeof Repository>
export type AccountPayload = Static<typeof Account>
export type PushPayload = Static<typeof Push>
export type PullRequestPayload = Static<typeof PullRequest>

export const pushPayload = Compile(Push)
export const pullRequestPayload = Compile(PullRequest)
export const releasePayload = Compile(Release)
export const deploymentPayload = Compile(Deployment)
