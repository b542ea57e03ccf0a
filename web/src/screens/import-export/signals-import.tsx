import { Button, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { Fragment, useEffect, useRef } from 'react'
import { MAPPED_FIELDS } from '../../../../schemas/transfers/columns.ts'
import { Problem, toPeople } from '../../api/http.ts'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, language, moments, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { clip } from '../../parts/formats.ts'
import { FormFailure, FormNotes } from '../../parts/forms/form-notes.tsx'
import { Reference } from '../../parts/inline.tsx'
import { Figure, ScrollingTable } from '../../parts/lists.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { say } from '../../shell/say.ts'
import { CsvMapping, nameOfField, reasonForPeople } from './csv-mapping.tsx'
import { readingOf, useMapping, valuesOf } from './mapping-form.ts'
import { type Job, JobProgress, type Reading, type Sample, type Transfer } from './transfer.tsx'

interface Props {
  readonly of: Transfer
  readonly onStarted: () => void
}

/** A file of Signals on its way in: how it is read, what would come of it, and then the import itself. */
export const SignalsImport = ({ of: transfer, onStarted }: Props) => {
  const { id, check, report } = transfer
  const { data, error, refetch } = useOperation('preview_import', { id })
  // Somebody else may have said how the file is read: the check that they began tells of it.
  const standing = `${check?.id} ${check?.state} ${report === null}`
  const seen = useRef(standing)
  useEffect(() => {
    if (seen.current !== standing) void refetch()
    seen.current = standing
  }, [standing, refetch])
  const ended = check === null || check.state === 'running' ? null : check.id
  const heard = useRef(ended)
  useEffect(() => {
    if (heard.current === ended) return
    heard.current = ended
    if (ended !== null && report !== null) say(`${t('Check result')}: ${summaryOf(report)}`)
  }, [ended, report])
  if (data === undefined) {
    return error === null ? <LoadingState rows={5} /> : <ErrorState error={error} retry={refetch} />
  }
  const { reading } = data
  return <Mapping key={JSON.stringify(reading)} of={transfer} onStarted={onStarted} stored={reading} />
}

interface MappingProps extends Props {
  /** As the service reads it, or as somebody has said. */
  readonly stored: Reading | null
}

const Mapping = ({ of: transfer, onStarted, stored }: MappingProps) => {
  const { id, format, report, check } = transfer
  const form = useMapping(id, stored)
  const isChanged = Object.keys(form.changes).length > 0
  const changed = isChanged ? readingOf(form.values) : null
  const preview = useOperation('preview_import', { id, ...(changed && { reading: changed }) }, { keep: true })
  const checking = useChange('check_import', {
    invalidates: ['list_transfers', 'preview_import'],
    onSuccess: form.forget,
  })
  const starting = useChange('start_import', { invalidates: ['list_transfers'], onSuccess: onStarted })
  if (preview.data === undefined) {
    return preview.error === null ? (
      <LoadingState rows={5} />
    ) : (
      <ErrorState error={preview.error} retry={preview.refetch} />
    )
  }
  // What is guessed for what the person changed, such as the order of dates, comes with the answer.
  const reading = changed === null ? preview.data.reading : { ...guessOf(preview.data), ...changed }
  const hasText = format === 'json_lines' || (reading?.mapping.some(({ field }) => field === 'text') ?? false)
  const isChecking = check?.state === 'running'
  return (
    <Stack gap="lg">
      <LooksLike preview={preview.data} />
      {reading !== null && (
        <CsvMapping
          isCsv={format === 'csv'}
          reading={reading}
          preview={preview.data}
          onChange={next => form.write(valuesOf(next))}
        />
      )}
      <Stack gap="sm">
        <Title order={3}>{t('The first signals')}</Title>
        {hasText ? (
          <SampleList sample={preview.data.sample} isJson={format === 'json'} />
        ) : (
          <Text size="sm">{t('Choose the column that holds what was said: it becomes the text.')}</Text>
        )}
        <Text size="sm" c="dimmed" className="reading">
          {t(
            'Addresses and numbers of people are replaced when this is imported. Of a writer’s e-mail address the domain stays, and a secret mark by which two writers stay two.',
          )}
        </Text>
      </Stack>
      {preview.error !== null && <ErrorState error={preview.error} retry={preview.refetch} />}
      {isChecking && check !== null && <JobProgress of={check} doing={t('Checking the file')} canCancel />}
      {check?.state === 'failed' && <ErrorState error={failureOf(check)} title={t('The file could not be read')} />}
      {changed === null && report !== null && !isChecking && <CheckReport report={report} isJson={format === 'json'} />}
      <FormNotes form={form} />
      <FormFailure form={form} error={checking.error} title={t('It was not checked')} />
      <FormFailure form={null} error={starting.error} title={t('It was not imported')} />
      <Group gap="sm">
        {changed === null && report !== null && (report.accepted > report.known || report.changed > 0) && (
          <Button loading={starting.isPending} onClick={() => starting.mutate({ id })}>
            {importing(report)}
          </Button>
        )}
        {!isChecking && (changed !== null || report === null) && (
          <TellingButton
            missing={
              form.conflicts.length > 0
                ? t('First choose which version to keep.')
                : hasText
                  ? null
                  : t('Say first which column has the text.')
            }
            // What is guessed for the columns of now, such as the order of dates, is checked with them.
            loading={checking.isPending || preview.isPlaceholderData}
            onClick={() => checking.mutate({ id, ...(reading !== null && { reading }) })}
          >
            {t('Check')}
          </TellingButton>
        )}
        {!isChecking && (changed !== null || report === null) && (
          <Text size="sm" c="dimmed">
            {t('Reads the whole file and says what would happen. Nothing is imported.')}
          </Text>
        )}
      </Group>
    </Stack>
  )
}

const nameOf = (encoding: string): string => encoding.toUpperCase().replace('WINDOWS', 'Windows')

/** What the import would do. */
const importing = ({ accepted, known, changed }: NonNullable<Transfer['report']>): string => {
  if (accepted === known) return t('Edit {signals}', { signals: counted(changed, 'signal') })
  const signals = counted(accepted - known, 'signal')
  return changed === 0
    ? t('Import {signals}', { signals })
    : t('Import {signals}, edit {changed}', { signals, changed: changed.toLocaleString(language) })
}

/** What the file was taken for: a file as an earlier one, or of a tool, and what its letters are written in. */
const LooksLike = ({
  preview: { looks_like, read_like, encoding },
}: {
  readonly preview: Output<'preview_import'>
}) => {
  const said = [
    read_like !== null &&
      t('Its columns become what those of “{name}” became, the last imported file with these columns.', {
        name: read_like,
      }),
    read_like === null &&
      looks_like !== null &&
      t('Looks like an export of {tool}. Check what each column becomes.', { tool: looks_like }),
    encoding !== 'utf-8' && t('It was read as {encoding}.', { encoding: nameOf(encoding) }),
  ].filter(each => each !== false)
  return said.length === 0 ? null : <Text size="sm">{said.join(' ')}</Text>
}

const guessOf = ({ dates }: Output<'preview_import'>): Pick<Reading, 'dates'> =>
  dates?.orders[0] === undefined ? {} : { dates: dates.orders[0] }

const failureOf = ({ message }: Job): Problem =>
  new Problem({
    code: 'failed',
    detail: message === null ? t('The job failed. Upload the file again.') : toPeople(message),
  })

/** The service cuts a sample’s text: what it sends is shown. */
const SHOWN_CHARACTERS = 600

interface SampleListProps {
  readonly sample: readonly Sample[]
  /** Whether the records are counted by themselves, and not by lines. */
  readonly isJson: boolean
}

/** The first records of a file as the Signals that they would become. */
const SampleList = ({ sample, isJson }: SampleListProps) => (
  <Stack component="ol" gap="md" m={0} p={0} style={{ listStyle: 'none' }}>
    {sample.map(({ line, signal, refused }) => (
      <Group key={line} component="li" wrap="nowrap" align="flex-start" gap="md">
        <Text size="xs" c="dimmed" w={52} pt={2} style={{ flexShrink: 0 }}>
          {isJson ? t('No. {line}', { line }) : t('Line {line}', { line })}
        </Text>
        <Stack gap={2} miw={0} flex={1}>
          {signal === null ? (
            <Text size="sm" c="var(--mantine-color-error)">
              {rich('Refused: {refused}', { refused: reasonForPeople(refused ?? '') })}
            </Text>
          ) : (
            <>
              <Quote text={signal.text} most={SHOWN_CHARACTERS} />
              <Text size="xs" c="dimmed" component="bdi" style={{ overflowWrap: 'anywhere' }}>
                {factsOf(signal).join(' · ')}
              </Text>
            </>
          )}
        </Stack>
      </Group>
    ))}
  </Stack>
)

const MAX_CHARACTERS = 300

/** What else a Signal says of itself, each with its name. */
const factsOf = (signal: NonNullable<Sample['signal']>): readonly string[] =>
  MAPPED_FIELDS.flatMap(field => {
    if (field === 'text' || signal[field] === undefined) return []
    const value = field === 'metadata' ? JSON.stringify(signal[field]) : word(String(signal[field]))
    return [clip(`${nameOfField(field)}: ${value}`, MAX_CHARACTERS)]
  })

interface CheckReportProps {
  readonly report: NonNullable<Transfer['report']>
  readonly isJson: boolean
}

/** The figures of a check in one line. */
const summaryOf = ({ accepted, known, changed, refused, duplicates }: CheckReportProps['report']): string =>
  [
    [t('New'), accepted - known],
    [t('Here already'), known - changed],
    [t('Changed'), changed],
    [t('Refused'), refused],
    [t('Repeats'), duplicates],
  ]
    .map(([label, value]) => `${label} ${value?.toLocaleString(language)}`)
    .join(', ')

/** In the zone that a date without a time was read in. */
const day = (at: string): string => new Date(at).toLocaleDateString(moments, { dateStyle: 'medium', timeZone: 'UTC' })

/** What a dry run found: how many would come of it, and what would not. */
const CheckReport = ({ report, isJson }: CheckReportProps) => (
  <Stack gap="md">
    <Title order={3}>{t('Check result')}</Title>
    <SimpleGrid component="dl" cols={{ base: 2, xs: 3, lg: 6 }} m={0}>
      <Figure label={t('Records')} value={report.records} about={spanOf(report)} />
      <Figure label={t('New')} value={report.accepted - report.known} />
      <Figure label={t('Here already')} value={report.known - report.changed} />
      <Figure
        label={t('Changed')}
        value={report.changed}
        about={
          report.changed > 0
            ? t('{reworded} of them in their text', { reworded: report.reworded.toLocaleString(language) })
            : undefined
        }
      />
      <Figure label={t('Refused')} value={report.refused} />
      <Figure
        label={t('Repeats')}
        value={report.duplicates}
        about={
          report.duplicates > 0
            ? t('of an earlier line: {duplicate_lines}', {
                duplicate_lines: linesOf(report.duplicate_lines, report.duplicates),
              })
            : undefined
        }
      />
    </SimpleGrid>
    {report.changed_rows.length > 0 && (
      <Text size="sm">
        {rich('Changed, for example: {rows}', {
          rows: report.changed_rows.map(({ line, signal }, place) => (
            <Fragment key={line}>
              {place > 0 && ' · '}
              {isJson ? t('No. {line}', { line }) : t('Line {line}', { line })}
              {signal !== null && (
                <>
                  {' '}
                  <Reference of={signal} />
                </>
              )}
            </Fragment>
          )),
        })}
      </Text>
    )}
    {report.reasons.length > 0 && (
      <ScrollingTable minWidth={420} label={t('Refused')}>
        <Table aria-label={t('Refused')}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('Reason')}</Table.Th>
              <Table.Th ta="end">{t('Records')}</Table.Th>
              <Table.Th>{isJson ? t('Numbers') : t('Lines')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {report.reasons.map(({ reason, count: times, lines }) => (
              <Table.Tr key={reason}>
                <Table.Td>{reasonForPeople(reason)}</Table.Td>
                <Table.Td ta="end">{times.toLocaleString(language)}</Table.Td>
                <Table.Td>{linesOf(lines, times)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </ScrollingTable>
    )}
    <Text size="sm" c="dimmed">
      {report.refused === 0
        ? t('Every record is a signal.')
        : t('What is refused is left out. To import it too, correct the file and upload it again.')}{' '}
      {report.known > 0 &&
        t(
          'A row that an earlier import or an earlier line brought is left out. A column with a number for each row tells rows with the same words apart.',
        )}{' '}
      {report.changed > 0 &&
        t(
          'Signals of changed rows are edited: each keeps its number, its kind, its claims and what was decided on it.',
        )}{' '}
      {report.duplicates > 0 &&
        t('{repeats} will be counted with the signal that said it first, not shown twice.', {
          repeats: counted(report.duplicates, 'repeat'),
        })}
    </Text>
  </Stack>
)

const spanOf = ({ earliest, latest }: CheckReportProps['report']): string | undefined =>
  earliest === null || latest === null
    ? undefined
    : day(earliest) === day(latest)
      ? day(earliest)
      : t('{earliest} to {latest}', { earliest: day(earliest), latest: day(latest) })

const linesOf = (lines: readonly number[], times: number): string =>
  `${lines.map(line => line.toLocaleString(language)).join(', ')}${times > lines.length ? ', …' : ''}`
