import { ActionIcon, Group, List, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { useState } from 'react'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { ChangeModal } from '../../parts/change-dialog.tsx'
import { Reference } from '../../parts/inline.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { ConfirmName } from '../erase/confirm-name.tsx'
import type { Transfer } from './transfer.tsx'

interface Props {
  readonly of: Transfer
  /** The workspace’s name, which is written out to confirm. */
  readonly workspace: string
}

/** Takes an import back as a whole. What people have built on it is named first. */
export const TakeBack = ({ of: { id, name }, workspace }: Props) => {
  const [opened, setOpened] = useState(false)
  const taking = useChange('take_back_import', {
    invalidates: ['list_transfers', 'list_erasures'],
    onSuccess: () => notifyDone(t('The import is being taken back. You can leave this page.')),
  })
  return (
    <>
      <Tooltip label={t('Take back: remove what it brought')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => setOpened(true)}
          aria-label={t('Take back {name}', { name })}
        >
          <IconArrowBackUp size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ChangeModal opened={opened} title={t('Take the import back')} change={taking} onClose={() => setOpened(false)}>
        <Stack gap="md">
          {opened && <WouldGo id={id} />}
          <ConfirmName
            workspace={workspace}
            action={t('Take it back')}
            change={taking}
            onConfirm={confirm => taking.mutate({ id, confirm })}
          />
        </Stack>
      </ChangeModal>
    </>
  )
}

/** What goes with the import, as the dry run says. */
const WouldGo = ({ id }: { readonly id: string }) => {
  const { data, error, refetch } = useOperation('preview_take_back', { id })
  if (data === undefined)
    return error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />
  const { solutions } = data
  return (
    <Stack gap="xs" role="status">
      <List size="sm">
        {sentencesOf(data).map(sentence => (
          <List.Item key={sentence}>{sentence}</List.Item>
        ))}
      </List>
      {solutions.items.length > 0 && (
        <Stack gap={2}>
          {solutions.items.map(({ reference, title }) => (
            <Group key={reference} gap="xs" wrap="nowrap">
              <Reference of={reference} />
              <Text size="sm" component="bdi" truncate>
                {title}
              </Text>
            </Group>
          ))}
        </Stack>
      )}
      <Text size="sm" c="dimmed">
        {t('What the import edited stays edited. The same file can be imported again afterwards.')}
      </Text>
    </Stack>
  )
}

const sentencesOf = (found: Output<'preview_take_back'>): readonly string[] => {
  const { signals, repeats, triaged, repeats_of_others, claims_kept, claims_emptied } = found
  const { decisions, comments, solutions } = found
  const said = (count: number, sentence: string) => (count > 0 ? [sentence] : [])
  return [
    t('{signals} and {repeats} go.', { signals: counted(signals, 'signal'), repeats: counted(repeats, 'repeat') }),
    ...said(triaged, t('Decided on in Triage: {count}.', { count: triaged.toLocaleString(language) })),
    ...said(
      claims_emptied,
      t('{claims} lose all evidence and are dismissed.', { claims: counted(claims_emptied, 'claim') }),
    ),
    ...said(claims_kept, t('{claims} keep other evidence.', { claims: counted(claims_kept, 'claim') })),
    ...said(
      decisions,
      t('Decisions about them: {count}. They stay in the log.', { count: decisions.toLocaleString(language) }),
    ),
    ...said(comments, t('Comments on them: {count}.', { count: comments.toLocaleString(language) })),
    ...said(
      repeats_of_others,
      t('Repeated by others: {count}. The oldest repeat takes the place of each.', {
        count: repeats_of_others.toLocaleString(language),
      }),
    ),
    ...said(
      solutions.count,
      t('Solutions that lose evidence: {count}.', { count: solutions.count.toLocaleString(language) }),
    ),
  ]
}
