import { Button } from '@mantine/core'
import { IconPrinter } from '@tabler/icons-react'

/** Prints the screen, of which `data-chrome` is left out. */
export const PrintButton = () => (
  <Button size="sm" variant="default" leftSection={<IconPrinter size={16} />} onClick={() => print()} data-chrome>
    Print
  </Button>
)
