import type { Transaction } from '../../infra/postgres/port.ts'
import { AssayError } from '../../infra/runtime/errors.ts'
import { type HandoffId, newId } from '../../schemas/domain/ids.ts'
import type { HandoffKind } from '../../schemas/domain/vocabulary.ts'
import { type Author, authorValues, type Decider } from '../decisions/log-decision.ts'

const HANDOFFS = `
  select repository, number, title, url, branch, state, signal_id, occurred_at
  from handoff_proposals where solution_id = $1
  order by occurred_at desc, repository, number limit $2`

interface HandoffProposal {
  readonly repository: string
  readonly number: number
  readonly title: string
  readonly url: string | null
  readonly branch: string
  readonly state: 'opened' | 'reopened' | 'merged'
  readonly signal_id: string
  readonly occurred_at: Date
}

/** Pull requests that name a Solution, latest news first. */
export const proposedHandoffs = (
  transaction: Transaction,
  solutionId: string,
  limit: number,
): Promise<readonly HandoffProposal[]> => transaction.query<HandoffProposal>(HANDOFFS, [solutionId, limit])

/** A design or pull request of a Solution's handoff. */
export interface ConnectedHandoff extends Author {
  readonly id: HandoffId
  readonly kind: HandoffKind
  readonly url: string
  /** The pull request of the confirmed proposal, with its last known state; null without one. */
  readonly pull_request: { readonly repository: string; readonly number: number; readonly state: string } | null
  /** Number of its Decision. */
  readonly decision: number
  readonly handed_off_at: Date
  /** Time at which its Decision was reversed; null while it stands. */
  readonly withdrawn_at: Date | null
}

const CONNECTED = `
  select handoffs.id, kind, handoffs.url, handoffs.author_name, handoffs.key_label, handed_off_at, withdrawn_at, decisions.number as decision,
    case when proposed.state is not null then
      jsonb_build_object('repository', proposed.repository, 'number', proposed.number, 'state', proposed.state)
    end as pull_request
  from handoffs
  join decisions on decisions.id = decision_id
  left join handoff_proposals proposed
    on proposed.solution_id = handoffs.solution_id and proposed.repository = handoffs.repository and proposed.number = handoffs.number
  where handoffs.solution_id = $1
  order by handed_off_at desc, handoffs.id desc
  limit $2`

/** Handoffs of a Solution, latest first. */
export const connectedHandoffs = (
  transaction: Transaction,
  solutionId: string,
  limit: number,
): Promise<readonly ConnectedHandoff[]> => transaction.query<ConnectedHandoff>(CONNECTED, [solutionId, limit])

const STANDS = `
  select from handoffs where solution_id = $1 and url = $2 and withdrawn_at is null limit 1`

/** True when a standing handoff of the Solution has this URL. */
export const isConnected = async (transaction: Transaction, solutionId: string, url: string): Promise<boolean> =>
  (await transaction.query<object>(STANDS, [solutionId, url])).length > 0

const MAX_LENGTH = 1000
/**
 * White space, control and invisible characters, and characters that browsers read as a slash: they disguise an
 * address.
 */
const DISGUISE = /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}\\]/u

/**
 * The address of a web page in the form of the URL standard, with international names as Punycode. Throws
 * `invalid_input` for schemes other than `https:` and `http:`, for a user name or password in the address, for a
 * disguise, and above 1,000 characters. Fetches nothing.
 */
export const webLink = (given: string): string => {
  const text = given.trim()
  const url = URL.canParse(text) ? new URL(text) : null
  if (url === null || !/^https?:\/\//i.test(text))
    throw refused('must be the address of a web page: https:// or http://')
  if (DISGUISE.test(text)) throw refused('must hold no white space, backslashes or invisible characters')
  if (url.username !== '' || url.password !== '') throw refused('must hold no user name or password')
  if (url.href.length > MAX_LENGTH) throw refused(`must be at most ${MAX_LENGTH} characters long`)
  return url.href
}

const refused = (message: string): AssayError =>
  new AssayError('invalid_input', `The url ${message}. Nothing was written.`, {
    violations: [{ pointer: '/url', message }],
  })

export interface ProposedPullRequest {
  readonly repository: string
  readonly number: number
}

const PROPOSED = `select repository, number, url from handoff_proposals where solution_id = $1 and url is not null`

/** The proposal of a Solution whose pull request is at `url`; undefined without one. */
export const proposalAt = async (
  transaction: Transaction,
  solutionId: string,
  url: string,
): Promise<ProposedPullRequest | undefined> => {
  const rows = await transaction.query<ProposedPullRequest & { url: string }>(PROPOSED, [solutionId])
  const found = rows.find(row => URL.canParse(row.url) && new URL(row.url).href === url)
  return found && { repository: found.repository, number: found.number }
}

const INSERT = `
  insert into handoffs
    (id, workspace_id, solution_id, kind, url, repository, number, decision_id, author_id, author_name, key_label, handed_off_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)`

interface NewHandoff {
  readonly solutionId: string
  readonly kind: HandoffKind
  readonly url: string
  readonly proposal: ProposedPullRequest | undefined
  readonly decisionId: string
  readonly at: Date
}

/** Stores a design or pull request as a Solution's handoff. The caller checks the move and moves the Solution. */
export const connectHandoff = async (
  transaction: Transaction,
  by: Decider,
  { solutionId, kind, url, proposal, decisionId, at }: NewHandoff,
): Promise<HandoffId> => {
  const id = newId<HandoffId>()
  const confirmed = [proposal?.repository ?? null, proposal?.number ?? null]
  const values = [id, by.workspaceId, solutionId, kind, url, ...confirmed, decisionId, ...authorValues(by), at]
  await transaction.query(INSERT, values)
  return id
}
