import { Anchor, Button, Group, Text } from '@mantine/core'
import { IconMail } from '@tabler/icons-react'
import { Link } from 'react-router'
import { type Output, useChange, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { Said } from '../../parts/discussion/comment-item.tsx'
import { clip } from '../../parts/formats.ts'
import { FormFailure } from '../../parts/forms/form-notes.tsx'
import { addressOfReference, Reference, When } from '../../parts/inline.tsx'
import { MoreButton } from '../../parts/lists.tsx'
import { Page, PageHeader } from '../../parts/page.tsx'
import { EmptyState, ErrorState, LoadingState } from '../../parts/states.tsx'
import { ByLine } from '../solutions/solution-parts.tsx'
import classes from './inbox.module.css'

type Mention = Output<'list_mentions'>['items'][number]

/** `/app/inbox`: the comments that name the person, the newest first. */
const Inbox = () => {
  const query = useOperationPages('list_mentions', { limit: 20 }, { keep: true })
  const { items, first, error, refetch } = query
  const reading = useChange('read_mentions', { invalidates: ['list_mentions', 'count_waiting'] })
  return (
    <Page width="reading">
      <PageHeader
        title={t('Inbox')}
        about={t('Comments that name you with an @.')}
        awaits={first === undefined && error === null}
      >
        {(first?.unread ?? 0) > 0 && (
          <Button size="sm" variant="default" loading={reading.isPending} onClick={() => reading.mutate({})}>
            {t('Mark all as read')}
          </Button>
        )}
      </PageHeader>
      {first === undefined &&
        (error === null ? <LoadingState rows={5} height={72} /> : <ErrorState error={error} retry={refetch} />)}
      <FormFailure form={null} error={reading.error} title={t('They were not marked as read')} />
      {first?.count === 0 && (
        <EmptyState icon={IconMail} title={t('Nothing for you yet')}>
          {t(
            'When somebody writes @ and your name in a comment on a signal, a claim or a Solution, or has you look after one, it comes here.',
          )}
        </EmptyState>
      )}
      <ul className="plain" aria-label={t('Comments that name you')}>
        {items.map(mention => (
          <MentionItem
            key={mention.comment.id}
            mention={mention}
            onRead={() => reading.mutate({ comments: [mention.comment.id] })}
          />
        ))}
      </ul>
      <MoreButton query={query} />
    </Page>
  )
}

export default Inbox

interface MentionItemProps {
  readonly mention: Mention
  readonly onRead: () => void
}

const TITLE_CHARACTERS = 120

const MentionItem = ({ mention: { comment, title, read_at }, onRead }: MentionItemProps) => (
  <li className={classes.mention} data-unread={read_at === null || undefined}>
    <Group gap="sm" mb="xs" justify="space-between">
      <Text size="sm" component="div">
        <ByLine name={comment.author_name} label={comment.key_label} />{' '}
        {rich('on {reference}', { reference: <Reference of={comment.about} /> })}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        <When at={comment.written_at} />
      </Text>
    </Group>
    <Anchor
      component={Link}
      to={addressOfReference(comment.about) ?? '/app'}
      className={classes.title ?? ''}
      size="sm"
      c="inherit"
      onClick={() => read_at === null && onRead()}
    >
      <bdi>{clip(title, TITLE_CHARACTERS)}</bdi>
    </Anchor>
    <Said text={comment.text} names={comment.mentions.map(({ name }) => name)} />
    {read_at === null && (
      <Button size="compact-xs" variant="subtle" mt="xs" onClick={onRead}>
        {t('Mark as read')}
      </Button>
    )}
  </li>
)
