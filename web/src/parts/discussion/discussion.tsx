import { Button, Group, Select, Text, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { forgetSent, useDraft } from '../../api/drafts.ts'
import { useLiveChange } from '../../api/live-connection.ts'
import {
  callOnce,
  type OperationName,
  operationKey,
  useChange,
  useOperation,
  useOperationPages,
  useRole,
} from '../../api/operations.ts'
import { language, t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { say } from '../../shell/say.ts'
import { undoChange, useUndoableAction } from '../evidence/undo.ts'
import { FormFailure } from '../forms/form-notes.tsx'
import { ErrorState, LoadingState } from '../states.tsx'
import { UnsentWords } from '../unsent-words.tsx'
import { CommentField } from './comment-field.tsx'
import { CommentItem } from './comment-item.tsx'
import classes from './discussion.module.css'
import { useDeletedMeanwhile } from './use-deleted-meanwhile.ts'

interface Props {
  /** Reference of a signal, a claim or a Solution. */
  readonly about: string
  readonly owner: Person | null
}

const PAGE = 20

/** Reads that show owners. */
const SHOWS_OWNERS = [
  'lookup_signal',
  'lookup_claim',
  'lookup_solution',
  'list_comments',
] as const satisfies readonly OperationName[]

/** Owner of a signal, a claim or a Solution, and the comments of people and agents, newest last. */
export const Discussion = ({ about, owner }: Props) => {
  const queries = useQueryClient()
  const query = useOperationPages('list_comments', { id: about, limit: PAGE }, { keep: true })
  const { items, first, error, hasNextPage, isFetchingNextPage, fetchNextPage, refetch } = query
  const role = useRole()
  const canEdit = role === 'owner' || role === 'member'
  const name = `comment ${about}`
  const [draft, setDraft] = useDraft(name)
  const text = draft ?? ''
  const writing = useChange('write_comment', {
    draft: name,
    invalidates: ['list_comments'],
    onSuccess: (_, sent) => {
      forgetSent(name, sent.text)
      say(t('The comment is saved.'))
    },
  })
  useDeletedMeanwhile(about, query.isPlaceholderData ? null : items, written =>
    setDraft(draft === null ? written : `${draft}\n${written}`),
  )
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
      {role === 'viewer' && draft !== null && <UnsentWords text={draft} onDiscard={() => setDraft(null)} />}
      {first?.count === 0 && !canEdit && (
        <Text size="sm" c="dimmed">
          {t('There are no comments yet.')}
        </Text>
      )}
      {canEdit && (
        <CommentField
          label={t('A comment')}
          placeholder={t('Ask or tell your colleagues. @ names one of them.')}
          action={t('Comment')}
          text={text}
          onChange={next => setDraft(next === '' ? null : next)}
          busy={writing.isPending}
          onSubmit={() => writing.mutate({ id: about, text })}
        />
      )}
      <FormFailure form={null} error={writing.error} title={t('The comment was not saved')} />
    </section>
  )
}

interface Person {
  readonly id: string
  readonly name: string
}

interface OwnerPickerProps {
  /** Reference of a signal, a claim or a Solution. */
  readonly about: string
  readonly owner: Person | null
  readonly canEdit: boolean
}

/** The owner, with a choice of another one or nobody. */
const OwnerPicker = ({ about, owner, canEdit }: OwnerPickerProps) => {
  const [opened, setOpened] = useState(false)
  const { data } = useOperation('list_members', {}, { enabled: opened })
  const { act, busy } = useUndoableAction()
  if (!canEdit) {
    return (
      <Text size="sm" c="dimmed">
        {rich('Owner: {name}', { name: <bdi>{owner?.name ?? t('nobody')}</bdi> })}
      </Text>
    )
  }
  const own = owner === null ? [] : [{ value: owner.id, label: owner.name }]
  const others = (data?.items ?? [])
    .filter(({ user_id, role }) => user_id !== owner?.id && role !== 'viewer')
    .toSorted((one, other) => Number(other.is_you) - Number(one.is_you))
    .map(({ user_id, name, is_you }) => ({ value: user_id, label: is_you ? t('{name} (you)', { name }) : name }))
  const assign = (chosen: string | null) =>
    act({
      change: `assign ${about} ${chosen}`,
      run: () =>
        callOnce('assign_owner', { id: about, owner: chosen ?? 'nobody', expected: { owner: owner?.id ?? null } }),
      doneMessage: ({ data: { owner: now } }) =>
        now === null
          ? t('Nobody looks after {about}.', { about })
          : t('{name} looks after {about}.', { name: now.name, about }),
      undo: undoChange,
    })
  return (
    <Group gap="sm" wrap="nowrap">
      <Text size="sm" c="dimmed" aria-hidden>
        {t('Owner')}
      </Text>
      <Select
        size="xs"
        w={180}
        aria-label={t('Owner')}
        placeholder={t('Nobody')}
        searchable
        clearable
        disabled={busy}
        nothingFoundMessage={data === undefined ? t('Reading…') : t('No such member')}
        data={[...own, ...others]}
        value={owner?.id ?? null}
        onDropdownOpen={() => setOpened(true)}
        onChange={chosen => chosen !== (owner?.id ?? null) && void assign(chosen)}
      />
      <Text size="sm" component="bdi" data-printed>
        {owner?.name ?? t('Nobody')}
      </Text>
    </Group>
  )
}
