import { TextInput, type TextInputProps } from '@mantine/core'
import { useDebouncedCallback } from '@mantine/hooks'
import { IconSearch } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { enterList } from '../shell/keys.ts'

const PAUSE_MS = 250

/**
 * Text of a field that the address keeps. The field leads: the address follows after a pause. Only an outside change,
 * such as Back, replaces the typed text.
 */
export const useTyped = (value: string, onChange: (text: string) => void) => {
  const [typed, setTyped] = useState(value)
  /** Texts that were sent to the address and do not show there yet, in order. */
  const sent = useRef<readonly string[]>([])
  const send = useDebouncedCallback((text: string) => {
    const words = text.trim()
    if (words === (sent.current.at(-1) ?? value)) return
    sent.current = [...sent.current, words]
    onChange(words)
  }, PAUSE_MS)
  useEffect(() => {
    const place = sent.current.indexOf(value)
    sent.current = sent.current.slice(place + 1)
    if (place >= 0) return
    send.cancel()
    sent.current = []
    setTyped(value)
  }, [value, send])
  const type = (text: string) => {
    setTyped(text)
    send(text)
    // Sent at once, together with the other filters when all are cleared.
    if (text === '') send.flush()
  }
  return { typed, type, flush: () => send.flush() }
}

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'type'> {
  readonly label: string
  readonly field: ReturnType<typeof useTyped>
}

/**
 * A field that searches the list below: Enter and ↓ move into the list, Escape empties the field and then leaves it.
 */
export const SearchField = ({ label, field: { typed, type, flush }, ...props }: Props) => {
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'Enter' || event.key === 'ArrowDown') {
      flush()
      enterList()
    } else if (event.key !== 'Escape') return
    else if (typed === '') event.currentTarget.blur()
    else type('')
    event.preventDefault()
  }
  return (
    <TextInput
      size="xs"
      type="search"
      aria-label={label}
      placeholder={label}
      leftSection={<IconSearch size={14} />}
      {...props}
      value={typed}
      onChange={event => type(event.currentTarget.value)}
      onKeyDown={pressed}
    />
  )
}
