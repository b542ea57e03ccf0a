import { Anchor, Table, Title } from '@mantine/core'
import { Link } from 'react-router'
import type { Output } from '../../../api/client.ts'
import tables from '../tables.module.css'

interface Props {
  readonly of: Output<'read_ledger'>['differences']
}

/** The first signals that one store has at an end and the other has not, each leading to its way. */
export const Differences = ({ of: differences }: Props) => (
  <>
    <Title order={2} mt="xl" mb="sm">
      Where the stores differ
    </Title>
    <Table aria-label="Where the stores differ" maw={720} className={tables.quiet ?? ''}>
      <Table.Thead>
        <Table.Tr>
          <Table.Th>End</Table.Th>
          <Table.Th>Only in PostgreSQL</Table.Th>
          <Table.Th>Only in ClickHouse</Table.Th>
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {differences.map(({ end, only_in_postgres, only_in_clickhouse }) => (
          <Table.Tr key={end}>
            <Table.Td>{end}</Table.Td>
            <Table.Td>
              <Signals of={only_in_postgres} />
            </Table.Td>
            <Table.Td>
              <Signals of={only_in_clickhouse} />
            </Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  </>
)

const Signals = ({ of: ids }: { readonly of: readonly string[] }) =>
  ids.map(id => (
    <div key={id}>
      <Anchor component={Link} to={`/app/pipeline/signal?id=${id}`} size="xs" ff="monospace">
        {id}
      </Anchor>
    </div>
  ))
