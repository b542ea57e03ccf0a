import type { Decider } from './decisions/log-decision.ts'

/** Who wrote something, under the name that they had then, and the label of the key that they worked through; null in the app. */
export interface Author {
  readonly author_name: string
  readonly key_label: string | null
}

/** Values for the columns `author_id`, `author_name` and `key_label`. */
export const authorValues = ({ userId, userName, via: through }: Decider): readonly [string, string, string | null] => [
  userId,
  userName,
  through.kind === 'key' ? through.label : null,
]
