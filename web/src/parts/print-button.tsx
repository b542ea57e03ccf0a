import { Button, Text } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'
import { moments, t } from '../language/messages.ts'

/**
 * Prints the screen, of which `data-chrome` is left out, with the day in its place: on paper nothing else says when it
 * was so.
 */
export const PrintButton = () => (
  <>
    <Button size="sm" variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print()} data-chrome>
      {t('Print')}
    </Button>
    <Text size="sm" c="dimmed" data-printed>
      {new Date().toLocaleDateString(moments, { dateStyle: 'long' })}
    </Text>
  </>
)
