import { Alert, Button, List, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, type IconProps } from '@tabler/icons-react'
import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, type ReactNode, useEffect, useState } from 'react'
import { messageOf, Problem } from '../api/http.ts'
import { fromService, t } from '../language/messages.ts'

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
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <Skeleton key={row} height={height} radius="sm" />
    ))}
  </Stack>
)

/** So long parts wait for each other; what takes longer moves what is below it. */
const TOGETHER_MS = 4000

interface TogetherProps extends Props {
  readonly children: ReactNode
}

const FIRST_READS = { predicate: ({ state }: Query) => state.status === 'pending' }

/** Parts one below the other that each read by themselves: shown when all have, so that none moves another. */
export const Together = ({ children, ...shape }: TogetherProps) => {
  const queries = useQueryClient()
  const [isShown, setShown] = useState(false)
  const reads = useIsFetching(FIRST_READS)
  useEffect(() => {
    // Counted once more: the parts began to read by their effects, which come before this one.
    if (reads === 0 && queries.isFetching(FIRST_READS) === 0) setShown(true)
  }, [reads, queries])
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), TOGETHER_MS)
    return () => clearTimeout(timer)
  }, [])
  return (
    <>
      {!isShown && <LoadingState {...shape} />}
      <div hidden={!isShown}>{children}</div>
    </>
  )
}

interface EmptyStateProps {
  readonly icon: ComponentType<IconProps>
  readonly title: string
  /** `h1` where it is all that a screen shows. */
  readonly heading?: 'h1' | 'h2'
  /** What to do about it: a sentence, and the button that does it. */
  readonly children?: ReactNode
}

/** What stands where a list would be: why there is nothing, and what to do next. */
export const EmptyState = ({ icon: Icon, title, heading = 'h2', children }: EmptyStateProps) => (
  <Stack align="center" gap="sm" py="xl" px="md" ta="center" maw={460} mx="auto">
    <ThemeIcon variant="light" color="gray" size={44} radius="xl">
      <Icon size={22} stroke={1.5} aria-hidden />
    </ThemeIcon>
    <Title order={heading === 'h1' ? 1 : 2} size="h3">
      {title}
    </Title>
    <Text component="div" size="sm" c="dimmed">
      {children}
    </Text>
  </Stack>
)

interface ErrorStateProps {
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
  return fromService(words.charAt(0).toUpperCase() + words.slice(1))
}

/** What went wrong, in the service’s own words, and a way to try again. */
export const ErrorState = ({ error, retry, title = t('This could not be read') }: ErrorStateProps) => (
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
