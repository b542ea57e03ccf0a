import { Button, Group, SimpleGrid, Stack, Table, Text, Title } from '@mantine/core'
import { Fragment, useState } from 'react'
import { MAPPED_FIELDS } from '../../../../schemas/transfers/reading.ts'
import { Problem, toPeople } from '../../api/http.ts'
import { type Output, useChange, useOperation } from '../../api/operations.ts'
import { counted, language, t, word } from '../../language/messages.ts'
import { rich } from '../../language/rich.ts'
import { TellingButton } from '../../parts/controls.tsx'
import { clip } from '../../parts/formats.ts'
import { Reference } from '../../parts/inline.tsx'
import { Figure } from '../../parts/lists.tsx'
import { Quote } from '../../parts/quote.tsx'
import { ErrorState, LoadingState } from '../../parts/states.tsx'
import { CsvMapping, nameOfField, reasonForPeople } from './csv-mapping.tsx'
import { type Job, JobProgress, type Reading, type Sample, type Transfer } from './transfer.tsx'

interface Props {
  readonly of: Transfer
  readonly onStarted: () => void
}

/** A file of Signals on its way in: how it is read, what would come of it, and then the import itself. */
export const SignalsImport = ({ of: transfer, onStarted }: Props) => {
  const { id, format, report, check } = transfer
  // What the person has changed; until then, as the service reads it.
  const [changed, setChanged] = useState<Reading | null>(null)
  const preview = useOperation('preview_import', { id, ...(changed && { reading: changed }) }, { keep: true })
  const checking = useChange('check_import', {
    invalidates: ['list_transfers', 'preview_import'],
    onSuccess: () => setChanged(null),
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
        <CsvMapping isCsv={format === 'csv'} reading={reading} preview={preview.data} onChange={setChanged} />
      )}
      <Stack gap="sm">
        <Title order={3}>{t('The first signals')}</Title>
        {hasText ? (
          <SampleList sample={preview.data.sample} isJson={format === 'json'} />
        ) : (
          <Text size="sm">{t('Choose the column that holds what was said: it becomes the text.')}</Text>
        )}
      </Stack>
      {preview.error !== null && <ErrorState error={preview.error} retry={preview.refetch} />}
      {isChecking && check !== null && <JobProgress of={check} doing={t('Trying it out')} canCancel />}
      {check?.state === 'failed' && <ErrorState error={failureOf(check)} title={t('The file could not be read')} />}
      {changed === null && report !== null && !isChecking && <CheckReport report={report} isJson={format === 'json'} />}
      {checking.error !== null && <ErrorState error={checking.error} title={t('It was not tried')} />}
      {starting.error !== null && <ErrorState error={starting.error} title={t('It was not imported')} />}
      <Group gap="sm">
        {changed === null && report !== null && (report.accepted > report.known || report.changed > 0) && (
          <Button loading={starting.isPending} onClick={() => starting.mutate({ id })}>
            {importing(report)}
          </Button>
        )}
        {!isChecking && (changed !== null || report === null) && (
          <TellingButton
            missing={hasText ? null : t('Say first which column has the text.')}
            loading={checking.isPending}
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

/** What the file was taken for: the tool that it is from, and what its letters are written in. */
const LooksLike = ({ preview: { looks_like, encoding } }: { readonly preview: Output<'preview_import'> }) => {
  const said = [
    looks_like !== null && t('Looks like an export of {tool}. Check what each column becomes.', { tool: looks_like }),
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

const day = (at: string): string => at.slice(0, 10)

/** What a dry run found: how many would come of it, and what would not. */
const CheckReport = ({ report, isJson }: CheckReportProps) => (
  <Stack gap="md">
    <Title order={3}>{t('Check result')}</Title>
    <SimpleGrid component="dl" cols={{ base: 2, sm: 6 }} m={0}>
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
      <Table.ScrollContainer minWidth={420} type="native">
        <Table>
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
      </Table.ScrollContainer>
    )}
    <Text size="sm" c="dimmed">
      {report.refused === 0
        ? t('Every record is a signal.')
        : t('What is refused is left out; mend the file and upload it again to have it.')}{' '}
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
