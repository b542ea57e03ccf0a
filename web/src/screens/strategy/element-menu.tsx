import { ActionIcon, Menu } from '@mantine/core'
import { IconArrowRight, IconDots, IconEdit, IconLink, IconTrash } from '@tabler/icons-react'
import { STRATEGY_LAYERS } from '../../../../schemas/domain/vocabulary.ts'
import { type Element, LAYERS, named } from './layers.ts'
import type { OpenDialog } from './open-dialog.ts'

interface Props {
  readonly element: Element
  readonly onOpenDialog: (dialog: OpenDialog) => void
}

/** What may be done with an element. */
export const ElementMenu = ({ element, onOpenDialog }: Props) => (
  <Menu position="bottom-end" width={220}>
    <Menu.Target>
      <ActionIcon variant="subtle" color="gray" size="sm" aria-label={`Change ${named(element)}`} data-chrome>
        <IconDots size={16} />
      </ActionIcon>
    </Menu.Target>
    <Menu.Dropdown>
      <Menu.Item leftSection={<IconEdit size={15} />} onClick={() => onOpenDialog({ what: 'edit', element })}>
        Edit
      </Menu.Item>
      <Menu.Item leftSection={<IconLink size={15} />} onClick={() => onOpenDialog({ what: 'link', element })}>
        Link claims and Solutions
      </Menu.Item>
      {STRATEGY_LAYERS.filter(layer => layer !== element.layer).map(layer => (
        <Menu.Item
          key={layer}
          leftSection={<IconArrowRight size={15} />}
          onClick={() =>
            onOpenDialog({ what: 'move', element, to: { list: layer, position: Number.POSITIVE_INFINITY } })
          }
        >
          Make it {LAYERS[layer].one}
        </Menu.Item>
      ))}
      <Menu.Divider />
      <Menu.Item leftSection={<IconTrash size={15} />} onClick={() => onOpenDialog({ what: 'remove', element })}>
        Remove
      </Menu.Item>
    </Menu.Dropdown>
  </Menu>
)
