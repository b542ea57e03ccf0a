import { Table, Text, UnstyledButton } from '@mantine/core'
import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { t } from '../../language/messages.ts'
import { ScrollingTable } from '../../parts/lists.tsx'
import classes from './explore.module.css'
import { axisLabel, axisPosition, type Row } from './series.ts'
import { groupOf } from './values.ts'
import {
  type ActivityQuery,
  changeOf,
  fieldLabel,
  figureOf,
  type Granularity,
  metricLabel,
  type PathOf,
} from './vocabulary.ts'

/** The column that the rows are sorted by, and the direction. */
export type Order = Required<NonNullable<ActivityQuery['order']>>

interface Props {
  readonly rows: readonly Row[]
  readonly granularity: Granularity | null
  readonly zone: string
  readonly pathOf: PathOf
  /** Undefined: the question has an order of its own. */
  readonly order: Order | undefined
  readonly onOrder: (order: string) => void
}

/** All of an answer, as numbers. */
export const AnswerTable = ({ rows, granularity, zone, pathOf, order, onOrder }: Props) => {
  const [first] = rows
  const groups = Object.keys(first?.group ?? {}).filter(name => name !== 'source_id')
  const metrics = Object.keys(first?.metrics ?? {})
  const compares = first?.before !== undefined
  const hasPeriods = granularity !== null && first?.period !== null
  const inOrder = { order, onOrder }
  return (
    <ScrollingTable minWidth={100 * (groups.length + metrics.length + 1)} label={t('Figures')}>
      <Table className={classes.table ?? ''} stickyHeader={false} aria-label={t('Figures')}>
        <Table.Thead>
          <Table.Tr>
            {hasPeriods && (
              <Head name="period" {...inOrder}>
                {t('Period')}
              </Head>
            )}
            {groups.map(name => (
              <Table.Th key={name}>{fieldLabel(name)}</Table.Th>
            ))}
            {metrics.flatMap(name => [
              <Head key={name} name={name} isNumber {...inOrder}>
                {metricLabel(name)}
              </Head>,
              ...(compares
                ? [
                    <Table.Th key={`before ${name}`} ta="end">
                      {t('Previous')}
                    </Table.Th>,
                    <Table.Th key={`change ${name}`} ta="end">
                      {t('Change [of a figure]')}
                    </Table.Th>,
                  ]
                : []),
            ])}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(row => (
            <Table.Tr key={`${row.period} ${JSON.stringify(row.group)}`}>
              {hasPeriods && granularity !== null && (
                <Table.Td style={{ whiteSpace: 'nowrap' }}>
                  {axisLabel(axisPosition(row.period ?? '', granularity), granularity, zone)}
                </Table.Td>
              )}
              {groups.map(name => (
                <Table.Td key={name} maw={320}>
                  <GroupValue value={groupOf(name, row, pathOf)} />
                </Table.Td>
              ))}
              {metrics.flatMap(name => [
                <Table.Td key={name} ta="end">
                  {figureOf(name, row.metrics[name])}
                </Table.Td>,
                ...(compares
                  ? [
                      <Table.Td key={`before ${name}`} ta="end" c="dimmed">
                        {figureOf(name, row.before?.[name])}
                      </Table.Td>,
                      <Table.Td key={`change ${name}`} ta="end" c="dimmed">
                        {changeOf(row.metrics[name], row.before?.[name]) ?? '–'}
                      </Table.Td>,
                    ]
                  : []),
              ])}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </ScrollingTable>
  )
}

interface HeadProps extends Pick<Props, 'order' | 'onOrder'> {
  readonly name: string
  readonly isNumber?: boolean
  readonly children: string
}

/** A column’s name, which orders by the column where the question lets it. */
const Head = ({ name, isNumber = false, order, onOrder, children }: HeadProps) => {
  const align = isNumber ? 'end' : 'start'
  if (order === undefined) return <Table.Th ta={align}>{children}</Table.Th>
  const direction = order.by === name ? order.direction : null
  const Arrow = direction === 'asc' ? IconArrowUp : IconArrowDown
  const next = direction === 'desc' ? 'asc' : 'desc'
  return (
    <Table.Th ta={align} aria-sort={direction === null ? 'none' : direction === 'asc' ? 'ascending' : 'descending'}>
      <UnstyledButton className={classes.head ?? ''} onClick={() => onOrder(`${name}:${next}`)}>
        {children}
        {direction !== null && <Arrow size={13} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  )
}

/** What somebody outside named may be anything; what does not apply is a dash. */
const GroupValue = ({ value }: { readonly value: string }) =>
  value === '' ? (
    <Text span size="sm" c="dimmed" title={t('Not applicable')}>
      –
    </Text>
  ) : (
    <bdi className="anywhere">{value}</bdi>
  )
