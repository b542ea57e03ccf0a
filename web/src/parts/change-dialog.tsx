import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import {
  type FormEvent,
  type KeyboardEvent,
  type ReactNode,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { type AskedChange, useProgress } from '../api/guard.ts'
import { t } from '../language/messages.ts'
import { ErrorState } from './states.tsx'

export interface ChangeModalProps {
  readonly opened: boolean
  readonly title: ReactNode
  readonly size?: string
  readonly change: AskedChange
  readonly onClose: () => void
}

/** Fields that hold a person's own words. What is typed to find something, and a password, is no loss. */
const WORDS =
  'textarea, input:is([type=text], [type=url]):not([role=combobox], [aria-haspopup=listbox], [aria-autocomplete])'

/** What was written in a dialog since it was opened, and whether closing it would lose any of it. */
const useWritten = () => {
  const fields = useRef(new Set<HTMLInputElement | HTMLTextAreaElement>())
  return {
    note: ({ target }: FormEvent) => {
      if (target instanceof Element && target.matches(WORDS)) {
        // As the selector says.
        fields.current.add(target as HTMLInputElement | HTMLTextAreaElement)
      }
    },
    isThere: () => [...fields.current].some(field => field.isConnected && field.value.trim() !== ''),
    forget: () => fields.current.clear(),
  }
}

/**
 * The frame of every dialog that changes something. It sends one change at most while it is open, and closes when that
 * is done. Closed by Escape or by a click beside it, it asks first where somebody has written in it.
 */
export const ChangeModal = ({
  opened,
  title,
  size = 'md',
  change,
  onClose,
  children,
}: ChangeModalProps & { readonly children: ReactNode }) => {
  const isDone = useProgress(change) === 'done'
  const written = useWritten()
  const [isAsking, setAsking] = useState(false)
  const newest = useRef({ change, onClose })
  newest.current = { change, onClose }
  const guard = change?.guard
  useLayoutEffect(() => {
    if (!opened) return
    // What failed when it was opened before is no news.
    if (newest.current.change?.error) newest.current.change.reset()
    return guard?.hold()
  }, [opened, guard])
  useEffect(() => {
    if (isDone) newest.current.onClose()
  }, [isDone])
  const close = () => {
    written.forget()
    setAsking(false)
    onClose()
  }
  // Escape is heard by the question too, where it means to go on writing.
  const leave = () => {
    if (isAsking || !written.isThere()) return isAsking ? setAsking(false) : close()
    setAsking(true)
  }
  return (
    <>
      {/* Out of sight at once: whoever has it opened may be on the way to the next screen. */}
      <Modal opened={opened && !isDone} onClose={leave} title={title} size={size}>
        <div onInput={written.note}>{children}</div>
      </Modal>
      <Modal
        opened={opened && !isDone && isAsking}
        onClose={() => setAsking(false)}
        closeOnEscape={false}
        title={t('Close and lose what you wrote?')}
        size="sm"
      >
        <Group justify="flex-end" gap="sm" pt="xs">
          <Button variant="default" onClick={() => setAsking(false)} data-autofocus>
            {t('Go on writing')}
          </Button>
          <Button color="red.9" onClick={close}>
            {t('Close it')}
          </Button>
        </Group>
      </Modal>
    </>
  )
}

interface ChangeFormProps {
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

/**
 * The fields of a change, what it failed of, and its two buttons. Ctrl or ⌘ with Enter sends it, from a text of many
 * lines too.
 */
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
        {/* What is missing takes two lines rather than a line from the buttons. */}
        <Group justify="flex-end" gap="sm" wrap="nowrap">
          {missing !== null && (
            <Text size="xs" c="dimmed" ta="end" id={missingId}>
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

type Props = ChangeModalProps & Omit<ChangeFormProps, 'onCancel'>

/** Asks for what a change needs, and sends it once. */
export const ChangeDialog = ({ opened, title, size = 'md', change, onClose, ...form }: Props) => (
  <ChangeModal opened={opened} title={title} size={size} change={change} onClose={onClose}>
    <ChangeForm {...form} change={change} onCancel={onClose} />
  </ChangeModal>
)

interface ConfirmProps {
  readonly opened: boolean
  readonly title: string
  /** What will happen, and what cannot be undone about it. */
  readonly children: ReactNode
  /** The verb: `Delete key`. */
  readonly action: string
  /** What `onConfirm` starts; null where it is done at once. */
  readonly change: AskedChange
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. What can be undone is done at once, with `notifyUndoable`. */
export const Confirm = ({ children, onConfirm, ...dialog }: ConfirmProps) => (
  <ChangeDialog {...dialog} danger failed={t('That did not work')} onSubmit={onConfirm}>
    <Text component="div" size="sm">
      {children}
    </Text>
  </ChangeDialog>
)
