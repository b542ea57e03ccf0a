import { SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { Figure } from '../../parts/figure.tsx'
import { count, type Transfer } from './transfer.ts'

interface Props {
  readonly report: NonNullable<Transfer['report']>
}

const day = (at: string): string => at.slice(0, 10)

/** What a dry run found: how many would come of it, and what would not. */
export const CheckReport = ({ report }: Props) => (
  <Stack gap="md">
    <Title order={3}>Check result</Title>
    <SimpleGrid component="dl" cols={{ base: 2, sm: 4 }} m={0}>
      <Figure label="Records" value={report.records} about={spanOf(report)} />
      <Figure label="Accepted" value={report.accepted} />
      <Figure label="Refused" value={report.refused} />
      <Figure
        label="Duplicates"
        value={report.duplicates}
        about={
          report.duplicates > 0
            ? `of an earlier line: ${linesOf(report.duplicate_lines, report.duplicates)}`
            : undefined
        }
      />
    </SimpleGrid>
    {report.reasons.length > 0 && (
      <Table.ScrollContainer minWidth={420} type="native">
        <Table>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reason</Table.Th>
              <Table.Th ta="right">Records</Table.Th>
              <Table.Th>Lines</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.reasons.map(({ reason, count: times, lines }) => (
              <Table.Tr key={reason}>
                <Table.Td>{reason}</Table.Td>
                <Table.Td ta="right">{times.toLocaleString('en')}</Table.Td>
                <Table.Td>{linesOf(lines, times)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
    )}
    <Text size="sm" c="dimmed">
      {report.refused === 0
        ? 'Every record is a Signal.'
        : 'What is refused is left out; mend the file and upload it again to have it.'}{' '}
      {report.duplicates > 0 &&
        `${count(report.duplicates, 'repeat')} will be counted with the Signal that said it first, not shown twice.`}
    </Text>
  </Stack>
)

const spanOf = ({ earliest, latest }: Props['report']): string | undefined =>
  earliest === null || latest === null
    ? undefined
    : day(earliest) === day(latest)
      ? day(earliest)
      : `${day(earliest)} to ${day(latest)}`

const linesOf = (lines: readonly number[], times: number): string =>
  `${lines.map(line => line.toLocaleString('en')).join(', ')}${times > lines.length ? ', …' : ''}`
