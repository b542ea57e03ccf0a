import { Button, Stack, Table, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useOperation, useOperationPages } from '../../api/operations.ts'
import { t } from '../../language/messages.ts'
import { When } from '../../parts/inline.tsx'
import { ScrollingTable } from '../../parts/lists.tsx'
import { Page, PageHeader, Section } from '../../parts/page.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { Administrators } from './administrators.tsx'
import { ForgottenPassword, LostSecondFactor } from './lost-access.tsx'

/** Settings → Installation: who administers it, for everybody; which workspaces there are, for administrators. */
const Installation = () => {
  const { data, error, refetch } = useOperation('list_administrators', {})
  return (
    <Page width="reading">
      <PageHeader
        title={t('Installation')}
        about={t(
          'What affects the workspaces of all: who may pause the pipeline, and who sees which workspaces there are.',
        )}
      />
      {data === undefined &&
        (error === null ? <LoadingState rows={3} /> : <ErrorState error={error} retry={refetch} />)}
      {data !== undefined && (
        <Stack gap="xl">
          <Administrators administrators={data.items} youAdminister={data.is_administrator} />
          {data.is_administrator && <ForgottenPassword />}
          {data.is_administrator && <LostSecondFactor />}
          {data.is_administrator && <EveryWorkspace />}
          {data.is_administrator && <AuditLogLink />}
        </Stack>
      )}
    </Page>
  )
}

export default Installation

/** The way to who did what. */
const AuditLogLink = () => (
  <Section
    title={t('Audit log')}
    about={t('Who did what to accounts, keys, sources, roles and settings, and who signed in.')}
  >
    <Button component={Link} to="/app/settings/audit-log" variant="default">
      {t('Open the audit log')}
    </Button>
  </Section>
)

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
        <ScrollingTable label={t('Every workspace')} minWidth={320}>
          <Table aria-label={t('Every workspace')}>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>{t('Workspace')}</Table.Th>
                <Table.Th>{t('Owners')}</Table.Th>
                <Table.Th w={90} visibleFrom="sm">
                  {t('Members')}
                </Table.Th>
                <Table.Th w={110} visibleFrom="sm">
                  {t('Created')}
                </Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {items.map(({ id, name, owners, members, created_at }) => (
                <Table.Tr key={id}>
                  <Table.Td maw={300}>
                    <Text component="bdi" size="sm" truncate="end" display="block" title={name}>
                      {name}
                    </Text>
                    <Text size="xs" c="dimmed" ff="monospace" visibleFrom="sm">
                      {id}
                    </Text>
                  </Table.Td>
                  <Table.Td maw={240}>
                    <Text component="bdi" size="sm" truncate="end" display="block" title={owners.join(', ')}>
                      {owners.join(', ') || t('nobody')}
                    </Text>
                  </Table.Td>
                  <Table.Td visibleFrom="sm">{members}</Table.Td>
                  <Table.Td visibleFrom="sm">
                    <When at={created_at} />
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </ScrollingTable>
      )}
      {hasNextPage && (
        <Button mt="sm" variant="default" loading={isFetchingNextPage} onClick={() => fetchNextPage()}>
          {t('Show more')}
        </Button>
      )}
    </Section>
  )
}
