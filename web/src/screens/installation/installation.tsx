import { Button, List, Stack, Table, Text } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { useOperation, useOperationPages } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { Page } from '../../parts/page.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { When } from '../../parts/when.tsx'
import { Section } from '../workspace/section.tsx'
import { Administrators } from './administrators.tsx'

/** Settings → Installation: who administers it, for everybody; which workspaces there are, for administrators. */
const Installation = () => {
  const { data, error, refetch } = useOperation('list_administrators', {})
  return (
    <Page width="reading">
      <PageHeader
        title={t('Installation')}
        about={t(
          'What concerns everybody’s workspaces: who may pause the pipeline, and who sees which workspaces there are.',
        )}
      />
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <Stack gap="xl">
          <Administrators administrators={data.items} youAdminister={data.is_administrator} />
          {data.is_administrator && <EveryWorkspace />}
          {data.is_administrator && <Changes />}
        </Stack>
      )}
    </Page>
  )
}

export default Installation

type Change = Output<'list_administration_changes'>['items'][number]['change']

const WHAT: Readonly<Record<Change, string>> = {
  made_administrator: t('became an administrator'),
  administrator_no_more: t('is an administrator no more'),
  disabled: t('was disabled'),
  enabled: t('was enabled again'),
  password_reset: t('was given a new password'),
  account_deleted: t('was deleted'),
}

/** Who did what to whose account. */
const Changes = () => {
  const { data, error, refetch } = useOperation('list_administration_changes', {})
  return (
    <Section title={t('What changed')} about={t('Administrators and accounts, the latest first.')}>
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      <List size="sm" listStyleType="none">
        {data?.items.map(({ change, account_name, by_name, at }) => (
          <List.Item key={`${at} ${change} ${account_name}`}>
            <bdi>{account_name}</bdi> {WHAT[change]}{' '}
            <Text span size="sm" c="dimmed">
              {rich('by {by_name}, {when}', { by_name: <bdi>{by_name}</bdi>, when: <When at={at} /> })}
            </Text>
          </List.Item>
        ))}
      </List>
    </Section>
  )
}

const PAGE = 50

/** Which workspaces there are, private ones too. */
const EveryWorkspace = () => {
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'list_installation_workspaces',
    { limit: PAGE },
  )
  return (
    <Section
      title={t('Every workspace')}
      about={
        first === undefined
          ? t('Of everybody.')
          : t('{count} of everybody, with their owners. What is in them is for their members alone.', {
              count: first.count,
            })
      }
    >
      {first === undefined &&
        (error === null ? <LoadingState rows={4} /> : <ErrorState error={error} retry={refetch} />)}
      {first !== undefined && (
        <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Workspace')}</Table.Th>
                <Table.Th>{t('Owners')}</Table.Th>
                <Table.Th w={90}>{t('Members')}</Table.Th>
                <Table.Th w={110}>{t('Created')}</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map(({ id, name, owners, members, created_at }) => (
                <Table.Tr key={id}>
                  <Table.Td maw={200}>
                    <Text component="bdi" size="sm" truncate="end" display="block" title={name}>
                      {name}
                    </Text>
                  </Table.Td>
                  <Table.Td maw={240}>
                    <Text component="bdi" size="sm" truncate="end" display="block" title={owners.join(', ')}>
                      {owners.join(', ') || t('nobody')}
                    </Text>
                  </Table.Td>
                  <Table.Td>{members}</Table.Td>
                  <Table.Td>
                    <When at={created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
      )}
      {hasNextPage && (
        <Button mt="sm" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Section>
  )
}
