import { Alert, Button, List, Text } from '@mantine/core'
import { IconAlertTriangle } from '@tabler/icons-react'
import { messageOf } from '../api/message-of.ts'
import { Problem } from '../api/problem.ts'
import { t } from '../language/messages.ts'

interface Props {
  readonly error: unknown
  /** Absent: trying again would change nothing. */
  readonly retry?: () => void
  readonly title?: string
}

/** What a pointer leads to, in words: `Metric name` for `/metric_name`, `Examples 2` for `/examples/1`. */
const fieldOf = (pointer: string): string => {
  const words = pointer
    .split('/')
    .slice(1)
    .map(part => (/^\d+$/.test(part) ? String(Number(part) + 1) : part.replaceAll('_', ' ')))
    .join(' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** What went wrong, in the service’s own words, and a way to try again. */
export const ErrorState = ({ error, retry, title = t('This could not be read') }: Props) => (
  <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle size={18} />} role="alert">
    <Text size="sm">{messageOf(error)}</Text>
    {error instanceof Problem && error.violations.length > 0 && (
      <List size="sm" mt="sm">
        {error.violations.map(({ pointer, message }) => (
          <List.Item key={`${pointer} ${message}`}>
            {fieldOf(pointer)} {message}
          </List.Item>
        ))}
      </List>
    )}
    {retry !== undefined && (
      <Button size="xs" variant="default" mt="sm" onClick={retry}>
        {t('Try again')}
      </Button>
    )}
  </Alert>
)
