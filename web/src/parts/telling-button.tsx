import { Button, type ButtonProps, Tooltip } from '@mantine/core'
import type { MouseEvent } from 'react'

interface Props extends ButtonProps {
  /** Why nothing can be done yet, in a sentence. Null: it can. */
  readonly missing: string | null
  readonly type?: 'submit' | 'button'
  readonly onClick?: () => void
}

const stop = (event: MouseEvent) => event.preventDefault()

/** A button that says what is missing while it can do nothing: to a pointer, a finger, the keyboard and a screen reader. */
export const TellingButton = ({ missing, onClick, ...button }: Props) =>
  missing === null ? (
    <Button {...button} {...(onClick !== undefined && { onClick })} />
  ) : (
    <Tooltip label={missing} events={{ hover: true, focus: true, touch: true }}>
      <Button {...button} data-disabled aria-disabled aria-description={missing} onClick={stop} />
    </Tooltip>
  )
