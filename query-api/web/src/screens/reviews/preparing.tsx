import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { useChange } from '../../api/hooks.ts'
import { ErrorState } from '../../parts/error-state.tsx'
import type { Job } from './review.ts'

interface Props {
  readonly job: Job
  readonly mayCancel: boolean
}

/** How far a review is, and the way to end it. It goes on when the page is left. */
export const Preparing = ({ job: { id, about, done, total, message }, mayCancel }: Props) => {
  const cancelling = useChange('cancel_job', { invalidates: ['list_jobs', 'read_review'] })
  const name = about ?? 'The review'
  return (
    <Stack gap="sm" mb="lg" className="reading">
      <Group justify="space-between" gap="sm" wrap="nowrap">
        <Text size="sm" role="status">
          <Anchor component={Link} to={`/app/reviews/${id}`} inherit underline="always">
            <bdi>{name}</bdi>
          </Anchor>{' '}
          is being prepared: {done} of {total ?? '…'} parts. You can leave this page.
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
      <Progress value={total === null ? 0 : Math.round((done / total) * 100)} aria-label={`Preparing ${name}`} />
      {message?.startsWith('Waiting') === true && (
        <Text size="sm" c="dimmed">
          {message}
        </Text>
      )}
      {cancelling.error !== null && <ErrorState error={cancelling.error} title="It was not cancelled" />}
    </Stack>
  )
}
