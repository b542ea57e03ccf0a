import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { useChange } from '../../api/hooks.ts'
import { Confirm } from '../../parts/confirm.tsx'
import { notifyDone } from '../../shell/notify.tsx'
import { type Branch, idsOf, type OutlinedNode } from './outline.ts'
import { ParentSelect } from './parent-select.tsx'
import { signalCountText } from './signal-count-text.ts'
import { MAP_READS } from './use-map-changes.ts'

interface Props {
  readonly branch: Branch
  readonly nodes: ReadonlyMap<string, OutlinedNode>
  readonly onRemoved: () => void
  readonly onClose: () => void
}

/** Asks before a node goes, and says what becomes of its evidence and of what is below it. */
export const RemoveNode = ({ branch, nodes, onRemoved, onClose }: Props) => {
  const { node, children } = branch
  const [parent, setParent] = useState(node.parent_id)
  const removing = useChange('remove_map_node', {
    invalidates: MAP_READS,
    onSuccess: ({ removed, released_signals }) => {
      notifyDone(
        `“${removed.name}” is removed; ${signalCountText(released_signals)} ${released_signals === 1 ? 'is' : 'are'} anchored again in the background.`,
      )
      onRemoved()
    },
  })
  const below = children.length > 0 ? { children: 'move' as const, parent_id: parent } : {}
  return (
    <Confirm
      opened
      title="Remove this node?"
      action="Remove node"
      pending={removing.isPending}
      error={removing.error}
      onConfirm={() => removing.mutate({ id: node.id, version: node.version, ...below })}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">
          <bdi>“{node.name}”</bdi> goes with its texts
          {node.metrics.length > 0 && ` and ${node.metrics.length} metric binding(s); the metrics’ points stay`}. This
          cannot be undone.
        </Text>
        <Text size="sm">
          {node.signals === 0
            ? 'No Signal is anchored to it.'
            : `${signalCountText(node.signals)} anchored to it will stay, each anchored to the node that is nearest then, or to none.`}
        </Text>
        {children.length > 0 && (
          <ParentSelect
            label={`${children.length} node(s) right below it go below`}
            nodes={nodes}
            without={idsOf(branch)}
            value={parent}
            onChange={setParent}
          />
        )}
      </Stack>
    </Confirm>
  )
}
