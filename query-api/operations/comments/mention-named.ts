import type { Transaction } from '../../../infra/postgres/port.ts'
import { setMentions } from '../../../model/comments/comments.ts'
import { mentionedIn, peopleOf } from '../../../model/members/people.ts'
import type { CommentId } from '../../../schemas/domain/ids.ts'
import type { Caller } from '../define.ts'

/** Puts a comment into the inbox of each member whom its text names; not of its author, but of the owner of the agent that wrote it. */
export const mentionNamed = async (
  transaction: Transaction,
  { workspaceId, userId, via }: Caller,
  { id, text, at }: { readonly id: CommentId; readonly text: string; readonly at: Date },
): Promise<void> => {
  const named = mentionedIn(text, await peopleOf(transaction))
  const mentioned = named.filter(person => via.kind === 'key' || person.id !== userId)
  await setMentions(
    transaction,
    workspaceId,
    id,
    mentioned.map(person => person.id),
    at,
  )
}
