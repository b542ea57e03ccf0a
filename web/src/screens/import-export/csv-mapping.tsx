import { Alert, Checkbox, Group, Select, Stack, Table, Text } from '@mantine/core'
import { MAX_CHARACTERS } from '../../../../schemas/domain/limits.ts'
import { ACTOR_ROLES, SIGNAL_ORIGINS } from '../../../../schemas/domain/vocabulary.ts'
import {
  COLUMN_FIELDS,
  type ColumnField,
  DATE_ORDERS,
  type DateOrder,
  DELIMITERS,
} from '../../../../schemas/transfers/columns.ts'
import { toPeople } from '../../api/http.ts'
import type { Output } from '../../api/operations.ts'
import { language, t, wordChoices } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { LimitedInput } from '../../parts/forms/limited-text.tsx'
import { LiveStatus } from '../../parts/live-status.tsx'
import { StackingTable } from '../../parts/stacking-table.tsx'
import type { Reading } from './transfer.tsx'

const DELIMITER_NAMES: Readonly<Record<(typeof DELIMITERS)[number], string>> = {
  ',': t('Comma'),
  ';': t('Semicolon'),
  '\t': 'Tab',
  '|': t('Bar'),
}

const DATE_ORDER_NAMES: Readonly<Record<DateOrder, string>> = {
  day_first: t('Day, month, year'),
  month_first: t('Month, day, year'),
}

/** What the app calls the fields. */
const FIELD_NAMES: Readonly<Record<ColumnField, string>> = {
  text: t('Text: what was said'),
  source: t('Source'),
  source_url: t('Link to the original'),
  occurred_at: t('When it happened'),
  actor_name: t('Who said it'),
  actor_email: t('Their e-mail address'),
  signal_origin: t('Origin'),
  actor_role: t('Role'),
  event: t('Event'),
  metadata: t('Metadata, as JSON'),
  row_id: t('Number that identifies the row'),
  company: t('Company'),
  plan: t('Customer’s plan'),
  revenue: t('Revenue'),
  tags: t('Tags'),
  language: t('Language'),
}

/** What the app calls a field, without what explains it: `Text`, not `Text: what was said`. */
export const nameOfField = (field: ColumnField): string => FIELD_NAMES[field].split(/[:,]/, 1)[0] ?? field

/** Why a line is refused, with the field by the name that the app gives it. */
export const reasonForPeople = (reason: string): string => {
  const field = COLUMN_FIELDS.find(each => reason.startsWith(`${each} `))
  if (field === undefined) return toPeople(reason)
  return `${nameOfField(field)} ${toPeople(reason.slice(field.length + 1).replace(/\.$/, ''))}.`
}

interface Props {
  /** Whether the columns are those of CSV, and not values of JSON. */
  readonly isCsv: boolean
  readonly reading: Reading
  readonly preview: Pick<Output<'preview_import'>, 'columns' | 'dates' | 'unread_dates'>
  readonly onChange: (reading: Reading) => void
}

/** What each column of a file is. */
export const CsvMapping = ({ isCsv, reading, preview: { columns, dates, unread_dates }, onChange }: Props) => (
  <Stack gap="md">
    <Group gap="lg" align="flex-end">
      {isCsv && <Lines reading={reading} onChange={onChange} />}
      <Checkbox
        size="sm"
        label={t('Keep the other columns as metadata')}
        checked={reading.keep_other_columns}
        onChange={event => onChange({ ...reading, keep_other_columns: event.currentTarget.checked })}
      />
    </Group>
    <StackingTable minWidth={480} label={t('Columns')}>
      <Table layout="fixed" aria-label={t('Columns')}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th w="26%">{t('Column')}</Table.Th>
            <Table.Th>{t('For example')}</Table.Th>
            <Table.Th w={210}>{t('Maps to')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {columns.map(({ name, example }, column) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a column is its position
            <Table.Tr key={column}>
              <Table.Td>
                <Text component="bdi" size="sm" fw={550} truncate display="block" title={name}>
                  {name}
                </Text>
              </Table.Td>
              <Table.Td>
                <Text component="bdi" size="sm" c="dimmed" truncate display="block">
                  {example}
                </Text>
              </Table.Td>
              <Table.Td data-whole>
                <Select
                  size="xs"
                  aria-label={t('What {name} becomes', { name })}
                  placeholder={reading.keep_other_columns ? t('Metadata') : t('Left out')}
                  clearable
                  data={COLUMN_FIELDS.map(value => ({ value, label: FIELD_NAMES[value] }))}
                  value={fieldOfColumn(reading, column)}
                  onChange={value =>
                    onChange(withColumn(reading, column, COLUMN_FIELDS.find(field => field === value) ?? null))
                  }
                />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </StackingTable>
    {dates !== null && <Dates reading={reading} dates={dates} onChange={onChange} />}
    {unread_dates !== null && <UnreadDates reading={reading} unread={unread_dates} onChange={onChange} />}
    <OfAll reading={reading} onChange={onChange} />
  </Stack>
)

/** How the lines of CSV are made of fields. */
const Lines = ({ reading, onChange }: Pick<Props, 'reading' | 'onChange'>) => (
  <>
    <Select
      size="xs"
      w={140}
      label={t('Delimiter')}
      allowDeselect={false}
      data={DELIMITERS.map(value => ({ value, label: DELIMITER_NAMES[value] }))}
      value={reading.delimiter}
      onChange={value => {
        const delimiter = DELIMITERS.find(each => each === value)
        if (delimiter !== undefined) onChange({ ...reading, delimiter })
      }}
    />
    <Checkbox
      size="sm"
      label={t('The first line names the columns')}
      checked={reading.header}
      onChange={event => {
        const { second_header: _, ...rest } = reading
        onChange({ ...rest, header: event.currentTarget.checked })
      }}
    />
  </>
)

type UnreadDatesProps = Pick<Props, 'reading' | 'onChange'> & {
  readonly unread: NonNullable<Props['preview']['unread_dates']>
}

/** Dates that cannot be read, and whether their signals come in without one. */
const UnreadDates = ({ reading, unread: { count, looked_at, examples }, onChange }: UnreadDatesProps) => (
  <Alert
    variant="light"
    role="note"
    color="yellow"
    title={
      <LiveStatus>
        {t('{count} of {looked_at} dates cannot be read', {
          count: count.toLocaleString(language),
          looked_at: looked_at.toLocaleString(language),
        })}
      </LiveStatus>
    }
  >
    <Stack gap="sm">
      <Text size="sm">{rich('For example: {examples}', { examples: <bdi>{examples.join(' · ')}</bdi> })}</Text>
      <Checkbox
        size="sm"
        label={t('Import these signals without a date')}
        description={t('What their column says is kept as metadata. Otherwise their lines are refused.')}
        checked={reading.leave_unread_dates ?? false}
        onChange={event => onChange({ ...reading, leave_unread_dates: event.currentTarget.checked })}
      />
    </Stack>
  </Alert>
)

type DatesProps = Pick<Props, 'reading' | 'onChange'> & {
  readonly dates: NonNullable<Props['preview']['dates']>
}

/** What the dates of the file mean, as it was guessed from all of them. */
const Dates = ({ reading, dates: { orders, example }, onChange }: DatesProps) => (
  <Select
    size="xs"
    w={320}
    label={t('Dates are written')}
    description={
      orders.length > 1
        ? t('{example} fits both ways: choose the right one.', { example })
        : t('Guessed from dates in the file such as {example}.', { example })
    }
    allowDeselect={false}
    data={DATE_ORDERS.map(value => ({ value, label: DATE_ORDER_NAMES[value] }))}
    value={reading.dates ?? null}
    onChange={value => {
      const order = DATE_ORDERS.find(each => each === value)
      if (order !== undefined) onChange({ ...reading, dates: order })
    }}
  />
)

/** What no column says, for all Signals of the file. */
const OfAll = ({ reading, onChange }: Pick<Props, 'reading' | 'onChange'>) => (
  <Group gap="md" align="flex-end">
    {!hasColumn(reading, 'source') && (
      <LimitedInput
        size="xs"
        w={200}
        label={t('Source of all signals')}
        placeholder={t('Interviews')}
        most={MAX_CHARACTERS.signalField}
        value={valueOfAll(reading, 'source')}
        onChange={event => onChange(withValue(reading, 'source', event.currentTarget.value))}
      />
    )}
    {!hasColumn(reading, 'signal_origin') && (
      <Select
        size="xs"
        w={220}
        label={t('All signals come from')}
        allowDeselect={false}
        data={wordChoices(SIGNAL_ORIGINS)}
        value={valueOfAll(reading, 'signal_origin') || 'customer'}
        onChange={value => onChange(withValue(reading, 'signal_origin', value ?? ''))}
      />
    )}
    {!hasColumn(reading, 'actor_role') && (
      <Select
        size="xs"
        w={220}
        label={t('Everyone who said them is a')}
        allowDeselect={false}
        data={wordChoices(ACTOR_ROLES)}
        value={valueOfAll(reading, 'actor_role') || 'user'}
        onChange={value => onChange(withValue(reading, 'actor_role', value ?? ''))}
      />
    )}
  </Group>
)

type Mapped = Reading['mapping'][number]

/** Which field a column is; null for none. */
const fieldOfColumn = ({ mapping }: Reading, column: number): ColumnField | null =>
  mapping.find(mapped => mapped.column === column)?.field ?? null

/** The reading with a column as a field, or as none. A field is one column at a time, and the text some of them. */
const withColumn = (reading: Reading, column: number, field: ColumnField | null): Reading => {
  const others = reading.mapping.filter(
    mapped => mapped.column !== column && (field === 'text' || mapped.field !== field),
  )
  const { dates, ...rest } = reading
  // The dates of another column are guessed anew.
  const kept = field === 'occurred_at' || dates === undefined ? rest : reading
  return { ...kept, mapping: field === null ? others : [...others, { field, column }] }
}

/** The value that a field has in every Signal; empty for none. */
const valueOfAll = ({ mapping }: Reading, field: ColumnField): string =>
  mapping.find(mapped => mapped.field === field)?.value ?? ''

const withValue = (reading: Reading, field: ColumnField, value: string): Reading => {
  const others = reading.mapping.filter(mapped => mapped.field !== field)
  const given: Mapped[] = value.trim() === '' ? [] : [{ field, value }]
  return { ...reading, mapping: [...others, ...given] }
}

/** Whether a column is the field, so that no one value can be. */
const hasColumn = ({ mapping }: Reading, field: ColumnField): boolean =>
  mapping.some(mapped => mapped.field === field && mapped.column !== undefined)
