import { Button, Group, Progress, Stack, Text } from '@mantine/core'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import type { Job } from './transfer.ts'

interface Props {
  readonly of: Job
  /** What it does, as a verb: `Importing`. */
  readonly doing: string
  readonly mayCancel: boolean
}

/** How far a job is, and the way to end it. It goes on when the page is left. */
export const JobProgress = ({ of: { id, done, total, failed, message }, doing, mayCancel }: Props) => {
  const cancelling = useChange('cancel_job', { invalidates: ['list_transfers'] })
  const share = total === null || total === 0 ? 0 : Math.min(100, (done / total) * 100)
  const amount = total === null ? '' : `: ${done.toLocaleString('en')} of ${total.toLocaleString('en')}`
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="sm">
        <Text size="sm" role="status">
          {doing}
          {amount}
          {failed > 0 && `, ${failed.toLocaleString('en')} refused`}. You can leave this page.
        </Text>
        {mayCancel && (
          <Button
            size="compact-sm"
            variant="default"
            loading={cancelling.isPending}
            onClick={() => cancelling.mutate({ id })}
          >
            Cancel
          </Button>
        )}
      </Group>
      <Progress value={share} animated={total === null} aria-label={doing} />
      {message?.startsWith('Waiting') === true && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
      {cancelling.error !== null && <ErrorState error={cancelling.error} title="It was not cancelled" />}
    </Stack>
  )
}
