import { Button } from '@mantine/core'
import type { Output } from '../../api/client.ts'
import { useChange } from '../../api/hooks.ts'
import { t } from '../../language/messages.ts'
import { notifyFailed } from '../../shell/notify.tsx'

interface Props {
  readonly bar: Output<'list_merge_groups'>['bar']
}

/** Asks for the next pairs that were too unlikely; nothing where there are none. */
export const ShowLessLikely = ({ bar }: Props) => {
  const asking = useChange('show_less_likely', { invalidates: ['list_merge_groups', 'read_workspace_rules'] })
  if (!bar.raised) return null
  return (
    <Button
      variant="default"
      size="xs"
      loading={asking.isPending}
      onClick={() => asking.mutate({}, { onError: notifyFailed })}
    >
      {t('Show less likely pairs')}
    </Button>
  )
}
