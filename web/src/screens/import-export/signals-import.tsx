import { Button, Group, Stack, Text, Title } from '@mantine/core'
import { useState } from 'react'
import { useChange, useOperation } from '../../api/hooks.ts'
import { Problem } from '../../api/problem.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import { LoadingState } from '../../parts/loading-state.tsx'
import { CheckReport } from './check-report.tsx'
import { CsvMapping } from './csv-mapping.tsx'
import { JobProgress } from './job-progress.tsx'
import { SampleList } from './sample-list.tsx'
import { count, type Job, type Reading, type Transfer } from './transfer.ts'

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
  const reading = changed ?? preview.data.reading
  const hasText = format !== 'csv' || (reading?.mapping.some(({ field }) => field === 'text') ?? false)
  const isChecking = check?.state === 'running'
  return (
    <Stack gap="lg">
      {reading !== null && <CsvMapping reading={reading} columns={preview.data.columns} onChange={setChanged} />}
      <Stack gap="sm">
        <Title order={3}>The first Signals</Title>
        {hasText ? (
          <SampleList sample={preview.data.sample} />
        ) : (
          <Text size="sm">Choose the column that holds what was said: it becomes the text.</Text>
        )}
      </Stack>
      {preview.error !== null && <ErrorState error={preview.error} retry={preview.refetch} />}
      {isChecking && check !== null && <JobProgress of={check} doing="Trying it out" canCancel />}
      {check?.state === 'failed' && <ErrorState error={failureOf(check)} title="The file could not be read" />}
      {changed === null && report !== null && !isChecking && <CheckReport report={report} />}
      {checking.error !== null && <ErrorState error={checking.error} title="It was not tried" />}
      {starting.error !== null && <ErrorState error={starting.error} title="It was not imported" />}
      <Group gap="sm">
        {changed === null && report !== null && report.accepted > 0 && (
          <Button loading={starting.isPending} onClick={() => starting.mutate({ id })}>
            Import {count(report.accepted, 'Signal')}
          </Button>
        )}
        {!isChecking && (changed !== null || report === null) && (
          <Button
            disabled={!hasText}
            loading={checking.isPending}
            onClick={() => checking.mutate({ id, ...(reading !== null && { reading }) })}
          >
            Check
          </Button>
        )}
        {!isChecking && (changed !== null || report === null) && (
          <Text size="sm" c="dimmed">
            Reads the whole file and says what would happen. Nothing is imported.
          </Text>
        )}
      </Group>
    </Stack>
  )
}

const failureOf = ({ message }: Job): Problem =>
  new Problem({ code: 'failed', detail: message ?? 'The job failed. Upload the file again.' })
