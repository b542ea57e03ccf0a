import { ActionIcon, Group, List, Stack, Text, Tooltip } from '@mantine/core'
import { IconArrowBackUp } from '@tabler/icons-react'
import { type ReactNode, useState } from 'react'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, language, t } from '../../language/messages.ts'
import { ChangeModal } from '../../parts/change-dialog.tsx'
import { Reference } from '../../parts/inline.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
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
      <Tooltip label={t('Take back: remove what it brought, undo what it edited')}>
        <ActionIcon
          variant="subtle"
          color="gray"
          onClick={() => setOpened(true)}
          aria-label={t('Take back {name}', { name })}
        >
          <IconArrowBackUp size={16} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <ChangeModal
        opened={opened}
        title={t('Take the import back')}
        change={taking}
        form={null}
        onClose={() => setOpened(false)}
      >
        {opened && (
          <WouldGo id={id}>
            <ConfirmName
              workspace={workspace}
              action={t('Take it back')}
              change={taking}
              onConfirm={confirm => taking.mutate({ id, confirm })}
            />
          </WouldGo>
        )}
      </ChangeModal>
    </>
  )
}

/** What goes with the import, as the dry run says; `children` ask for it, where there is anything. */
const WouldGo = ({ id, children }: { readonly id: string; readonly children: ReactNode }) => {
  const { data, error, refetch } = useOperation('preview_take_back', { id })
  if (data === undefined)
    return error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />
  const { signals, repeats, edits, themes, nodes, solutions } = data
  if (signals + repeats + edits === 0) {
    return (
      <LiveStatus>
        <Text size="sm">
          {t('There is nothing to take back: nothing is left of what this import brought or edited.')}
        </Text>
      </LiveStatus>
    )
  }
  return (
    <Stack gap="md">
      <Stack gap="xs">
        <LiveStatus>
          <List size="sm">
            {sentencesOf(data).map(sentence => (
              <List.Item key={sentence}>{sentence}</List.Item>
            ))}
          </List>
        </LiveStatus>
        <Named items={themes.items.map(({ reference, name }) => ({ reference, title: name }))} />
        <Named items={solutions.items} />
        {nodes.names.length > 0 && (
          <Text size="sm">
            <bdi>{nodes.names.join(', ')}</bdi>
          </Text>
        )}
        <Text size="sm" c="dimmed">
          {t('The same file can be imported again afterwards.')}
        </Text>
      </Stack>
      {children}
    </Stack>
  )
}

const Named = ({ items }: { readonly items: Output<'preview_take_back'>['solutions']['items'] }) =>
  items.length > 0 && (
    <Stack gap={2}>
      {items.map(({ reference, title }) => (
        <Group key={reference} gap="xs" wrap="nowrap">
          <Reference of={reference} />
          <Text size="sm" component="bdi" truncate>
            {title}
          </Text>
        </Group>
      ))}
    </Stack>
  )

const sentencesOf = (found: Output<'preview_take_back'>): readonly string[] => {
  const { signals, repeats, triaged, repeats_of_others, claims_kept, claims_emptied } = found
  const { decisions, comments, solutions, themes, nodes, edits, edits_kept } = found
  const said = (count: number, sentence: string) => (count > 0 ? [sentence] : [])
  return [
    ...said(
      signals + repeats,
      t('{signals} and {repeats} are removed.', {
        signals: counted(signals, 'signal'),
        repeats: counted(repeats, 'repeat'),
      }),
    ),
    ...said(edits, t('Say again what they said before: {signals}.', { signals: counted(edits, 'edited signal') })),
    ...said(
      edits_kept,
      t('Edits that stay, as the signal has changed since: {count}.', { count: edits_kept.toLocaleString(language) }),
    ),
    ...said(
      themes.count,
      t('Themes that people named or answered for, and that lose signals: {count}.', {
        count: themes.count.toLocaleString(language),
      }),
    ),
    ...said(triaged, t('Decided on in Triage: {count}.', { count: triaged.toLocaleString(language) })),
    ...said(
      claims_emptied,
      t('{claims} lose all evidence. They go, but for those that people have worked on, which stay and say so.', {
        claims: counted(claims_emptied, 'claim'),
      }),
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
      nodes.count,
      t('Nodes of the map that lose signals which people placed there: {count}.', {
        count: nodes.count.toLocaleString(language),
      }),
    ),
    ...said(
      solutions.count,
      t('Solutions that lose evidence: {count}.', { count: solutions.count.toLocaleString(language) }),
    ),
  ]
}
