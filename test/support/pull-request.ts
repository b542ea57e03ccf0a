import type { CreatedSource } from './person.ts'
import { post, type SenderAnswer, sign } from './sender.ts'

interface PullRequest {
  readonly action: 'opened' | 'closed'
  readonly number: number
  readonly title: string
  readonly body: string
  readonly branch: string
  readonly merged?: boolean
  /** ISO 8601. */
  readonly at: string
}

/** Delivers a pull request of the repository team/app as Forgejo does. */
export const deliverPullRequest = (source: CreatedSource, pull: PullRequest): Promise<SenderAnswer> => {
  const { action, number, title, body: description, branch, merged = false, at } = pull
  const body = JSON.stringify({
    action,
    pull_request: {
      number,
      title,
      body: description,
      html_url: `https://code.example.com/team/app/pulls/${number}`,
      merged,
      merged_at: merged ? at : null,
      head: { ref: branch },
      base: { ref: 'main' },
      created_at: at,
      updated_at: at,
    },
    repository: { full_name: 'team/app', html_url: 'https://code.example.com/team/app' },
    sender: { login: 'maintainer' },
  })
  return post(source.url, body, {
    'x-forgejo-event': 'pull_request',
    'x-forgejo-delivery': `delivery-${number}-${action}`,
    'x-hub-signature-256': sign(source.secret, body),
  })
}
