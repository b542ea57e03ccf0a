import { Button, Group, Modal, Stack, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useOperation } from '../../api/operations.ts'
import { counted, t } from '../../language/messages.ts'
import { ParentSelect } from '../map/parent-select.tsx'

interface Props {
  /** What the node is called. */
  readonly name: string
  readonly signals: number
  readonly onMake: (parentId: string | null) => void
  readonly onClose: () => void
}

/** Asks where on the map a theme's node goes. Enter alone puts it at the top. */
export const NodeOfTheme = ({ name, signals, onMake, onClose }: Props) => {
  const { data } = useOperation('outline_map', {})
  const [parent, setParent] = useState<string | null>(null)
  const nodes = new Map(data?.items.map(node => [node.id, node]))
  const make = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onMake(parent)
  }
  return (
    <Modal opened onClose={onClose} title={t('A node of the map')}>
      <Stack component="form" gap="sm" onSubmit={make}>
        <Text size="sm">
          <bdi>{name}</bdi> · {counted(signals, 'signal')}
        </Text>
        <ParentSelect label={t('Parent')} nodes={nodes} value={parent} onChange={setParent} />
        <Group justify="flex-end" gap="sm" pt="xs">
          <Button variant="default" onClick={onClose}>
            {t('Cancel')}
          </Button>
          <Button type="submit" data-autofocus>
            {t('Add node')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  )
}
