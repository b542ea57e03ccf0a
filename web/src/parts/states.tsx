import { Alert, Button, List, Skeleton, Stack, Text, ThemeIcon, Title, VisuallyHidden } from '@mantine/core'
import { IconAlertTriangle, type IconProps } from '@tabler/icons-react'
import { type Query, useIsFetching, useQueryClient } from '@tanstack/react-query'
import { type ComponentType, lazy, type ReactNode, Suspense, useEffect, useState } from 'react'
import { messageOf, Problem } from '../api/http.ts'
import { fromService, t } from '../language/messages.ts'
import { loadPart } from '../load-part.ts'

interface Props {
  /** Approximate number of lines. */
  readonly rows?: number
  /** Height of a line in pixels. */
  readonly height?: number
}

/** Placeholder of content that is being read. */
export const LoadingState = ({ rows = 6, height = 32 }: Props) => (
  <Stack gap="sm" role="status">
    <VisuallyHidden>{t('Reading…')}</VisuallyHidden>
    {Array.from({ length: rows }, (_, row) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike and never move
      <Skeleton key={row} height={height} radius="sm" />
    ))}
  </Stack>
)

/** Longest time that parts wait for each other; a slower part moves the parts below it. */
const TOGETHER_MS = 4000

interface TogetherProps extends Props {
  readonly children: ReactNode
}

const FIRST_READS = { predicate: ({ state }: Query) => state.status === 'pending' }

/** Parts below each other with their own reads, shown when all have answered, so that none moves another. */
export const Together = ({ children, ...shape }: TogetherProps) => {
  const queries = useQueryClient()
  const [isShown, setShown] = useState(false)
  const reads = useIsFetching(FIRST_READS)
  useEffect(() => {
    // Counted again here: the parts' effects, which start their reads, run before this one.
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
  /** `h1` when the screen shows nothing else, `h3` below the heading of a section. */
  readonly heading?: 'h1' | 'h2' | 'h3'
  /** Advice: a sentence and a button. */
  readonly children?: ReactNode
}

/** Content of an empty list: the reason and the next action. */
export const EmptyState = ({ icon: Icon, title, heading = 'h2', children }: EmptyStateProps) => (
  <Stack align="center" gap="sm" py="xl" px="md" ta="center" maw={460} mx="auto">
    <ThemeIcon variant="light" color="gray" size={44} radius="xl">
      <Icon size={22} stroke={1.5} aria-hidden />
    </ThemeIcon>
    <Title order={heading === 'h1' ? 1 : heading === 'h2' ? 2 : 3} size="h3">
      {title}
    </Title>
    <Text component="div" size="sm" c="dimmed">
      {children}
    </Text>
  </Stack>
)

interface ErrorStateProps {
  readonly error: unknown
  /** Absent when a repetition is useless. */
  readonly retry?: () => void
  readonly title?: string
}

/** A pointer in words: `Metric name` for `/metric_name`, `Examples 2` for `/examples/1`. */
const fieldOf = (pointer: string): string => {
  const words = pointer
    .split('/')
    .slice(1)
    .map(part => (/^\d+$/.test(part) ? String(Number(part) + 1) : part.replaceAll('_', ' ')))
    .join(' ')
  return fromService(words.charAt(0).toUpperCase() + words.slice(1))
}

/** Faults by field, when the service named them: `Title is required`. */
export const faultsOf = (error: unknown): readonly string[] =>
  error instanceof Problem
    ? error.violations.map(({ pointer, message }) => `${fieldOf(pointer)} ${message}`.trim())
    : []

/** An error in the service's words, with a button to try again. */
export const ErrorState = ({ error, retry, title = t('This could not be read') }: ErrorStateProps) => {
  // An address may be mistyped, deleted, or not allowed; reading again finds nothing either.
  if (retry !== undefined && error instanceof Problem && error.code === 'not_found')
    return <NothingHere>{messageOf(error)}</NothingHere>
  return (
    <Alert color="red" variant="light" title={title} icon={<IconAlertTriangle size={18} />} role="alert">
      <Text size="sm">{messageOf(error)}</Text>
      {faultsOf(error).length > 0 && (
        <List size="sm" mt="sm">
          {faultsOf(error).map(fault => (
            <List.Item key={fault}>{fault}</List.Item>
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
}

const LoadedNothingHere = lazy(loadPart(() => import('./nothing-here.tsx')))

/** The requested page does not exist; links to its list. Its file is loaded at the first use. */
export const NothingHere = ({ children }: { readonly children: string }) => (
  <Suspense>
    <LoadedNothingHere>{children}</LoadedNothingHere>
  </Suspense>
)
