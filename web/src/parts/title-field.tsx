import { Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, type RefObject, useEffect, useState } from 'react'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { useDraft } from '../api/drafts.ts'
import { isUnknown, Problem } from '../api/http.ts'
import { t } from '../language/messages.ts'
import { useStillWhile } from './change-dialog.tsx'
import { TellingButton } from './controls.tsx'
import type { FormDraft } from './forms/form-model.ts'
import { FormFailure, FormNotes } from './forms/form-notes.tsx'
import { LimitedInput } from './forms/limited-text.tsx'
import { useForm } from './forms/use-form.ts'

interface Props {
  readonly of: string
  readonly title: string
  /** Absent when it has no version. */
  readonly version?: number
  readonly most?: number
  /** Rejects where it was not saved: the field stays, with what was written, and says why. */
  readonly onSave: (title: string, sending: TitleSending) => Promise<unknown>
  readonly onClose: () => void
}

export interface TitleSending {
  /** The version that the person has seen. */
  readonly expected: { readonly version?: number }
  /** The title that the person has seen. */
  readonly seen: string
  /** True when the same was sent before and its answer was lost: this asks what became of it. */
  readonly asks: boolean
}

interface Titled {
  readonly [field: string]: string
  readonly title: string
}

/** What the draft of a title is kept by. */
export const draftOfTitle = (of: string): string => `title of ${of}`

/** What was written in such a draft; null where nothing was. */
export const writtenTitle = (draft: string): string | null =>
  (JSON.parse(draft) as FormDraft<Titled>).written.title ?? null

/** True while a title is being written, also after a reload. */
export const useTitleField = (of: string) => {
  const [begun, setBegun] = useState<string | null>(null)
  const [draft] = useDraft(draftOfTitle(of))
  return { isOpen: begun === of || draft !== null, open: () => setBegun(of), close: () => setBegun(null) }
}

/**
 * While the title is being saved the keys are the page’s again: until the page is read anew, a key would be written
 * into a field that is about to close. Where the title was refused, the field gets them back.
 */
const useLetGoWhile = (isSaving: boolean, form: RefObject<HTMLFormElement | null>): void =>
  useEffect(() => {
    const { activeElement: field } = document
    const main = document.getElementById('main')
    if (!isSaving || !(field instanceof HTMLInputElement) || form.current?.contains(field) !== true) return
    main?.focus({ preventScroll: true })
    return () => {
      if (field.isConnected && document.activeElement === main) field.focus()
    }
  }, [isSaving, form])

/** Field for a new title of a claim or a theme, in the title's place: the first title is a sender's words. */
export const TitleField = ({ of, title, version, most = MAX_CHARACTERS.title, onSave, onClose }: Props) => {
  const [isSaving, setSaving] = useState(false)
  const [error, setError] = useState<Problem | null>(null)
  const [lost, setLost] = useState<string | null>(null)
  const form = useForm<Titled>({
    name: draftOfTitle(of),
    labels: { title: t('Title') },
    now: { version, values: { title } },
  })
  const written = form.values.title
  const frame = useStillWhile(isSaving)
  useLetGoWhile(isSaving, frame)
  const close = () => {
    form.forget()
    onClose()
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (written.trim() === '' || form.conflicts.length > 0 || isSaving) return
    if (form.changes.title === undefined) return close()
    setSaving(true)
    try {
      await onSave(written.trim(), { expected: form.expected, seen: form.seen.title, asks: lost === written })
      close()
    } catch (failure) {
      if (!(failure instanceof Problem)) throw failure
      setError(failure)
      setLost(isUnknown(failure) ? written : null)
    } finally {
      setSaving(false)
    }
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close()
  }
  return (
    <form ref={frame} onSubmit={submit}>
      <Stack gap="sm">
        <Group gap="sm" align="flex-end">
          <LimitedInput
            w={{ base: 280, md: 520 }}
            label={t('Title')}
            most={most}
            value={written}
            onChange={event => form.write({ title: event.currentTarget.value })}
            onKeyDown={pressed}
            onFocus={event => event.currentTarget.select()}
            autoFocus
          />
          <Button variant="default" onClick={close}>
            {t('Cancel')}
          </Button>
          <TellingButton
            type="submit"
            loading={isSaving}
            missing={
              written.trim() === ''
                ? t('Write a title first.')
                : form.conflicts.length > 0
                  ? t('First choose which version to keep.')
                  : null
            }
          >
            {t('Save')}
          </TellingButton>
        </Group>
        <FormNotes form={form} />
        <FormFailure form={form} error={error} title={t('The title was not changed')} />
      </Stack>
    </form>
  )
}
