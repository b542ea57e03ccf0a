import { Modal } from '@mantine/core'
import { type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { type AskedChange, useProgress } from './change.ts'

export interface ChangeModalProps {
  readonly opened: boolean
  readonly title: ReactNode
  readonly size?: string
  readonly change: AskedChange
  readonly onClose: () => void
}

/** The frame of every dialog that changes something. It sends one change at most while it is open, and closes when that is done. */
export const ChangeModal = ({
  opened,
  title,
  size = 'md',
  change,
  onClose,
  children,
}: ChangeModalProps & { readonly children: ReactNode }) => {
  const isDone = useProgress(change) === 'done'
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
  return (
    // Out of sight at once: whoever has it opened may be on the way to the next screen.
    <Modal opened={opened && !isDone} onClose={onClose} title={title} size={size}>
      {children}
    </Modal>
  )
}
