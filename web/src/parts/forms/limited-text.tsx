import { Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core'
import { useMergedRef } from '@mantine/hooks'
import { type FormEvent, type Ref, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { counted, language, t } from '../../language/messages.ts'

/** The excess length as a sentence; null when the text fits. */
export const excessOf = (text: string, most: number): string | null => {
  const excess = text.length - most
  if (excess <= 0) return null
  return t('{characters} too long: {most} at most.', {
    characters: counted(excess, 'character'),
    most: most.toLocaleString(language),
  })
}

interface Limited<Field> {
  /** Absent when the form reads the field only at its submission. */
  readonly value?: string
  /** Most characters that can be sent. */
  readonly most: number
  readonly ref?: Ref<Field>
}

/** Makes the browser refuse the submission with the reason, like for a required field. */
const useLimit = <Field extends HTMLInputElement | HTMLTextAreaElement>({
  value,
  most,
  ref = null,
}: Limited<Field>) => {
  const [typed, setTyped] = useState('')
  const error = excessOf(value ?? typed, most)
  const field = useRef<Field>(null)
  useLayoutEffect(() => field.current?.setCustomValidity(error ?? ''), [error])
  return {
    ref: useMergedRef(field, ref),
    ...(error !== null && { error }),
    ...(value === undefined
      ? { onInput: ({ currentTarget }: FormEvent<Field>) => setTyped(currentTarget.value) }
      : { value }),
  }
}

/** A one-line field that accepts every pasted text, and shows the excess length. */
export const LimitedInput = ({
  value,
  most,
  ref,
  ...props
}: Omit<TextInputProps, 'value' | 'ref' | 'maxLength'> & Limited<HTMLInputElement>) => (
  <TextInput {...props} {...useLimit({ most, ...(value !== undefined && { value }), ...(ref && { ref }) })} />
)

/** The height of a longer text is not measured: for one of 2 MB that took seconds at each key. */
const MEASURED = 200_000

/** The same with several lines. */
export const LimitedTextarea = ({
  value,
  most,
  ref,
  autosize = false,
  ...props
}: Omit<TextareaProps, 'value' | 'ref' | 'maxLength'> & Limited<HTMLTextAreaElement>) => {
  const isLong = autosize && (value ?? '').length > MEASURED
  const field = useRef<HTMLTextAreaElement>(null)
  return (
    <Textarea
      {...props}
      {...useLimit({ most, ref: useMergedRef(field, ref ?? null), ...(value !== undefined && { value }) })}
      {...(isLong ? { rows: props.maxRows ?? props.minRows ?? 4 } : { autosize })}
      {...useFocusOver(isLong, field)}
    />
  )
}

/** Another element takes the place of the field: it has the focus where the first had it, behind what was written. */
const useFocusOver = (kind: boolean, field: RefObject<HTMLTextAreaElement | null>) => {
  const focused = useRef(false)
  const before = useRef(kind)
  useLayoutEffect(() => {
    if (before.current === kind) return
    before.current = kind
    if (!focused.current) return
    field.current?.focus()
    field.current?.setSelectionRange(field.current.value.length, field.current.value.length)
  }, [kind, field])
  return {
    onFocusCapture: () => {
      focused.current = true
    },
    onBlurCapture: () => {
      focused.current = false
    },
  }
}
