import { Skeleton, Stack, VisuallyHidden } from '@mantine/core'
import { t } from '../language/messages.ts'

interface Props {
  /** About as many lines as will be there. */
  readonly rows?: number
  /** The height of one, in pixels. */
  readonly height?: number
}

/** The shape of what is being read. */
export const LoadingState = ({ rows = 6, height = 32 }: Props) => (
  <Stack gap="sm" role="status">
    <VisuallyHidden>{t('Reading…')}</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      // The rows are all alike and never move.
      // biome-ignore lint/suspicious/noArrayIndexKey: see above
      <Skeleton key={row} height={height} radius="sm" />
    ))}
  </Stack>
)
