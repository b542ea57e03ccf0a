import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import type { ReactNode } from 'react'
import { isUnknown, messageOf } from '../api/http.ts'
import { t } from '../language/messages.ts'
import { faultsOf } from '../parts/states.tsx'

const UNDO_MS = 10_000

/** Says that something is done. */
export const notifyDone = (text: ReactNode): void => {
  notifications.show({ message: text, withBorder: true })
}

/** A write whose answer was lost may have been done. */
const titleOf = (error: unknown): string =>
  isUnknown(error) ? t('It is not known if this was saved') : t('That did not work')

/** Says that something was not done, and why, until the person closes it. */
export const notifyRefused = (title: ReactNode, message: string): void => {
  notifications.show({ color: 'red', title, message, autoClose: false, withBorder: true })
}

/** Says what went wrong, until the person closes it: of what was not done, and what is to be seen instead. */
export const notifyFailed = (error: unknown, title: ReactNode = titleOf(error), about?: string): void => {
  notifyRefused(
    title,
    [messageOf(error), ...faultsOf(error).map(fault => `${fault}.`), ...(about === undefined ? [] : [about])].join(' '),
  )
}

/** Says that something is done and offers to undo it, for ten seconds. What `undo` rejects with is shown. */
export const notifyUndoable = (text: ReactNode, undo: () => Promise<unknown>): void => {
  const run = async () => {
    notifications.hide(id)
    try {
      await undo()
      notifyDone(t('Undone.'))
    } catch (error) {
      notifyFailed(error)
    }
  }
  const id = notifications.show({
    autoClose: UNDO_MS,
    withBorder: true,
    message: (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button size="compact-sm" variant="light" onClick={run}>
          {t('Undo')}
        </Button>
      </Group>
    ),
  })
}
