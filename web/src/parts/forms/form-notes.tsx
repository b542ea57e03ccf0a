import { Alert, Button, Group, Text } from '@mantine/core'
import { lazy, Suspense } from 'react'
import { isUnknown, type Problem } from '../../api/http.ts'
import { t } from '../../language/messages.ts'
import { loadPart } from '../../load-part.ts'
import { LiveStatus } from '../live-status.tsx'
import { ErrorState } from '../states.tsx'
import type { FormState } from './use-form.ts'

/** Loaded when a conflict occurs, which is rare. */
const Conflicts = lazy(loadPart(async () => ({ default: (await import('./conflicts.tsx')).Conflicts })))

interface Props {
  /** Null without fields to write. */
  readonly form: FormState | null
}

/** Notes above a form: a restored draft, and others' changes. */
export const FormNotes = ({ form }: Props) => (
  <>
    {form?.isContinued === true && (
      <Group gap="sm">
        <LiveStatus>
          <Text size="xs" c="dimmed">
            {t('You wrote this before, and did not send it.')}
          </Text>
        </LiveStatus>
        <Button size="compact-xs" variant="default" onClick={form.forget}>
          {t('Start again')}
        </Button>
      </Group>
    )}
    {form !== null && form.conflicts.length > 0 && (
      <Suspense>
        <Conflicts form={form} />
      </Suspense>
    )}
  </>
)

interface FailureProps extends Props {
  readonly error: Problem | null
  /** Heading above the reason. */
  readonly title: string
}

/**
 * Error of an unsent form. When the answer was lost, sending again is safe, because the idempotency key prevents a
 * second write. When another part of the object has changed, the form can be sent unchanged.
 */
export const FormFailure = ({ form, error, title }: FailureProps) => {
  if (error === null) return null
  if (isUnknown(error)) {
    return (
      <Alert color="yellow" variant="light" role="alert" title={t('It is not known if this was saved')}>
        <Text size="sm">
          {t('The answer was lost on the way. What you wrote is kept. Send it again: it is looked up, and saved once.')}
        </Text>
      </Alert>
    )
  }
  if (!error.isStale || form === null) return <ErrorState error={error} title={title} />
  if (form.conflicts.length > 0) return null
  return (
    <Alert variant="default" role="alert" title={t('Somebody changed another part of it')}>
      <Text size="sm">{t('Nothing was written yet. What you changed is as you left it: send it again.')}</Text>
    </Alert>
  )
}
