import { Alert, Button, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../api/message-of.ts'
import { Problem } from '../api/problem.ts'

interface Props {
  readonly error: unknown
  /** Absent: trying again would change nothing. */
  readonly retry?: () => void
  readonly title?: string
}

/** What went wrong, in the service’s own words, and a way to try again. */
export const ErrorState = ({ error, retry, title = 'This could not be read' }: Props) => (
  <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle size={18} />} role="alert">
    <Text size="sm">{messageOf(error)}</Text>
    {error instanceof Problem && error.violations.length > 0 && (
      <List size="sm" mt="sm">
        {error.violations.map(({ pointer, message }) => (
          <List.Item key={`${pointer} ${message}`}>
            {pointer} {message}
          </List.Item>
        ))}
      </List>
    )}
    {retry !== undefined && (
      <Button size="xs" variant="default" mt="sm" onClick={retry}>
        Try again
      </Button>
    )}
  </Alert>
)
