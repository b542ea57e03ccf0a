import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { type OperationName, useChange } from '../api/operations.ts'
import { t } from '../language/messages.ts'
import { ErrorState } from './states.tsx'

interface Props {
  readonly job: {
    readonly id: string
    readonly done: number
    readonly total: number | null
    readonly message: string | null
  }
  /** Name of the bar: `Importing`. */
  readonly label: string
  readonly canCancel: boolean
  /** Reads that show the job. */
  readonly invalidates: readonly OperationName[]
  /** Work and progress, as the beginning of a sentence. */
  readonly children: ReactNode
}

/** Progress of a job, with a button to cancel. The job continues when the page is left. */
export const RunningJob = ({ job: { id, done, total, message }, label, canCancel, invalidates, children }: Props) => {
  const cancelling = useChange('cancel_job', { invalidates })
  const share = total === null || total === 0 ? 0 : Math.min(100, Math.round((done / total) * 100))
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" role="status">
          {children}
          {t('. You can leave this page.')}
        </Text>
        {canCancel && (
          <Button
            size="compact-sm"
            variant="default"
            loading={cancelling.isPending}
            onClick={() => cancelling.mutate({ id })}
          >
            {t('Cancel')}
          </Button>
        )}
      </Group>
      <Progress value={share} animated={total === null} aria-label={label} />
      {message?.startsWith('Waiting') === true && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
      {cancelling.error !== null && <ErrorState error={cancelling.error} title={t('It was not cancelled')} />}
    </Stack>
  )
}
