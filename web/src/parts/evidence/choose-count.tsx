import { Text, VisuallyHidden } from '@mantine/core'
import { plural } from '../../language/messages.ts'

interface Props {
  /** Null while something is looked for. */
  readonly found: number | null
  /** What is said where nothing is found. */
  readonly nothing: string
}

/**
 * Says below a list how much was found: what is listed can be seen, and only heard of here. It is there before it says
 * something, since a screen reader tells what changes in it.
 */
export const FoundCount = ({ found, nothing }: Props) => (
  <Text size="sm" c="dimmed" role="status">
    {found === 0 && nothing}
    {found !== null && found > 0 && (
      <VisuallyHidden>{plural(found, '{number} result', '{number} results')}</VisuallyHidden>
    )}
  </Text>
)
