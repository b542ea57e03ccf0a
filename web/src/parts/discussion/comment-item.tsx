import { ActionIcon, Badge, Menu, Text } from '@mantine/core'
import { IconDots, IconEdit, IconRobot, IconTrash } from '@tabler/icons-react'
import { Fragment } from 'react'
import { useDraft } from '../../api/drafts.ts'
import { callOnce, type Output, useChange } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { undoChange, useUndoableAction } from '../evidence/undo.ts'
import { FormFailure, FormNotes } from '../forms/form-notes.tsx'
import { useForm } from '../forms/use-form.ts'
import { Reference, When } from '../inline.tsx'
import { CommentField } from './comment-field.tsx'
import classes from './discussion.module.css'
import { partsOf } from './parts-of.ts'

interface SaidProps {
  readonly text: string
  /** Names of the mentioned members. */
  readonly names: readonly string[]
}

const LOOKS_AFTER = /^From now on, @(.+) looks after this\.$/

/** The service's own comments are stored in English and translated; other texts stay unchanged. */
const inOwnLanguage = (text: string): string => {
  const name = LOOKS_AFTER.exec(text)?.[1]
  return name === undefined ? text : t('From now on, @{name} looks after this.', { name })
}

/** A person's text in its own writing direction, with references as links and mentioned members marked. */
export const Said = ({ text, names }: SaidProps) => (
  <Text component="div" size="sm" dir="auto" className={classes.said ?? ''}>
    {partsOf(inOwnLanguage(text), names).map(({ kind, at, part }) => (
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

export type Comment = Output<'list_comments'>['items'][number]

/** What the draft of a changed comment is kept by. */
export const draftOfEdit = ({ id }: Pick<Comment, 'id'>): string => `edit of comment ${id}`

interface Props {
  readonly comment: Comment
  /** Reference of the page: a claim also shows comments on claims merged into it. */
  readonly page: string
  readonly canEdit: boolean
  /** True for an owner of the workspace, who may delete any comment. */
  readonly isOwner: boolean
}

/** A comment with its author, an agent's key, and its text. */
export const CommentItem = ({ comment, page, canEdit, isOwner }: Props) => {
  const form = useForm({
    name: draftOfEdit(comment),
    labels: { text: t('Your comment') },
    now: { version: undefined, values: { text: comment.text } },
  })
  const [draft] = useDraft(form.name)
  const editing = useChange('edit_comment', { invalidates: ['list_comments'], onSuccess: form.forget })
  const { act } = useUndoableAction()
  const { id, text, author_name, key_label, about, is_own, mentions, written_at, edited_at } = comment
  const remove = () =>
    act({
      change: `delete ${id}`,
      run: () => callOnce('delete_comment', { comment_id: id }),
      doneMessage: () => t('The comment is deleted.'),
      undo: undoChange,
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
                <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => form.write({ text })}>
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
        <>
          <CommentField
            label={t('Your comment')}
            action={t('Save')}
            text={form.values.text}
            onChange={written => form.write({ text: written })}
            busy={editing.isPending}
            onSubmit={() =>
              form.conflicts.length === 0 &&
              editing.submit({ comment_id: id, text: form.values.text, expected: form.seen })
            }
            onCancel={form.forget}
          />
          <FormNotes form={form} />
        </>
      )}
      <FormFailure form={form} error={editing.error} title={t('The comment was not changed')} />
    </li>
  )
}
