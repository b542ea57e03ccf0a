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
import { readDraft } from '../api/drafts.ts'
import { type AskedChange, useProgress } from '../api/guard.ts'
import { isUnknown } from '../api/http.ts'
import { t } from '../language/messages.ts'
import { FormFailure, FormNotes } from './forms/form-notes.tsx'
import type { FormState } from './forms/use-form.ts'

export interface ChangeModalProps {
  readonly opened: boolean
  readonly title: ReactNode
  readonly size?: string
  readonly change: AskedChange
  /** Form of the dialog; null when it has none. */
  readonly form: FormState | null
  readonly onClose: () => void
}

/**
 * Frame of every dialog that changes something. It sends at most one change while it is open, and closes after the
 * success. Escape or a click beside it asks first when a change of its form would be lost, also a restored one.
 */
export const ChangeModal = ({
  opened,
  title,
  size = 'md',
  change,
  form,
  onClose,
  children,
}: ChangeModalProps & { readonly children: ReactNode }) => {
  const isDone = useProgress(change) === 'done'
  const [isAsking, setAsking] = useState(false)
  const newest = useRef({ change, form, onClose })
  newest.current = { change, form, onClose }
  const guard = change?.guard
  useLayoutEffect(() => {
    if (!opened) return
    // An error of the earlier opening is outdated.
    if (newest.current.change?.error) newest.current.change.reset()
    const release = guard?.hold()
    return () => {
      // A sent draft is deleted, however the dialog closes.
      if (guard?.hasSucceeded() === true) newest.current.form?.forget()
      release?.()
    }
  }, [opened, guard])
  useEffect(() => {
    if (isDone) newest.current.onClose()
  }, [isDone])
  const close = () => {
    form?.forget()
    setAsking(false)
    onClose()
  }
  // The question hears Escape too, where it means to continue writing.
  const leave = () => {
    if (isAsking || form?.isChanged !== true) return isAsking ? setAsking(false) : close()
    setAsking(true)
  }
  return (
    <>
      {/* Hidden at once: the code that opened the dialog may already go to the next screen. */}
      <Modal opened={opened && !isDone} onClose={leave} title={title} size={size}>
        {children}
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

/**
 * What was sent and has no answer: as long as nothing is written after it, sending again asks what became of it. The
 * page may show its own change by then, of which nothing is left to be done.
 */
const useSent = (change: AskedChange, form: FormState | null) => {
  const draft = () => (form === null ? null : readDraft(form.name))
  const [sent, setSent] = useState<{ readonly draft: string | null } | null>(null)
  return {
    isLost: sent !== null && sent.draft === draft() && change?.again !== undefined && isUnknown(change.error),
    keep: () => setSent({ draft: draft() }),
    note: () => setSent(null),
  }
}

/** While a form is on its way nothing more is written in it: it would go with the form, and nobody would have it. */
export const useStillWhile = (isSent: boolean) => {
  const form = useRef<HTMLFormElement>(null)
  useLayoutEffect(() => {
    if (!isSent) return
    const fields = form.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea') ?? []
    const open = [...fields].filter(({ readOnly }) => !readOnly)
    for (const field of open) field.readOnly = true
    return () => {
      for (const field of open) field.readOnly = false
    }
  }, [isSent])
  return form
}

interface ChangeFormProps {
  readonly change: AskedChange
  /** Like `ChangeModal`. */
  readonly form: FormState | null
  /** The verb: `Delete key`. */
  readonly action: string
  /** True when something is lost for good. */
  readonly danger?: boolean
  /** The input that is still missing: `a title`. Null when nothing is. */
  readonly missing?: string | null
  /** Label of the button that cancels. */
  readonly cancel?: string
  /** True when Enter sends as soon as the form opens, because everything was chosen before. */
  readonly takesFocus?: boolean
  /** Heading above the reason of a failure. */
  readonly failed?: string
  readonly onSubmit: () => void
  readonly onCancel: () => void
  readonly children: ReactNode
}

/** Fields of a change, its error, and its two buttons. Ctrl or ⌘ with Enter sends, also from a text area. */
export const ChangeForm = ({
  change,
  form,
  action,
  danger = false,
  missing: unfilled = null,
  cancel = t('Cancel'),
  takesFocus = false,
  failed = t('Nothing was changed'),
  onSubmit,
  onCancel,
  children,
}: ChangeFormProps) => {
  const progress = useProgress(change)
  const sent = useSent(change, form)
  const missing = sent.isLost
    ? null
    : form !== null && form.conflicts.length > 0
      ? t('which version to keep')
      : unfilled
  const missingId = useId()
  // A change that sends nothing has no progress, and stays visible for a moment afterwards.
  const isDoneHere = useRef(false)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (missing !== null || progress !== 'free' || isDoneHere.current) return
    isDoneHere.current = change === null
    if (sent.isLost) return change?.again?.()
    sent.keep()
    onSubmit()
  }
  const leave = () => {
    form?.forget()
    onCancel()
  }
  const pressed = (event: KeyboardEvent<HTMLFormElement>) => {
    if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
    event.preventDefault()
    event.currentTarget.requestSubmit()
  }
  return (
    <form
      ref={useStillWhile(progress !== 'free')}
      onSubmit={submit}
      onKeyDown={pressed}
      onInput={sent.note}
      data-change
    >
      <Stack gap="md">
        {children}
        <FormNotes form={form} />
        <FormFailure form={form} error={change?.error ?? null} title={failed} />
        {/* When space allows, the missing input takes two lines instead of moving the buttons to another line; on a phone
            it has its own line. */}
        <Group justify="flex-end" gap="sm">
          {missing !== null && (
            <Text size="xs" c="dimmed" ta="end" id={missingId} flex={{ base: '1 0 100%', xs: '1 1 7rem' }}>
              {t('Still needed: {missing}', { missing })}
            </Text>
          )}
          {/* Enter must not trigger an irreversible change. */}
          <Button variant="default" onClick={leave} data-autofocus={danger || undefined}>
            {cancel}
          </Button>
          <Button
            type="submit"
            autoFocus={takesFocus}
            data-autofocus={takesFocus || undefined}
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

/** Asks for the input of a change, and sends it once. */
export const ChangeDialog = ({ opened, title, size = 'md', change, form, onClose, ...fields }: Props) => (
  <ChangeModal opened={opened} title={title} size={size} change={change} form={form} onClose={onClose}>
    <ChangeForm {...fields} change={change} form={form} onCancel={onClose} />
  </ChangeModal>
)

interface ConfirmProps {
  readonly opened: boolean
  readonly title: string
  /** The effect, and its irreversible part. */
  readonly children: ReactNode
  /** The verb: `Delete key`. */
  readonly action: string
  /** The write of `onConfirm`; null when it is immediate. */
  readonly change: AskedChange
  /** Fields that others may change meanwhile; absent when there are none. */
  readonly form?: FormState
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before an irreversible change. Reversible changes happen at once, with `notifyUndoable`. */
export const Confirm = ({ children, form, onConfirm, ...dialog }: ConfirmProps) => (
  <ChangeDialog {...dialog} form={form ?? null} danger failed={t('That did not work')} onSubmit={onConfirm}>
    <Text component="div" size="sm">
      {children}
    </Text>
  </ChangeDialog>
)
