import { Group, Kbd, Modal, Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useBoundKeys, useKeys } from './keys.ts'

/** The `?` dialog: every key that does something where the person is. */
export const KeyHelp = () => {
  const [opened, setOpened] = useState(false)
  useKeys([{ key: '?', does: 'Show these keys', run: () => setOpened(true) }])
  const keys = useBoundKeys()
  return (
    <Modal opened={opened} onClose={() => setOpened(false)} title="Keyboard">
      <Stack gap="sm" component="ul" m={0} p={0} style={{ listStyle: 'none' }}>
        {[...keys, { key: 'mod+k', does: 'Open the command palette' }].map(({ key, does }) => (
          <Group key={`${key} ${does}`} component="li" justify="space-between" wrap="nowrap">
            <Text size="sm">{does}</Text>
            <Keys chord={key} />
          </Group>
        ))}
      </Stack>
    </Modal>
  )
}

/** A chord as keycaps. */
const Keys = ({ chord }: { readonly chord: string }) => (
  <Group gap="xs" wrap="nowrap">
    {chord.split(/\+(?=.)/).map(part => (
      <Kbd key={part}>{part === 'mod' ? (navigator.platform.startsWith('Mac') ? '⌘' : 'Ctrl') : part}</Kbd>
    ))}
  </Group>
)
