import { type Static, type TSchema, Type } from 'typebox'
import { Compile } from 'typebox/compile'

/** The parts of a code host's own payloads that a projection reads; everything else in them is passed over. */

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
  /** GitHub's name of it. */
  compare: orNull(Type.String()),
  /** Gitea's and Forgejo's. */
  compare_url: orNull(Type.String()),
  commits: orNull(Type.Array(Commit)),
  /** Said by Gitea and Forgejo, which list a push's newest commits only. */
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
