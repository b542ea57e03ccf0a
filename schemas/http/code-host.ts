import type { CodeHost } from '../domain/vocabulary.ts'

/**
 * What the code-host receiver keeps of an event: the JSON in `received.body` of the formats `push`, `pull_request`, `release` and
 * `deployment`. Each event's texts together stay under `MAX_TEXT_CODE_POINTS`, with room for a heading; `shortened` says that some were cut.
 */
interface ProjectedEvent {
  readonly code_host: CodeHost
  /** The repository's full name, such as `octo-org/octo-repo`. */
  readonly repository: string
  /** The page of what happened: the comparison, the pull request, the release, the deployed tree. Null when the host gave none. */
  readonly url: string | null
  readonly actor: ProjectedActor
  /** Milliseconds since the epoch; null when the event does not say. */
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

/** One push. `commits` is never empty: a push without a message, such as a deleted branch, is no signal. */
export interface ProjectedPush extends ProjectedEvent {
  /** The full ref, such as `refs/heads/main`. */
  readonly ref: string
  /** The oldest first. */
  readonly commits: readonly ProjectedCommit[]
  /** How many commits the host listed; more than `commits` holds when some were left out. */
  readonly commit_count: number
}

export interface ProjectedPullRequest extends ProjectedEvent {
  readonly action: 'opened' | 'reopened' | 'merged'
  readonly number: number
  readonly title: string
  readonly body: string
  /** Where the change comes from, such as `sol-12-export`, and where it goes. */
  readonly branch: string
  readonly base: string
}

export interface ProjectedRelease extends ProjectedEvent {
  readonly tag: string
  /** The release's title, or its tag where it has none. */
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

/** The projection of each format. */
export interface CodeHostBodies {
  readonly push: ProjectedPush
  readonly pull_request: ProjectedPullRequest
  readonly release: ProjectedRelease
  readonly deployment: ProjectedDeployment
}
