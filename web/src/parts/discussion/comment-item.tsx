import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import { IconDots, IconEdit, IconRobot, IconTrash } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useDraft } from '../../api/drafts.ts'
import { call, callOnce, type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { useUndoableAction } from '../evidence/undo.ts'
import { Reference, When } from '../inline.tsx'
import { ErrorState } from '../states.tsx'
import { CommentField } from './comment-field.tsx'
import classes from './discussion.module.css'
import { partsOf } from './parts-of.ts'

interface SaidProps {
  readonly text: string
  /** The names of whom it names. */
  readonly names: readonly string[]
}

/** What somebody wrote, as text, in its own writing direction: with references as links, and whom it names marked. */
export const Said = ({ text, names }: SaidProps) => (
  <Text component="div" size="sm" dir="auto" className={classes.said ?? ''}>
    {partsOf(text, names).map(({ kind, at, part }) => (
      <Fragment key={at}>
        {kind === 'reference' ? (
          <Reference of={part.toUpperCase()} />
        ) : kind === 'name' ? (
          <span className={classes.name}>{part}</span>
        ) : (
          part
        )}
      </Fragment>
    ))}
  </Text>
)

type Comment = Output<'list_comments'>['items'][number]

interface Props {
  readonly comment: Comment
  /** The reference of the page that it stands on: a claim also has the comments on those that were merged into it. */
  readonly page: string
  readonly canEdit: boolean
  /** Whether the person is an owner of the workspace, who may delete any. */
  readonly isOwner: boolean
}

/** One comment: who wrote it, through which key where an agent did, and what it says. */
export const CommentItem = ({ comment, page, canEdit, isOwner }: Props) => {
  const [draft, setDraft] = useDraft(`edit of comment ${comment.id}`)
  const editing = useChange('edit_comment', { invalidates: ['list_comments'], onSuccess: () => setDraft(null) })
  const { act } = useUndoableAction()
  const { id, text, author_name, key_label, about, is_own, mentions, written_at, edited_at } = comment
  const remove = () =>
    act({
      change: `delete ${id}`,
      run: () => callOnce('delete_comment', { comment_id: id }),
      doneMessage: () => t('The comment is deleted.'),
      undo: ({ meta }) => call('undo_change', { change_id: meta.change_id ?? '' }),
    })
  return (
    <li className={classes.comment}>
      <div className={classes.head}>
        <Text span size="sm" fw={550}>
          <bdi>{author_name}</bdi>
        </Text>
        {key_label !== null && (
          <Badge size="sm" variant="light" color="gray" tt="none" leftSection={<IconRobot size={12} aria-hidden />}>
            {rich('through the key “{key_label}”', { key_label: <bdi>{key_label}</bdi> })}
          </Badge>
        )}
        <Text span size="xs" c="dimmed">
          <When at={written_at} />
          {edited_at !== null && t(', changed')}
        </Text>
        {about !== page && <Reference of={about} />}
        {canEdit && (is_own || isOwner) && draft === null && (
          <Menu position="bottom-end" width={160}>
            <Menu.Target>
              <ActionIcon
                className={classes.menu ?? ''}
                variant="subtle"
                color="gray"
                size="sm"
                aria-label={t('Change the comment of {author_name}', { author_name })}
                data-chrome
              >
                <IconDots size={16} />
              </ActionIcon>
            </Menu.Target>
            <Menu.Dropdown>
              {is_own && (
                <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => setDraft(text)}>
                  {t('Edit')}
                </Menu.Item>
              )}
              <Menu.Item leftSection={<IconTrash size={15} />} onClick={remove}>
                {t('Delete')}
              </Menu.Item>
            </Menu.Dropdown>
          </Menu>
        )}
      </div>
      {draft === null ? (
        <Said text={text} names={mentions.map(({ name }) => name)} />
      ) : (
        <CommentField
          label={t('Your comment')}
          action={t('Save')}
          text={draft}
          onChange={setDraft}
          busy={editing.isPending}
          onSubmit={() => editing.mutate({ comment_id: id, text: draft })}
          onCancel={() => setDraft(null)}
        />
      )}
      {editing.error !== null && <ErrorState error={editing.error} title={t('The comment was not changed')} />}
    </li>
  )
}
