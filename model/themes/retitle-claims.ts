import type { Transaction } from '../../infra/postgres/port.ts'
import type { ClaimId, WorkspaceId } from '../../schemas/domain/ids.ts'
import { titleOf, titlesOf } from '../claims/titles.ts'
import { ownSentence, type SharedPassages } from './shared-passages.ts'

interface TitledClaim {
  readonly id: ClaimId
  readonly number: number
  readonly title: string
  readonly statement: string
}

const PAGE = 500

const READ = `
  select id, number, title, statement from claims
  where workspace_id = $1 and number > $2 and merged_into is null order by number limit ${PAGE}`

// Does not raise the version, so that a simultaneous edit succeeds.
const RETITLE = `
  update claims set title = titled.title
  from unnest($1::uuid[], $2::text[], $3::text[]) as titled (id, before, title)
  where claims.id = titled.id and claims.title = titled.before`

/** The title that replaces a shared sentence; null when the title stays. */
const betterTitle = ({ title, statement }: TitledClaim, shared: SharedPassages): string | null => {
  const ownOf = ownSentence(shared)
  // A title that a person wrote stays.
  if (ownOf(title) === title || !titlesOf(statement).includes(title)) return null
  const better = titleOf(statement, undefined, ownOf)
  return better === title ? null : better
}

/** Gives claims a new title whose title is a sentence that the workspace's unlike signals turned out to share. */
export const retitleClaims = async (
  inside: <Result>(work: (transaction: Transaction) => Promise<Result>) => Promise<Result>,
  workspaceId: WorkspaceId,
  shared: SharedPassages,
): Promise<void> => {
  for (let after = 0, isLast = shared.size === 0; !isLast; ) {
    const claims = await inside(transaction => transaction.query<TitledClaim>(READ, [workspaceId, after]))
    const titled = claims.flatMap(claim => {
      const title = betterTitle(claim, shared)
      return title === null ? [] : [{ id: claim.id, before: claim.title, title }]
    })
    if (titled.length > 0) {
      await inside(transaction =>
        transaction.query(RETITLE, [
          titled.map(({ id }) => id),
          titled.map(({ before }) => before),
          titled.map(({ title }) => title),
        ]),
      )
    }
    after = claims.at(-1)?.number ?? after
    isLast = claims.length < PAGE
  }
}
