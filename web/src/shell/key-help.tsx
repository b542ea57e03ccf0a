import { Group, Kbd, Modal, Text } from '@mantine/core'
import { useState } from 'react'
import { t } from '../language/messages.ts'
import { keycapsOf } from './keycaps.ts'
import { useBoundKeys, useKeys } from './keys.ts'
import classes from './shell.module.css'

/** The `?` dialog: every key that does something where the person is, those that do the same in one line. */
export const KeyHelp = () => {
  const [opened, setOpened] = useState(false)
  useKeys([{ key: '?', does: t('Show these keys'), run: () => setOpened(true) }])
  const keys = [...useBoundKeys(), { key: 'mod+k', does: t('Open the command palette') }]
  const lines = Map.groupBy(keys, ({ does }) => does)
  return (
    <Modal opened={opened} onClose={() => setOpened(false)} title={t('Keyboard')} size="xl">
      <ul className={classes.keys}>
        {[...lines].map(([does, bound]) => (
          <Group key={does} component="li" justify="space-between" wrap="nowrap" gap="sm">
            <Text size="sm">{does}</Text>
            <Group gap="sm" wrap="nowrap">
              {bound.map(({ key }) => (
                <Group key={key} gap={4} wrap="nowrap">
                  {keycapsOf(key).map(cap => (
                    <Kbd key={cap}>{cap}</Kbd>
                  ))}
                </Group>
              ))}
            </Group>
          </Group>
        ))}
      </ul>
    </Modal>
  )
}
