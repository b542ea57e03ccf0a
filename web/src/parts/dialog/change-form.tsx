import { Button, Group, Stack, Text } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type ReactNode, useId, useRef } from 'react'
import { t } from '../../language/messages.ts'
import { ErrorState } from '../error-state.tsx'
import { type AskedChange, useProgress } from './change.ts'

export interface ChangeFormProps {
  readonly change: AskedChange
  /** The verb: `Delete key`. */
  readonly action: string
  /** Whether something is lost for good. */
  readonly danger?: boolean
  /** What has to be given before it can be sent: `a title`. Null: nothing. */
  readonly missing?: string | null
  /** The way out without it. */
  readonly cancel?: string
  /** Whether Enter does it as soon as the form is there: where everything was chosen before. */
  readonly takesFocus?: boolean
  /** What is said above the reason when it failed. */
  readonly failed?: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** The fields of a change, what it failed of, and its two buttons. Ctrl or ⌘ with Enter sends it, from a text of many lines too. */
export const ChangeForm = ({
  change,
  action,
  danger = false,
  missing = null,
  cancel = t('Cancel'),
  takesFocus = false,
  failed = t('Nothing was changed'),
  onSubmit,
  onCancel,
  children,
}: ChangeFormProps) => {
  const progress = useProgress(change)
  const missingId = useId()
  // What is not sent has no progress, and is there for a moment after it was done.
  const isDoneHere = useRef(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing !== null || progress !== 'free' || isDoneHere.current) return
    isDoneHere.current = change === null
    onSubmit()
  }
  const pressed = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form onSubmit={submit} onKeyDown={pressed} data-change>
      <Stack gap="md">
        {children}
        {change?.error != null && <ErrorState error={change.error} title={failed} />}
        <Group justify="flex-end" gap="sm">
          {missing !== null && (
            <Text size="xs" c="dimmed" id={missingId}>
              {t('Still needed: {missing}', { missing })}
            </Text>
          )}
          {/* What cannot be undone is not what Enter does. */}
          <Button variant="default" onClick={onCancel} data-autofocus={danger || undefined}>
            {cancel}
          </Button>
          <Button
            type="submit"
            autoFocus={takesFocus}
            {...(danger && { color: 'red.9' })}
            loading={progress !== 'free'}
            disabled={missing !== null}
            {...(missing !== null && { 'aria-describedby': missingId })}
          >
            {action}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
