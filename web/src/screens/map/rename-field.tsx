import { TextInput } from '@mantine/core'
import { type KeyboardEvent, useState } from 'react'

const MOST_CHARACTERS = 120

interface Props {
  readonly name: string
  /** With the new name, or with null where nothing is to change. */
  readonly onDone: (name: string | null) => void
}

/** A node’s name, changed where it stands: Enter keeps it, Escape does not. */
export const RenameField = ({ name, onDone }: Props) => {
  const [written, setWritten] = useState(name)
  const press = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') onDone(null)
    if (event.key !== 'Enter') return
    const wanted = written.trim()
    onDone(wanted === '' || wanted === name ? null : wanted)
  }
  return (
    <TextInput
      flex={1}
      size="xs"
      aria-label={`New name of ${name}`}
      autoFocus
      maxLength={MOST_CHARACTERS}
      value={written}
      onChange={event => setWritten(event.currentTarget.value)}
      onFocus={event => event.currentTarget.select()}
      onClick={event => event.stopPropagation()}
      onKeyDown={press}
      onBlur={() => onDone(null)}
    />
  )
}
