import { Group, Kbd, Modal, Switch, Text } from '@mantine/core'
import { t } from '../language/messages.ts'
import { isSingleKey, keycapsOf, useBoundKeys, useSingleKeys } from './keys.ts'
import classes from './shell.module.css'

/**
 * Every key that does something where the person is, those that do the same in one line, and the switch for keys of one
 * character, which dictated words would press (WCAG 2.2, 2.1.4).
 */
const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => {
  const [singleKeys, setSingleKeys] = useSingleKeys()
  const keys = [...useBoundKeys(), { key: 'mod+k', does: t('Open the command palette') }]
  const lines = Map.groupBy(
    keys.filter(({ key }) => singleKeys === 'on' || !isSingleKey(key)),
    ({ does }) => does,
  )
  return (
    <Modal opened onClose={onClose} title={t('Keyboard')} size="xl">
      <Switch
        mb="md"
        label={t('Keys of a single character, as J or ?')}
        description={t('Switch them off when you dictate, or press them by accident. This browser remembers it.')}
        checked={singleKeys === 'on'}
        onChange={event => setSingleKeys(event.currentTarget.checked ? 'on' : 'off')}
      />
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

export default KeyHelp
