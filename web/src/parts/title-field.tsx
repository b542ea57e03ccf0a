import { Button, Group, TextInput } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { MAX_CHARACTERS } from '../../../schemas/domain/limits.ts'
import { t } from '../language/messages.ts'
import { TellingButton } from './controls.tsx'

interface Props {
  readonly title: string
  readonly most?: number
  /** With the new title, or null where it stays as it is. */
  readonly onDone: (title: string | null) => void
}

/** The title of a claim or a theme while it is written anew, in its place: it began as what somebody said first. */
export const TitleField = ({ title, most = MAX_CHARACTERS.title, onDone }: Props) => {
  const [written, setWritten] = useState(title)
  const name = written.trim()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (name !== '') onDone(name === title ? null : name)
  }
  const pressed = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onDone(null)
  }
  return (
    <form onSubmit={submit}>
      <Group gap="sm" align="flex-end">
        <TextInput
          w={{ base: 280, md: 520 }}
          label={t('Title')}
          maxLength={most}
          value={written}
          onChange={event => setWritten(event.currentTarget.value)}
          onKeyDown={pressed}
          onFocus={event => event.currentTarget.select()}
          autoFocus
        />
        <Button variant="default" onClick={() => onDone(null)}>
          {t('Cancel')}
        </Button>
        <TellingButton type="submit" missing={name === '' ? t('Write a title first.') : null}>
          {t('Save')}
        </TellingButton>
      </Group>
    </form>
  )
}
