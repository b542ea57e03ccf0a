import { Button, Group, Modal, Text } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { type Branch, idsOf, type OutlinedNode } from './outline.ts'
import { ParentSelect } from './parent-select.tsx'

interface Props {
  readonly branch: Branch
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly onMove: (parent: string | null) => void
  readonly onClose: () => void
}

/** Puts a node below another, by keyboard as well as by mouse. */
export const MoveNode = ({ branch, nodes, onMove, onClose }: Props) => {
  const [parent, setParent] = useState(branch.node.parent_id)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onMove(parent)
  }
  return (
    <Modal opened onClose={onClose} title={<bdi>Move “{branch.node.name}”</bdi>}>
      <form onSubmit={submit}>
        <ParentSelect
          takesFocus
          label="Parent"
          nodes={nodes}
          without={idsOf(branch)}
          value={parent}
          onChange={setParent}
        />
        <Text size="sm" c="dimmed" mt="sm">
          What is below it and what is anchored to it go with it.
        </Text>
        <Group justify="flex-end" gap="sm" mt="md">
          <Button variant="default" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" disabled={parent === branch.node.parent_id}>
            Move
          </Button>
        </Group>
      </form>
    </Modal>
  )
}
