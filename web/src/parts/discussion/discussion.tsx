import { Button, Group, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import type { OperationName } from '../../api/client.ts'
import { operationKey, useChange, useOperationPages } from '../../api/hooks.ts'
import { useLiveChange } from '../../api/live-connection.ts'
import { useRole } from '../../api/use-role.ts'
import { language } from '../../language/language.ts'
import { t } from '../../language/messages.ts'
import { ErrorState } from '../error-state.tsx'
import { LoadingState } from '../loading-state.tsx'
import { CommentField } from './comment-field.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './discussion.module.css'
import { OwnerPicker, type Person } from './owner-picker.tsx'

interface Props {
  /** The reference of a signal, a claim or a Solution. */
  readonly about: string
  readonly owner: Person | null
}

const PAGE = 20

/** What shows who looks after something. */
const SHOWS_OWNERS = [
  'lookup_signal',
  'lookup_claim',
  'lookup_solution',
  'list_comments',
] as const satisfies readonly OperationName[]

/** Who looks after a signal, a claim or a Solution, and what people and agents say to each other about it, the newest last. */
export const Discussion = ({ about, owner }: Props) => {
  const queries = useQueryClient()
  const query = useOperationPages('list_comments', { id: about, limit: PAGE }, { keep: true })
  const { items, first, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const role = useRole()
  const canEdit = role === 'owner' || role === 'member'
  const [text, setText] = useState('')
  const writing = useChange('write_comment', { invalidates: ['list_comments'], onSuccess: () => setText('') })
  useLiveChange(['discussions'], () => {
    for (const name of SHOWS_OWNERS) void queries.invalidateQueries({ queryKey: operationKey(name) })
  })
  return (
    <section aria-labelledby="discussion">
      <Group justify="space-between" mb="sm">
        <Title order={2} id="discussion">
          {t('Discussion')}{' '}
          {first !== undefined && first.count > 0 && (
            <Text span inherit c="dimmed" fw={400}>
              {first.count.toLocaleString(language)}
            </Text>
          )}
        </Title>
        <OwnerPicker about={about} owner={owner} canEdit={canEdit} />
      </Group>
      {first === undefined && error === null && <LoadingState rows={2} height={48} />}
      {first === undefined && error !== null && <ErrorState error={error} retry={refetch} />}
      {hasNextPage && (
        <Button
          variant="default"
          size="compact-xs"
          mb="sm"
          loading={isFetchingNextPage}
          onClick={() => fetchNextPage()}
        >
          {t('Show earlier comments')}
        </Button>
      )}
      <ol className={classes.comments}>
        {items.toReversed().map(comment => (
          <CommentItem key={comment.id} comment={comment} page={about} canEdit={canEdit} isOwner={role === 'owner'} />
        ))}
      </ol>
      {first?.count === 0 && !canEdit && (
        <Text size="sm" c="dimmed">
          {t('Nobody said anything yet.')}
        </Text>
      )}
      {canEdit && (
        <CommentField
          label={t('A comment')}
          placeholder={t('Ask or tell your colleagues. @ names one of them.')}
          action={t('Comment')}
          text={text}
          onChange={setText}
          busy={writing.isPending}
          onSubmit={() => writing.mutate({ id: about, text })}
        />
      )}
      {writing.error !== null && <ErrorState error={writing.error} title={t('The comment was not saved')} />}
    </section>
  )
}
