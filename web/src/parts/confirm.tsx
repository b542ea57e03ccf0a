import { Button, Group, Modal, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { ErrorState } from './error-state.tsx'

interface Props {
  readonly opened: boolean
  readonly title: string
  /** What will happen, and what cannot be undone about it. */
  readonly children: ReactNode
  /** The verb: `Delete key`. */
  readonly action: string
  readonly pending?: boolean
  readonly error?: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
}

/** Asks before something that cannot be undone. What can be undone is done at once, with `notifyUndoable`. */
export const Confirm = ({ opened, title, children, action, pending = false, error, onConfirm, onClose }: Props) => (
  <Modal opened={opened} onClose={onClose} title={title}>
    <Text component="div" size="sm" mb="md">
      {children}
    </Text>
    {error !== undefined && error !== null && <ErrorState error={error} title="That did not work" />}
    <Group justify="flex-end" gap="sm" mt="md">
      <Button variant="default" onClick={onClose} data-autofocus>
        Cancel
      </Button>
      <Button color="red.9" loading={pending} onClick={onConfirm}>
        {action}
      </Button>
    </Group>
  </Modal>
)

interface ConfirmChangeProps extends Omit<Props, 'pending' | 'error'> {
  /** What `onConfirm` starts. */
  readonly change: { readonly isPending: boolean; readonly error: unknown; readonly reset: () => void }
}

/** Asks before a change, stays open while it is made, and says what it failed of until it is closed. */
export const ConfirmChange = ({ change, onClose, ...asked }: ConfirmChangeProps) => (
  <Confirm
    {...asked}
    pending={change.isPending}
    error={change.error}
    onClose={() => {
      change.reset()
      onClose()
    }}
  />
)
