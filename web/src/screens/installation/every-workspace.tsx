import { Button, Table, Text } from '@mantine/core'
import { useOperationPages } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { When } from '../../parts/when.tsx'
import { Section } from '../workspace/section.tsx'

const PAGE = 50

/** Which workspaces there are, private ones too. */
export const EveryWorkspace = () => {
  const { items, first, error, refetch, hasNextPage, fetchNextPage, isFetchingNextPage } = useOperationPages(
    'list_installation_workspaces',
    { limit: PAGE },
  )
  return (
    <Section
      title="Every workspace"
      about={
        first === undefined
          ? 'Of everybody.'
          : `${first.count} of everybody, with their owners. What is in them is for their members alone.`
      }
    >
      {first === undefined &&
        (error === null ? <LoadingState rows={4} /> : <ErrorState error={error} retry={refetch} />)}
      {first !== undefined && (
        <Table.ScrollContainer minWidth={520} type="native" tabIndex={0}>
          <Table>
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Workspace</Table.Th>
                <Table.Th>Owners</Table.Th>
                <Table.Th w={90}>Members</Table.Th>
                <Table.Th w={110}>Created</Table.Th>
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
                      {owners.join(', ') || 'nobody'}
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
          Show more
        </Button>
      )}
    </Section>
  )
}
